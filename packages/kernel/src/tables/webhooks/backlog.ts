/** Reads how much background work waits, and since when. */

import { Clock, Effect } from "effect"
import { type JobRow, jobs } from "../../jobs/Job.ts"
import { type OutboxRow, outboxEvents } from "../../storage/eventTables.ts"
import { Records, type StorageUnavailable, Where } from "../../storage/index.ts"
import { toTimestamp } from "../../time.ts"
import { type DeliveryRow, webhookDeliveries } from "./webhookTables.ts"

/** The work that waits. Ages are in milliseconds, and 0 if nothing waits. */
export interface Backlog {
  /** The number of jobs that wait or run, by kind. */
  readonly waitingJobs: ReadonlyMap<string, number>
  /** The number of jobs that failed too often, by kind. */
  readonly deadJobs: ReadonlyMap<string, number>
  /** How long the oldest job that is due has been due. */
  readonly jobAgeMs: number
  /** The number of committed events without a number. */
  readonly outboxEvents: number
  /** How long ago the oldest of these events was committed. */
  readonly outboxAgeMs: number
  /** The number of deliveries to webhooks that are not complete. */
  readonly pendingDeliveries: number
  /** How long the oldest delivery that is due has been due. */
  readonly deliveryAgeMs: number
}

/** Reads the work that waits, with seven queries. */
export const readBacklog: Effect.Effect<Backlog, StorageUnavailable, Records> = Effect.gen(function* () {
  const store = yield* Records
  const time = yield* Clock.currentTimeMillis
  const now = toTimestamp(time)
  const ageOf = (since: string | undefined): number =>
    since === undefined ? 0 : Math.max(0, time - Date.parse(since))
  const inState = (state: JobRow["state"]) => Where.eq<JobRow, "state">("state", state)
  const countByKind = (state: JobRow["state"]) =>
    Effect.map(
      store.countBy(jobs, "kind", inState(state)),
      (counts) => new Map([...counts].map(([kind, count]) => [String(kind), count]))
    )
  const dueJob = yield* store.first(jobs, {
    where: Where.and<JobRow>(inState("waiting"), Where.lte("runAt", now)),
    orderBy: ["runAt"],
    select: ["runAt"]
  })
  const oldestEvent = yield* store.first(outboxEvents, { select: ["createdAt"] })
  const pending = Where.eq<DeliveryRow, "state">("state", "pending")
  const dueDelivery = yield* store.first(webhookDeliveries, {
    where: Where.and<DeliveryRow>(pending, Where.lte("nextAttemptAt", now)),
    orderBy: ["nextAttemptAt"],
    select: ["nextAttemptAt"]
  })
  return {
    waitingJobs: yield* countByKind("waiting"),
    deadJobs: yield* countByKind("dead"),
    jobAgeMs: ageOf(dueJob?.runAt),
    outboxEvents: yield* store.count(outboxEvents, Where.all as Where.Where<OutboxRow>),
    outboxAgeMs: ageOf(oldestEvent?.createdAt),
    pendingDeliveries: yield* store.count(webhookDeliveries, pending),
    deliveryAgeMs: ageOf(dueDelivery?.nextAttemptAt)
  }
})
