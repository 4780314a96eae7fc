/**
 * Measures concurrent writers on one PostgreSQL database: several servers, spaces and clients. Rollbacks per stored write
 * are comparable between machines; writes per second are comparable only within one run. Run with `npm run bench:writers`,
 * or one case with `npm run bench:writers -- --processes 3 --spaces 1 --clients 24 --writes 300`.
 *
 * With `--locking off`, commands do not use their locks, and every one is a serializable transaction. With `--locking both`,
 * each case runs without and with locks, and writers of one space must store at least three times as many writes per
 * second with them.
 */
import { parseArgs } from "node:util"
import { Administration, ApiTokens, CurrentUser, Spaces, UserId, Workspace } from "@lectern/core"
import { createTestDatabase, startPostgres } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import pg from "pg"
import { lectern, node, stop, stopAll, until } from "./processes.ts"

const { values: options } = parseArgs({
  options: {
    processes: { type: "string" },
    spaces: { type: "string" },
    clients: { type: "string" },
    writes: { type: "string" },
    locking: { type: "string", default: "on" }
  }
})

if (!["on", "off", "both"].includes(options.locking)) {
  throw new TypeError(`--locking must be on, off or both; it is ${options.locking}.`)
}

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

/** The minimum writes per second of one space with locks, as a multiple of those without. */
const minimumSpeedup = 3

/** The number of clients from which on writers of one space contend. */
const contendingClients = 8

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

/** Starts a server in which commands do not use their locks. */
const unlockedServer = (database: string, port: number) =>
  node(["--conditions=@lectern/source", "benchmarks/unlockedServer.ts", database, String(port)])

/** Measures a case. Returns the stored writes per second. */
const measure = async (
  server: string,
  { kind, processes, spaces: spaceCount, clients, ...rest }: Case,
  isLocked: boolean
): Promise<number> => {
  const database = await createTestDatabase(server)
  const { secret, spaces } = await setUp(database, spaceCount)
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" }
  const ports = Array.from({ length: processes }, (_, index) => firstPort + index)
  const children = ports.map((port) => (isLocked ? lectern : unlockedServer)(database, port))
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
  const limit = isLocked ? rest.bar : undefined
  const bar = limit === undefined ? "" : ` (at most ${limit})`
  console.log(
    `${isLocked ? "" : "Without locks: "}${clients} clients, ${spaceCount} spaces, ${processes} processes, ${kind}: ${perWrite.toFixed(2)} rollbacks per write${bar}, ` +
      `${(stored / seconds).toFixed(1)} writes/s, p50 ${quantile(durations, 0.5).toFixed(0)} ms, p99 ${quantile(durations, 0.99).toFixed(0)} ms, ${counts}`
  )
  if (limit !== undefined && (perWrite > limit || stored < rest.writes)) process.exitCode = 1
  return stored / seconds
}

/** Measures a case without and with locks, and compares them. */
const compare = async (server: string, one: Case) => {
  const without = await measure(server, one, false)
  const speedup = (await measure(server, one, true)) / without
  const isContended = one.spaces === 1 && one.clients >= contendingClients
  console.log(
    `  ${speedup.toFixed(1)} times as many writes per second${isContended ? ` (at least ${minimumSpeedup})` : ""}`
  )
  if (isContended && speedup < minimumSpeedup) process.exitCode = 1
}

const postgres = await startPostgres([])
try {
  for (const one of cases) {
    if (options.locking === "both") await compare(postgres.url, one)
    else await measure(postgres.url, one, options.locking === "on")
  }
} finally {
  stopAll()
  await postgres.stop()
}
