/** A server whose PostgreSQL stops and restarts while clients write. */
import { runs } from "@lectern/harness"
import { createTestDatabase, startPostgres, type TestPostgres } from "@lectern/harness/postgres"
import pg from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { call, serve } from "./processes.ts"
import { type Client, expectAcknowledged, makeClient, responseTimeoutMillis } from "./support/acknowledged.ts"
import { examineDatabase } from "./support/doctorFindings.ts"
import { allowImportSource, startImportSource } from "./support/source.ts"
import { until } from "./support/until.ts"
import { makeDraw } from "./support/writes/writes.ts"

/** The delay of a client after a 503, in milliseconds: shorter than `Retry-After`. */
const pauseMillis = 20

const clientCount = 4

let server: TestPostgres
beforeAll(async () => {
  // Not the shared PostgreSQL of the tests, as this test stops it.
  server = await startPostgres()
})
afterAll(() => server.stop())

/** The body of a response when the database is unreachable. */
const unreachableBody =
  '{"error":{"code":503,"reason":"Unreachable","message":"The database does not respond. Try again later."}}'

/** Starts clients that write until `end` is called. */
const load = (url: string, clients: ReadonlyArray<Client>) => {
  let isOver = false
  let unavailable = 0
  const invalid: Array<string> = []
  const writing = clients.map(async (client) => {
    while (!isOver) {
      const { write, status, text, retryAfter } = await client.write(url, responseTimeoutMillis)
      if (status === 503) {
        unavailable++
        if (retryAfter !== "1" || text !== unreachableBody) {
          invalid.push(`503 ${retryAfter} ${text}`)
        }
        await new Promise((resolve) => setTimeout(resolve, pauseMillis))
      } else if (status === undefined || status >= 500) {
        invalid.push(`${write.method} ${write.path}: ${status} ${text}`)
      }
    }
  })
  return {
    /** Returns the number of 503 responses so far. */
    unavailable: () => unavailable,
    end: async () => {
      isOver = true
      await Promise.all(writing)
      expect(invalid).toEqual([])
    }
  }
}

/** Records the acknowledged writes of each client; returns a condition that each has at least `more` since then. */
const progress = (clients: ReadonlyArray<Client>) => {
  const before = clients.map((client) => client.acknowledged())
  return (more: number) => () => clients.every((client, at) => client.acknowledged() >= before[at]! + more)
}

it("recovers without a restart, retains acknowledged writes, and violates no invariants", async () => {
  const database = await createTestDatabase(server.url)
  const source = await startImportSource()
  const lectern = await serve(database, allowImportSource)
  const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(lectern, "/v1/orgs")
  const clients = Array.from({ length: clientCount }, (_, number) =>
    makeClient(items[0]!.id, `client-${number}`, makeDraw(number + 1), { source })
  )
  const running = load(lectern.url, clients)
  await until("each client writes 3 times", progress(clients)(3))

  // PostgreSQL crashes, and restarts once 12 responses have reported it.
  for (let round = 0; round < runs(1).numRuns; round++) {
    const before = running.unavailable()
    await server.crash()
    await until("12 responses report that the database is down", () => running.unavailable() > before + 12)
    expect((await fetch(`${lectern.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${lectern.url}/readyz`)).status).toBe(503)
    const since = progress(clients)
    await server.restart()
    await until("each client writes 3 times again", since(3))
  }

  // PostgreSQL terminates all connections repeatedly, regardless of their state.
  let terminated = 0
  for (let round = 0; round < runs(4).numRuns; round++) {
    const since = progress(clients)
    const operator = new pg.Client({ connectionString: database })
    await operator.connect()
    const { rowCount } = await operator.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await operator.end()
    terminated += rowCount ?? 0
    await until("each client writes again", since(1))
  }

  await running.end()
  expect(terminated).toBeGreaterThan(0)
  await until("the server is ready", async () => (await fetch(`${lectern.url}/readyz`)).status === 200)
  await expectAcknowledged(clients, lectern.url)
  expect(await lectern.end("SIGTERM")).toBe(0)
  expect(await examineDatabase(database)).toEqual([])
})
