import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { runs } from "@lectern/testkit"
import { freshDatabase } from "@lectern/testkit/postgres"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { adminToken, call, finish, type ServerProcess, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import { type Client, expectKept, makeClient } from "./support/acknowledged.ts"
import { examined } from "./support/examined.ts"
import { drawing } from "./support/load.ts"

const databases = [
  { name: "SQLite", make: async () => `sqlite:${join(temporaryFolder(), "lectern.db")}` },
  { name: "PostgreSQL", make: () => freshDatabase(inject("postgres")) }
]

/** How many clients write at once. */
const clientsAtOnce = 6

/** No answer takes so long, in milliseconds, however busy the machine is. */
const patienceMillis = 20_000

/** What is imported: a page of markdown at any path. */
let source: Server
const sourceUrl = () => `http://127.0.0.1:${(source.address() as AddressInfo).port}`
beforeAll(async () => {
  source = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/markdown" })
    response.end("# Imported\n\nText.\n")
  })
  await new Promise<void>((resolve) => source.listen(0, "127.0.0.1", resolve))
})
afterAll(() => {
  source.closeAllConnections()
  source.close()
})

const start = (database: string): Promise<ServerProcess> => serve(database, ["--fetch-allow", "127.0.0.1"])

/** Writes without pause until the server is gone. An answer that a server must never give is thrown. */
const writeUntilItDies = async (client: Client, server: ServerProcess) => {
  for (;;) {
    const { write, status, text } = await client.write(server.url, patienceMillis)
    if (status === undefined) return
    if (status >= 500) throw new Error(`${write.method} ${write.path}: ${status} ${text}`)
  }
}

describe("a process that is killed while everything is written loses nothing that it acknowledged, and breaks nothing", () => {
  for (const { name, make } of databases) {
    const kills = runs(2).numRuns
    it(`on ${name}, ${kills} times`, { timeout: 60_000 + 30_000 * kills }, async () => {
      const database = await make()
      let server = await start(database)
      const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
      const organization = items[0]!.id
      const all: Array<Client> = []
      for (let round = 0; round < kills; round++) {
        const clients = Array.from({ length: clientsAtOnce }, (_, number) =>
          makeClient(organization, `${round}-${number}`, drawing(round * 100 + number), sourceUrl())
        )
        all.push(...clients)
        const { end } = server
        const timer = setTimeout(() => end("SIGKILL"), 400 + ((round * 170) % 800))
        try {
          await Promise.all(clients.map((client) => writeUntilItDies(client, server)))
        } finally {
          clearTimeout(timer)
        }
        const acknowledged = clients.reduce((sum, client) => sum + client.acknowledged(), 0)
        expect(acknowledged).toBeGreaterThan(5)
        expect(await examined(database)).toEqual([])
        server = await start(database)
        await expectKept(clients, server.url)
      }
      await expectKept(all, server.url)
      // Nothing waits for what the killed ones left: all is still writable.
      const last = makeClient(organization, "last", drawing(7), sourceUrl())
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
