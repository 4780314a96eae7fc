/** Metrics of the store: its pool, its files, and the work that waits in it. */
import {
  type Backlog,
  Records,
  readBacklog,
  registerTransactionMetrics,
  type StoreStatistics
} from "@lectern/core"
import { Effect, Metric, Semaphore } from "effect"
import { registerCacheMetrics, registerProcessMetrics } from "./processMetrics.ts"

/** How long the counts of waiting work are valid, in milliseconds. */
const backlogValidityMs = 5_000

/** How long the store has to respond, in milliseconds. Metrics are also collected when it does not. */
const storeTimeoutMs = 2_000

const gauge = (name: string, description: string, attributes?: Record<string, string>) =>
  Metric.gauge(name, { description, ...(attributes === undefined ? {} : { attributes }) })

const poolConnections = (state: string) =>
  gauge("lectern_pool_connections", "Connections to the database of this process", { state })
const poolLimits = { maximum: poolConnections("maximum"), inUse: poolConnections("in_use") }
const poolWaiting = gauge("lectern_pool_waiting", "Callers that wait for a connection to the database")
const databaseBytes = gauge("lectern_database_bytes", "Size of the SQLite file without its write-ahead log")
const walBytes = gauge("lectern_wal_bytes", "Size of the write-ahead log of the SQLite file")
const storeUp = gauge(
  "lectern_store_up",
  "1 if the database has responded to the last collection, otherwise 0"
)
const jobAge = gauge("lectern_job_age_ms", "How long the oldest due job has been due, in milliseconds")
const outboxCount = gauge("lectern_outbox_events", "Committed events that readers do not see yet")
const outboxAge = gauge("lectern_outbox_age_ms", "Age of the oldest event in the outbox, in milliseconds")
const pendingDeliveries = gauge("lectern_webhook_deliveries_pending", "Deliveries to webhooks that wait")
const deliveryAge = gauge(
  "lectern_webhook_delivery_age_ms",
  "How long the oldest due delivery has been due, in milliseconds"
)

const recordStatistics = ({ pool, files }: StoreStatistics): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (pool !== undefined) {
      yield* Metric.update(poolLimits.maximum, pool.maximum)
      yield* Metric.update(poolLimits.inUse, pool.inUse)
      yield* Metric.update(poolWaiting, pool.waiting)
    }
    if (files !== undefined) {
      yield* Metric.update(databaseBytes, files.databaseBytes)
      yield* Metric.update(walBytes, files.walBytes)
    }
  })

/** Creates the effect that records the counts of jobs. A kind without jobs is 0. */
const makeJobCounts = () => {
  const known = new Map<string, Metric.Gauge<number>>()
  return Effect.fnUntraced(function* (state: "waiting" | "dead", counts: ReadonlyMap<string, number>) {
    for (const kind of counts.keys()) {
      const key = `${state} ${kind}`
      if (!known.has(key)) {
        known.set(key, gauge("lectern_jobs", "Background jobs, by kind and state", { kind, state }))
      }
    }
    for (const [key, metric] of known) {
      if (key.startsWith(`${state} `)) {
        yield* Metric.update(metric, counts.get(key.slice(state.length + 1)) ?? 0)
      }
    }
  })
}

const recordBacklog = Effect.fnUntraced(function* (
  backlog: Backlog,
  recordJobs: ReturnType<typeof makeJobCounts>
) {
  yield* recordJobs("waiting", backlog.waitingJobs)
  yield* recordJobs("dead", backlog.deadJobs)
  yield* Metric.update(jobAge, backlog.jobAgeMs)
  yield* Metric.update(outboxCount, backlog.outboxEvents)
  yield* Metric.update(outboxAge, backlog.outboxAgeMs)
  yield* Metric.update(pendingDeliveries, backlog.pendingDeliveries)
  yield* Metric.update(deliveryAge, backlog.deliveryAgeMs)
})

/**
 * Registers the metrics of the process, and returns the effect that updates the metrics of the store. Run it before metrics are
 * read. It queries the store at most every 5 s, and never fails.
 */
export const makeMetricsCollector: Effect.Effect<Effect.Effect<void>, never, Records> = Effect.gen(
  function* () {
    const records = yield* Records
    const context = yield* Effect.context<never>()
    const caches = new Set<string>()
    registerProcessMetrics(context)
    yield* registerTransactionMetrics
    const recordJobs = makeJobCounts()
    const collecting = yield* Semaphore.make(1)
    let readAt = Number.NEGATIVE_INFINITY
    return collecting.withPermit(
      Effect.gen(function* () {
        registerCacheMetrics(context, caches)
        if (records.statistics !== undefined) yield* recordStatistics(records.statistics())
        const now = performance.now()
        if (now - readAt < backlogValidityMs) return
        const backlog = yield* readBacklog.pipe(
          Effect.provideService(Records, records),
          Effect.timeout(storeTimeoutMs),
          Effect.catchCause(() => Effect.succeed(undefined))
        )
        yield* Metric.update(storeUp, backlog === undefined ? 0 : 1)
        if (backlog === undefined) return
        readAt = now
        yield* recordBacklog(backlog, recordJobs)
      })
    )
  }
)
