/** The rows of deliveries as a queue: workers claim the due ones, and record their results. */
import { type Records, type StorageUnavailable, toTimestamp, Where } from "@lectern/kernel"
import { type DeliveryRow, webhookDeliveries } from "@lectern/kernel/tables"
import type { WebhookId } from "@lectern/model/webhooks"
import { Clock, Effect } from "effect"
import type { DeliveryTimes } from "./webhookTimes.ts"

/** The longest delay of a task of an integration, in milliseconds: 1 day. */
const longestScheduleMs = 24 * 60 * 60 * 1_000

/** How far the clocks of processes may differ, in milliseconds. */
const clockSkewMs = 5 * 60 * 1_000

const due = (time: string): Where.Where<DeliveryRow> =>
  Where.and<DeliveryRow>(Where.eq("state", "pending"), Where.lte("nextAttemptAt", time))

/** Creates the queue. `retentionMs` is how long events are retained, in milliseconds. */
export const makeDeliveryQueue = (store: Records["Service"], times: DeliveryTimes, retentionMs: number) => {
  /** The longest that a delivery waits: for its next request, or as a task that is scheduled for a day later. */
  const longestWaitMs = Math.max(times.retryForMs, longestScheduleMs) + clockSkewMs

  /**
   * Makes the deliveries due whose time is further in the future than any delay: it was written while the clock was wrong. A
   * first request is delayed only if it is a scheduled task of an integration.
   */
  const rescheduleLate = Effect.flatMap(Clock.currentTimeMillis, (timeMs) =>
    store.lockedTransaction(
      [],
      store.update(
        webhookDeliveries,
        Where.and<DeliveryRow>(
          Where.eq("state", "pending"),
          Where.gt("nextAttemptAt", toTimestamp(timeMs + clockSkewMs)),
          Where.or<DeliveryRow>(
            Where.gt("nextAttemptAt", toTimestamp(timeMs + longestWaitMs)),
            Where.and<DeliveryRow>(Where.eq("attempts", 0), Where.isNull("integration"))
          )
        ),
        { nextAttemptAt: toTimestamp(timeMs), startedAt: toTimestamp(timeMs) }
      )
    )
  )

  /** Claims the delivery to a webhook that has been due longest. */
  const claim = Effect.fnUntraced(function* (
    webhook: WebhookId
  ): Effect.fn.Return<DeliveryRow | undefined, StorageUnavailable> {
    const time = yield* Clock.currentTimeMillis
    const [row] = yield* store.claim(
      webhookDeliveries,
      {
        where: Where.and<DeliveryRow>(Where.eq("webhook", webhook), due(toTimestamp(time))),
        orderBy: ["nextAttemptAt"],
        limit: 1
      },
      { nextAttemptAt: toTimestamp(time + times.leaseMs) },
      { attempts: 1 }
    )
    return row
  })

  /** Updates a claimed delivery, unless another worker has claimed it since. */
  const update = (row: DeliveryRow, set: Partial<Omit<DeliveryRow, "id">>, attempts = 0) =>
    store.lockedTransaction(
      [],
      store.update(
        webhookDeliveries,
        Where.and<DeliveryRow>(
          Where.eq("id", row.id),
          Where.eq("attempts", row.attempts),
          Where.eq("state", "pending")
        ),
        set,
        attempts === 0 ? {} : { attempts }
      )
    )

  /** Removes the deliveries of a webhook that no longer exists. */
  const removeOf = (webhook: WebhookId) =>
    store.lockedTransaction(
      [],
      store.remove(webhookDeliveries, Where.eq<DeliveryRow, "webhook">("webhook", webhook))
    )

  /** The numbers of due deliveries by webhook. */
  const countDue = Effect.flatMap(Clock.currentTimeMillis, (time) =>
    store.countBy(webhookDeliveries, "webhook", due(toTimestamp(time)))
  )

  /** Removes deliveries that have ended before the retention of events, and returns their number. */
  const purge = Effect.flatMap(Clock.currentTimeMillis, (time) =>
    store.lockedTransaction(
      [],
      store.remove(
        webhookDeliveries,
        Where.and<DeliveryRow>(
          Where.lt("createdAt", toTimestamp(time - retentionMs)),
          // A pending delivery is retried for its whole time, unless its webhook was removed.
          Where.or<DeliveryRow>(
            Where.isIn("state", ["delivered", "failed"]),
            Where.lt("startedAt", toTimestamp(time - 2 * times.retryForMs))
          )
        )
      )
    )
  )

  return { rescheduleLate, claim, update, removeOf, countDue, purge }
}

/** The queue of deliveries. */
export interface DeliveryQueue extends ReturnType<typeof makeDeliveryQueue> {}
