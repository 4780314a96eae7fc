/**
 * Measures concurrent writers on one PostgreSQL database: several servers, spaces and clients. Rollbacks per stored write
 * are comparable between machines; writes per second are comparable only within one run. Run with `npm run bench:writers`,
 * or one case with `npm run bench:writers -- --processes 3 --spaces 1 --clients 24 --writes 300`.
 */
import { parseArgs } from "node:util"
import { Administration, ApiTokens, CurrentUser, Spaces, UserId, Workspace } from "@lectern/core"
import { createTestDatabase, startPostgres } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import pg from "pg"
import { lectern, stop, stopAll, until } from "./processes.ts"

const { values: options } = parseArgs({
  options: {
    processes: { type: "string" },
    spaces: { type: "string" },
    clients: { type: "string" },
    writes: { type: "string" }
  }
})

/** The port of the first server. */
const firstPort = 46_100

/** The kinds of writes, with the request of each. */
const writes = {
  edits: {
    path: "content",
    body: (number: number) => ({
      changes: [
        { operation: "insert_page", title: `Page ${number}`, document: { markdown: `# Page ${number}` } }
      ]
    })
  },
  comments: { path: "comments", body: (number: number) => ({ body: { markdown: `Comment ${number}` } }) },
  "change requests": { path: "change-requests", body: (number: number) => ({ subject: `Change ${number}` }) }
} as const

interface Case {
  readonly kind: keyof typeof writes
  readonly processes: number
  readonly spaces: number
  readonly clients: number
  readonly writes: number
  /** The maximum number of rollbacks per stored write. */
  readonly bar?: number
}

const custom: ReadonlyArray<Case> =
  options.clients === undefined
    ? []
    : (Object.keys(writes) as ReadonlyArray<keyof typeof writes>).map((kind) => ({
        kind,
        processes: Number(options.processes ?? 3),
        spaces: Number(options.spaces ?? 1),
        clients: Number(options.clients),
        writes: Number(options.writes ?? 300)
      }))

const cases: ReadonlyArray<Case> =
  custom.length > 0
    ? custom
    : [
        { kind: "edits", processes: 1, spaces: 1, clients: 1, writes: 60 },
        { kind: "edits", processes: 1, spaces: 8, clients: 8, writes: 240, bar: 0.05 },
        { kind: "edits", processes: 3, spaces: 8, clients: 8, writes: 240, bar: 0.05 },
        { kind: "edits", processes: 3, spaces: 1, clients: 24, writes: 300, bar: 0.2 },
        { kind: "comments", processes: 3, spaces: 1, clients: 24, writes: 300, bar: 0.2 },
        { kind: "change requests", processes: 3, spaces: 1, clients: 24, writes: 200, bar: 0.2 }
      ]

/** Creates an organization with an administrator. */
const setUp = (database: string, spaceCount: number) => {
  const layer = Workspace.layer.pipe(Layer.provide(PgStorage.layer({ url: Redacted.make(database) })))
  const runtime = ManagedRuntime.make(layer)
  const program = Effect.gen(function* () {
    const administration = yield* Administration
    const user = UserId.make(yield* administration.createUser({ input: { email: "bench@example.com" } }))
    const organization = yield* administration.createOrganization({
      administrator: user,
      input: { title: "Measured" }
    })
    const { secret } = yield* (yield* ApiTokens).create({ input: { user, label: "bench" } })
    const spaces = yield* Effect.forEach(Array.from({ length: spaceCount }), () =>
      Effect.provideService(
        Effect.flatMap(Spaces, (service) => service.create({ organization, input: {} })),
        CurrentUser,
        { id: user }
      )
    )
    return { secret: Redacted.value(secret), spaces: spaces.map(({ id }) => id) }
  })
  return runtime.runPromise(program).finally(() => runtime.dispose())
}

const quantile = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

/** Reads the number of rollbacks in a database. Connections report theirs within a second. */
const rollbacksIn = async (database: string): Promise<number> => {
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const client = new pg.Client(database)
  await client.connect()
  const { rows } = await client.query<{ rollbacks: string }>(
    "SELECT xact_rollback AS rollbacks FROM pg_stat_database WHERE datname = current_database()"
  )
  await client.end()
  return Number(rows[0]!.rollbacks)
}

const measure = async (server: string, { kind, processes, spaces: spaceCount, clients, ...rest }: Case) => {
  const database = await createTestDatabase(server)
  const { secret, spaces } = await setUp(database, spaceCount)
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" }
  const ports = Array.from({ length: processes }, (_, index) => firstPort + index)
  const children = ports.map((port) => lectern(database, port))
  await Promise.all(ports.map((port) => until(`http://127.0.0.1:${port}/v1/user`, headers)))
  const before = await rollbacksIn(database)

  const { path, body } = writes[kind]
  const statuses = new Map<number, number>()
  const durations: Array<number> = []
  let next = 0
  const write = async (client: number): Promise<void> => {
    while (next < rest.writes) {
      const number = next++
      const started = performance.now()
      const url = `http://127.0.0.1:${ports[client % processes]}/v1/spaces/${spaces[client % spaceCount]}/${path}`
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body(number)) })
      await response.arrayBuffer()
      durations.push(performance.now() - started)
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: clients }, (_, client) => write(client)))
  const seconds = (performance.now() - started) / 1000
  const rollbacks = (await rollbacksIn(database)) - before
  await Promise.all(children.map(stop))

  const stored = (statuses.get(200) ?? 0) + (statuses.get(201) ?? 0)
  const perWrite = rollbacks / stored
  durations.sort((one, other) => one - other)
  const counts = [...statuses].map(([status, count]) => `${status} x${count}`).join(", ")
  const bar = rest.bar === undefined ? "" : ` (at most ${rest.bar})`
  console.log(
    `${clients} clients, ${spaceCount} spaces, ${processes} processes, ${kind}: ${perWrite.toFixed(2)} rollbacks per write${bar}, ` +
      `${(stored / seconds).toFixed(1)} writes/s, p50 ${quantile(durations, 0.5).toFixed(0)} ms, p99 ${quantile(durations, 0.99).toFixed(0)} ms, ${counts}`
  )
  if (rest.bar !== undefined && (perWrite > rest.bar || stored < rest.writes)) process.exitCode = 1
}

const postgres = await startPostgres([])
try {
  for (const one of cases) await measure(postgres.url, one)
} finally {
  stopAll()
  await postgres.stop()
}
