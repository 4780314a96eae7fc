/** A server that is told to stop while clients write. */
import { spaces } from "@lectern/core"
import { freshDatabase } from "@lectern/testkit/postgres"
import { expect, inject, it } from "vitest"
import { adminToken, call, serve } from "./processes.ts"
import { examined, rowsAt } from "./support/examined.ts"

const clientsAtOnce = 12

interface Listed {
  readonly items: ReadonlyArray<{ readonly id: string; readonly title: string }>
}

it("what it has taken in is answered, and what is not answered was not taken in", async () => {
  // Here a commit takes its time.
  const database = await freshDatabase(inject("postgres"))
  const server = await serve(database)
  const exit = new Promise((resolve) => server.child.once("exit", resolve))
  const organization = (await call<Listed>(server, "/v1/orgs")).items[0]!.id
  const acknowledged: Array<string> = []
  let left = 100
  const client = async (number: number) => {
    for (let i = 0; ; i++) {
      const title = `${number}-${i}`
      try {
        const response = await fetch(`${server.url}/v1/orgs/${organization}/spaces`, {
          method: "POST",
          headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
          body: JSON.stringify({ title })
        })
        await response.text()
        expect(response.status).toBe(201)
        acknowledged.push(title)
      } catch (cause) {
        // Only what fetch says of a connection that there is none of any more ends it.
        if (!(cause instanceof TypeError)) throw cause
        return
      }
      if (--left === 0) server.child.kill("SIGTERM")
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: clientsAtOnce }, (_, number) => client(number)))
  expect(await exit).toBe(0)
  expect(performance.now() - started).toBeLessThan(30_000)

  const titles = (await rowsAt(database, spaces)).map(({ title }) => title)
  expect(titles.sort()).toEqual(acknowledged.sort())
  expect(await examined(database)).toEqual([])
})
