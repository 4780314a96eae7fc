import { join } from "node:path"
import { runs } from "@lectern/harness"
import { createTestDatabase } from "@lectern/harness/postgres"
import * as fc from "fast-check"
import { describe, expect, inject, it } from "vitest"
import { call, type ServerProcess, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import {
  type Client,
  expectKept,
  makeClient,
  makeWriterOptions,
  responseTimeoutMillis
} from "./support/acknowledged.ts"
import { examineDatabase, storageAt } from "./support/doctorFindings.ts"
import { fromSource, startSource } from "./support/source.ts"
import { makeDraw } from "./support/writes/writes.ts"
import { startServer } from "./support.ts"

const databases = [
  { name: "SQLite", make: async () => `sqlite:${join(temporaryFolder(), "lectern.db")}` },
  { name: "PostgreSQL", make: () => createTestDatabase(inject("postgres")) }
]

/** How many clients write at once. */
const clientsAtOnce = 6

/** Writes without pause until the server is gone. An answer that a server must never give is thrown. */
const writeUntilItDies = async (client: Client, server: ServerProcess, acknowledged: () => void) => {
  for (;;) {
    const { write, status, text } = await client.write(server.url, responseTimeoutMillis)
    if (status === undefined) return
    if (status >= 500) throw new Error(`${write.method} ${write.path}: ${status} ${text}`)
    acknowledged()
  }
}

describe("a process that is killed while everything is written loses nothing that it acknowledged, and breaks nothing", () => {
  for (const { name, make } of databases) {
    const kills = runs(2).numRuns
    const { seed = 0 } = fc.readConfigureGlobal()
    it(`on ${name}, ${kills} times`, { timeout: 120_000 * kills }, async () => {
      const database = await make()
      const source = await startSource()
      const all: Array<Client> = []
      for (let round = 0; round < kills; round++) {
        const server = await serve(database, fromSource)
        const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
        const administrator = await call<{ id: string }>(server, "/v1/user")
        const clients: Array<Client> = []
        const preparing = await startServer(storageAt(database))
        for (let number = 0; number < clientsAtOnce; number++) {
          const client = `${round}-${number}`
          const options = await makeWriterOptions(preparing, administrator.id, client)
          const draw = makeDraw(seed + round * 100 + number)
          clients.push(makeClient(items[0]!.id, client, draw, { source, ...options }))
        }
        await preparing.close()
        all.push(...clients)
        // In the middle of what the others have asked for, and in another middle each time.
        let left = 100 + ((round * 37) % 100)
        const acknowledged = () => {
          if (--left === 0) setTimeout(() => server.end("SIGKILL"), round % 9)
        }
        await Promise.all(clients.map((client) => writeUntilItDies(client, server, acknowledged)))
        expect(left).toBeLessThanOrEqual(0)
        expect(await examineDatabase(database)).toEqual([])
        const again = await startServer(storageAt(database))
        try {
          await expectKept(round + 1 < kills ? clients : all, again.url)
          // Nothing waits for what the killed one left.
          const next = makeClient(items[0]!.id, `${round}-next`, makeDraw(seed + round), { source })
          for (let i = 0; i < 5; i++) {
            expect(await next.write(again.url, responseTimeoutMillis)).toMatchObject({
              status: expect.any(Number)
            })
          }
          await expectKept([next], again.url)
        } finally {
          await again.close()
        }
      }
    })
  }
})
