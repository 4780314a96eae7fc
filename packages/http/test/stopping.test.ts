/** A server that is told to stop while clients write. */
import { join } from "node:path"
import { freshDatabase } from "@lectern/testkit/postgres"
import { expect, inject, it } from "vitest"
import { adminToken, call, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"

const databases = [
  { name: "SQLite", make: async () => `sqlite:${join(temporaryFolder(), "lectern.db")}` },
  { name: "PostgreSQL", make: () => freshDatabase(inject("postgres")) }
]

const clientsAtOnce = 12

interface Listed {
  readonly items: ReadonlyArray<{ readonly id: string; readonly title: string }>
}

for (const { name, make } of databases) {
  it(`what it has taken in is answered, and what is not answered was not taken in, on ${name}`, async () => {
    const database = await make()
    const server = await serve(database)
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
    expect(await server.end("SIGTERM")).toBe(0)
    expect(performance.now() - started).toBeLessThan(30_000)

    const again = await serve(database)
    const { items } = await call<Listed>(again, `/v1/orgs/${organization}/spaces?limit=1000`)
    expect(items.map(({ title }) => title).sort()).toEqual(acknowledged.sort())
    expect(await again.end("SIGTERM")).toBe(0)
  })
}
