/**
 * Histories of concurrent transactions of several processes on PostgreSQL, while its connections are terminated, are serializable:
 * transactions with declared locks, transactions without, and both together.
 */
import { type Lock, Records, StorageUnavailable, Table, Where } from "@lectern/core"
import { runs } from "@lectern/harness"
import {
  findAnomalies,
  formatHistory,
  type ListOperation,
  type RecordedTransaction
} from "@lectern/harness/histories"
import { PgStorage } from "@lectern/storage-pg"
import { createTables } from "@lectern/storage-sql"
import { Cause, Effect, Exit, Layer, ManagedRuntime, Redacted } from "effect"
import * as fc from "fast-check"
import pg from "pg"
import { expect, it } from "vitest"
import { createDatabase } from "./support.ts"

/** Lists that the lock of their name covers. */
const lists = Table.make("historyLists", {
  columns: { id: Table.text(), values: Table.json<ReadonlyArray<number>>() },
  key: ["id"],
  locking: { writes: ["list"], reads: "locked" }
})

/** Lists whose declaration is wrong: writes depend on reads, but no lock covers them. */
const unlockedLists = Table.make("historyUnlockedLists", {
  columns: { id: Table.text(), values: Table.json<ReadonlyArray<number>>() },
  key: ["id"],
  locking: Table.withoutLocks
})

const ids = ["x", "y", "z"] as const

/** A planned transaction: reads and appends of lists, with declared locks or serializable. */
const plan = fc.record({
  isDeclared: fc.boolean(),
  operations: fc.array(fc.record({ list: fc.constantFrom(...ids), reads: fc.boolean() }), {
    minLength: 1,
    maxLength: 4
  })
})
type Plan = typeof plan extends fc.Arbitrary<infer A> ? A : never

/** The number of concurrent writers, which share two stores, as two processes do. */
const writerCount = 6

const openStores = async () => {
  const url = await createDatabase()
  const stores = [0, 1].map(() =>
    ManagedRuntime.make(
      Layer.provide(Records.layer, PgStorage.layer({ url, migrations: createTables([lists, unlockedLists]) }))
    )
  )
  // The first one creates the tables. Both open before connections are terminated: a store that loses its connection while it opens
  // fails for all of its transactions.
  for (const store of stores) await store.runPromise(Records)
  return { url: Redacted.value(url), stores }
}

/** One of this many transactions starts after a connection was terminated. */
const terminateEvery = 8

/** Terminates one of the other connections to a database, at random. */
const terminateConnection = (client: pg.Client) =>
  client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1`
  )

type Lists = typeof lists | typeof unlockedLists

/** Runs a planned transaction, and records the results of its last attempt. */
const runPlan = Effect.fnUntraced(function* (
  table: Lists,
  { isDeclared, operations }: Plan,
  name: string,
  first: number
) {
  const records = yield* Records
  let done: Array<ListOperation> = []
  const body = Effect.gen(function* () {
    // An attempt that is retried has no results.
    done = []
    for (const [index, { list, reads }] of operations.entries()) {
      const values = (yield* records.get(table, { id: list }))?.values ?? []
      yield* Effect.yieldNow
      if (reads) {
        done.push({ do: "read", list, values })
        continue
      }
      const value = first + index
      yield* records.update(table, Where.eq<Table.Row<Lists>, "id">("id", list), {
        values: [...values, value]
      })
      done.push({ do: "append", list, value })
    }
  })
  const locks = operations.map(({ list }): Lock => ({ mode: "exclusive", kind: "list", id: list }))
  const exit = yield* Effect.exit(
    isDeclared ? records.lockedTransaction(table === lists ? locks : [], body) : records.transaction(body)
  )
  if (Exit.isSuccess(exit))
    return { name, operations: done, outcome: "committed" } satisfies RecordedTransaction
  const error = exit.cause.reasons.find(Cause.isFailReason)?.error
  if (!(error instanceof StorageUnavailable)) throw new Error(`${name}: ${Cause.pretty(exit.cause)}`)
  return { name, operations: done, outcome: "unknown" } satisfies RecordedTransaction
})

/** Runs plans concurrently on new lists, and returns their history with the final values. */
const record = async (
  stores: Awaited<ReturnType<typeof openStores>>["stores"],
  table: Lists,
  plans: ReadonlyArray<Plan>,
  terminator?: pg.Client
) => {
  const [store] = stores
  const prepare = Effect.gen(function* () {
    const records = yield* Records
    yield* records.remove(table, Where.all)
    yield* records.insertMany(
      table,
      ids.map((id) => ({ id, values: [] }))
    )
  })
  const untilAvailable = <A>(effect: Effect.Effect<A, StorageUnavailable, Records>) =>
    store!.runPromise(Effect.retry(effect, { times: 100 }))
  await untilAvailable(Effect.flatMap(Records, (records) => records.transaction(prepare)))
  const history: Array<RecordedTransaction> = []
  let next = 0
  const write = async (writer: number) => {
    for (let index = next++; index < plans.length; index = next++) {
      if (terminator !== undefined && index % terminateEvery === 0) await terminateConnection(terminator)
      const recorded = runPlan(table, plans[index]!, `transaction ${index}`, index * 10 + 1)
      history.push(await stores[writer % stores.length]!.runPromise(recorded))
    }
  }
  await Promise.all(Array.from({ length: writerCount }, (_, writer) => write(writer)))
  const rows = await untilAvailable(Effect.flatMap(Records, (records) => records.find(table, {})))
  return { history, final: new Map(rows.map(({ id, values }) => [id, values])) }
}

it("transactions are serializable, while connections are terminated", async () => {
  const { url, stores } = await openStores()
  const terminator = new pg.Client(url)
  await terminator.connect()
  let committed = 0
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(plan, { minLength: 20, maxLength: 40 }), async (plans) => {
        const { history, final } = await record(stores, lists, plans, terminator)
        committed += history.filter(({ outcome }) => outcome === "committed").length
        const anomalies = findAnomalies(history, final)
        expect(anomalies.length === 0 ? "" : formatHistory(history, final, anomalies)).toBe("")
      }),
      runs(20)
    )
  } finally {
    await terminator.end()
    await Promise.all(stores.map((store) => store.dispose()))
  }
  expect(committed).toBeGreaterThan(20)
})

it("a table whose locks do not cover its writes loses updates, which the history shows", async () => {
  const { stores } = await openStores()
  const plans = Array.from(
    { length: 60 },
    (_, index): Plan => ({
      isDeclared: true,
      operations: [{ list: ids[index % 2]!, reads: false }]
    })
  )
  try {
    const { history, final } = await record(stores, unlockedLists, plans)
    expect(findAnomalies(history, final).map(({ kind }) => kind)).toContain("lost append")
  } finally {
    await Promise.all(stores.map((store) => store.dispose()))
  }
})
