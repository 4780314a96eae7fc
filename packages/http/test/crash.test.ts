import { join } from "node:path"
import { runs } from "@lectern/testkit"
import { freshDatabase } from "@lectern/testkit/postgres"
import { describe, expect, inject, it } from "vitest"
import { adminToken, call, finish, type ServerProcess, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import { type Client, expectKept, makeClient } from "./support/acknowledged.ts"
import { examined } from "./support/examined.ts"
import { drawing } from "./support/load.ts"
import { fromSource, startSource } from "./support/source.ts"

const databases = [
  { name: "SQLite", make: async () => `sqlite:${join(temporaryFolder(), "lectern.db")}` },
  { name: "PostgreSQL", make: () => freshDatabase(inject("postgres")) }
]

/** How many clients write at once. */
const clientsAtOnce = 6

/** No answer takes so long, in milliseconds, however busy the machine is. */
const patienceMillis = 20_000

/** Writes without pause until the server is gone. An answer that a server must never give is thrown. */
const writeUntilItDies = async (client: Client, server: ServerProcess, acknowledged: () => void) => {
  for (;;) {
    const { write, status, text } = await client.write(server.url, patienceMillis)
    if (status === undefined) return
    if (status >= 500) throw new Error(`${write.method} ${write.path}: ${status} ${text}`)
    acknowledged()
  }
}

describe("a process that is killed while everything is written loses nothing that it acknowledged, and breaks nothing", () => {
  for (const { name, make } of databases) {
    const kills = runs(2).numRuns
    it(`on ${name}, ${kills} times`, { timeout: 60_000 + 30_000 * kills }, async () => {
      const database = await make()
      const source = await startSource()
      let server = await serve(database, fromSource)
      const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
      const organization = items[0]!.id
      const all: Array<Client> = []
      for (let round = 0; round < kills; round++) {
        const clients = Array.from({ length: clientsAtOnce }, (_, number) =>
          makeClient(organization, `${round}-${number}`, drawing(round * 100 + number), source)
        )
        all.push(...clients)
        // In the middle of what the others have asked for, and in another middle each time.
        let left = 20 + ((round * 37) % 50)
        const acknowledged = () => {
          if (--left === 0) setTimeout(() => server.end("SIGKILL"), round % 9)
        }
        await Promise.all(clients.map((client) => writeUntilItDies(client, server, acknowledged)))
        expect(left).toBeLessThanOrEqual(0)
        expect(await examined(database)).toEqual([])
        server = await serve(database, fromSource)
        await expectKept(clients, server.url)
      }
      await expectKept(all, server.url)
      // Nothing waits for what the killed ones left: all is still writable.
      const last = makeClient(organization, "last", drawing(7), source)
      for (let i = 0; i < 10; i++) {
        const { status, text } = await last.write(server.url, patienceMillis)
        expect([status, text]).toEqual([expect.toSatisfy((status: number) => status < 500), text])
      }
      expect(await server.end("SIGTERM")).toBe(0)
      const { code, output } = await finish(["doctor"], {
        LECTERN_DATABASE_URL: database,
        LECTERN_ADMIN_TOKEN: adminToken
      })
      expect([code, output]).toEqual([0, expect.stringContaining("Nothing is wrong.")])
    })
  }
})
