/** A server that is killed while clients write: acknowledged writes are durable. */
import { join } from "node:path"
import { runs } from "@lectern/harness"
import { createTestDatabase } from "@lectern/harness/postgres"
import * as fc from "fast-check"
import { describe, expect, inject, it } from "vitest"
import { call, type ServerProcess, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import {
  type Client,
  createWriterOptions,
  expectAcknowledged,
  makeClient,
  responseTimeoutMillis
} from "./support/acknowledged.ts"
import { examineDatabase, storageAt } from "./support/doctorFindings.ts"
import { allowImportSource, startImportSource } from "./support/source.ts"
import { makeDraw } from "./support/writes/writes.ts"
import { startServer } from "./support.ts"

const databases = [
  { name: "SQLite", make: async () => `sqlite:${join(temporaryFolder(), "lectern.db")}` },
  { name: "PostgreSQL", make: () => createTestDatabase(inject("postgres")) }
]

/** The number of concurrent clients. */
const clientCount = 6

/** Writes until the server has exited. Throws on a 5xx response. */
const writeUntilItDies = async (client: Client, server: ServerProcess, acknowledged: () => void) => {
  for (;;) {
    const { write, status, text } = await client.write(server.url, responseTimeoutMillis)
    if (status === undefined) return
    if (status >= 500) throw new Error(`${write.method} ${write.path}: ${status} ${text}`)
    acknowledged()
  }
}

describe("a server that is killed during writes retains acknowledged writes, and violates no invariants", () => {
  for (const { name, make } of databases) {
    const kills = runs(2).numRuns
    const { seed = 0 } = fc.readConfigureGlobal()
    it(`on ${name}, ${kills} times`, { timeout: 120_000 * kills }, async () => {
      const database = await make()
      const source = await startImportSource()
      const all: Array<Client> = []
      for (let round = 0; round < kills; round++) {
        const server = await serve(database, allowImportSource)
        const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
        const administrator = await call<{ id: string }>(server, "/v1/user")
        const clients: Array<Client> = []
        const workspace = await startServer(storageAt(database))
        // The server removes events of the past, whose retention has expired.
        workspace.core.advance(Date.now() - workspace.core.now())
        for (let number = 0; number < clientCount; number++) {
          const client = `${round}-${number}`
          const options = await createWriterOptions(workspace, administrator.id, client, items[0]!.id)
          const draw = makeDraw(seed + round * 100 + number)
          clients.push(makeClient(items[0]!.id, client, draw, { source, ...options }))
        }
        await workspace.close()
        all.push(...clients)
        // The server is killed while the requests of other clients are pending, at a different time each round.
        let left = 100 + ((round * 37) % 100)
        const acknowledged = () => {
          if (--left === 0) setTimeout(() => server.end("SIGKILL"), round % 9)
        }
        await Promise.all(clients.map((client) => writeUntilItDies(client, server, acknowledged)))
        expect(left).toBeLessThanOrEqual(0)
        expect(await examineDatabase(database)).toEqual([])
        const restarted = await startServer(storageAt(database))
        try {
          await expectAcknowledged(round + 1 < kills ? clients : all, restarted.url)
          // The killed process left no locks.
          const next = makeClient(items[0]!.id, `${round}-next`, makeDraw(seed + round), { source })
          for (let i = 0; i < 5; i++) {
            expect(await next.write(restarted.url, responseTimeoutMillis)).toMatchObject({
              status: expect.any(Number)
            })
          }
          await expectAcknowledged([next], restarted.url)
        } finally {
          await restarted.close()
        }
      }
    })
  }
})
