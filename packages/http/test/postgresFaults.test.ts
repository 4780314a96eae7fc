/** A server whose PostgreSQL goes down and comes up again under it, while clients write. */
import { runs } from "@lectern/harness"
import { createTestDatabase, startPostgres, type TestPostgres } from "@lectern/harness/postgres"
import pg from "pg"
import { afterAll, beforeAll, expect, it } from "vitest"
import { call, serve } from "./processes.ts"
import { type Client, expectKept, makeClient, responseTimeoutMillis } from "./support/acknowledged.ts"
import { examineDatabase } from "./support/doctorFindings.ts"
import { fromSource, startSource } from "./support/source.ts"
import { until } from "./support/until.ts"
import { makeDraw } from "./support/writes/writes.ts"

/** How long a client waits before it goes on after a 503, in milliseconds. It is told to wait longer. */
const pauseMillis = 20

const clientsAtOnce = 4

let server: TestPostgres
beforeAll(async () => {
  // It is to be brought down, so nobody else uses it.
  server = await startPostgres()
})
afterAll(() => server.stop())

/** The body of a response when the database is unreachable. */
const unreachableBody =
  '{"error":{"code":503,"reason":"Unreachable","message":"The database does not respond. Try again later."}}'

/** Clients that write until they are told to stop. */
const load = (url: string, clients: ReadonlyArray<Client>) => {
  let isOver = false
  let unavailable = 0
  const wrong: Array<string> = []
  const writing = clients.map(async (client) => {
    while (!isOver) {
      const { write, status, text, retryAfter } = await client.write(url, responseTimeoutMillis)
      if (status === 503) {
        unavailable++
        if (retryAfter !== "1" || text !== unreachableBody) {
          wrong.push(`503 ${retryAfter} ${text}`)
        }
        await new Promise((resolve) => setTimeout(resolve, pauseMillis))
      } else if (status === undefined || status >= 500) {
        wrong.push(`${write.method} ${write.path}: ${status} ${text}`)
      }
    }
  })
  return {
    /** How many answers were that the database is away. */
    unavailable: () => unavailable,
    end: async () => {
      isOver = true
      await Promise.all(writing)
      expect(wrong).toEqual([])
    }
  }
}

/** How many writes each client had acknowledged, and whether each has had so many more since. */
const progress = (clients: ReadonlyArray<Client>) => {
  const before = clients.map((client) => client.acknowledged())
  return (more: number) => () => clients.every((client, at) => client.acknowledged() >= before[at]! + more)
}

it("goes on by itself, has lost nothing that it acknowledged, and has broken nothing", async () => {
  const database = await createTestDatabase(server.url)
  const source = await startSource()
  const lectern = await serve(database, fromSource)
  const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(lectern, "/v1/orgs")
  const clients = Array.from({ length: clientsAtOnce }, (_, number) =>
    makeClient(items[0]!.id, `client-${number}`, makeDraw(number + 1), { source })
  )
  const running = load(lectern.url, clients)
  await until("each client writes 3 times", progress(clients)(3))

  // PostgreSQL goes down at once, is away for a while, and is there again.
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

  // It ends all connections to the database, whatever they are in, again and again.
  let ended = 0
  for (let round = 0; round < runs(4).numRuns; round++) {
    const since = progress(clients)
    const operator = new pg.Client({ connectionString: database })
    await operator.connect()
    const { rowCount } = await operator.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    await operator.end()
    ended += rowCount ?? 0
    await until("each client writes again", since(1))
  }

  await running.end()
  expect(ended).toBeGreaterThan(0)
  await until("the server is ready", async () => (await fetch(`${lectern.url}/readyz`)).status === 200)
  await expectKept(clients, lectern.url)
  expect(await lectern.end("SIGTERM")).toBe(0)
  expect(await examineDatabase(database)).toEqual([])
})
