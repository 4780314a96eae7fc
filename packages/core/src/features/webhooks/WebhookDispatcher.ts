/**
 * Delivers events to webhooks.
 *
 * The transaction that numbers events inserts a delivery for each webhook that receives them, so an event has exactly one
 * delivery per webhook, also if processes are killed. Workers claim deliveries by a lease in the database. Each webhook
 * has its own requests, so that a slow one delays no other.
 */

import {
  type Encryption,
  EventLog,
  EventRetention,
  type EventRow,
  Fetcher,
  Ids,
  Records,
  type StorageUnavailable,
  toTimestamp,
  Where
} from "@lectern/kernel"
import {
  type DeliveryRow,
  presentEvent,
  type WebhookRow,
  webhookDeliveries,
  webhooks
} from "@lectern/kernel/tables"
import { OrganizationId } from "@lectern/model/organizations"
import { type DeliveryAttempt, WebhookDeliveryId, type WebhookId } from "@lectern/model/webhooks"
import { Clock, Context, Effect, Layer, Queue, Semaphore } from "effect"
import { SecureRandom } from "effect/crypto"
import type { GrantedRecords } from "../../access/grants/Grant.ts"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import { signatureHeader, signWebhook } from "./signature.ts"
import { makeWebhookSecrets } from "./webhookSecrets.ts"
import { WebhookTimes } from "./webhookTimes.ts"

/** The maximum number of concurrent requests to one webhook, in each process. */
const requestsPerWebhook = 4

/** The number of requests that the log of a delivery contains. */
const logLength = 20

/** The longest delay of a task of an integration, in milliseconds: 1 day. */
const longestScheduleMs = 24 * 60 * 60 * 1_000

/** The interval of searches for deliveries that were scheduled by a wrong clock, in milliseconds: 1 minute. */
const rescheduleIntervalMs = 60_000

/** How far the clocks of processes may differ, in milliseconds. */
const clockSkewMs = 5 * 60 * 1_000

/** How long an idle worker waits without a webhook to deliver to, in milliseconds. */
const idleMs = 5_000

const accepts = ({ types, active }: WebhookRow, type: string): boolean =>
  active && (types.length === 0 || types.includes(type))

const isSuccess = (status: number): boolean => status >= 200 && status < 300

const makeDispatcher = Effect.gen(function* () {
  const store = yield* Records
  const { records: granted }: { readonly records: GrantedRecords } = yield* SystemGrant.make(
    "Delivers events to the webhooks of all organizations."
  )
  const log = yield* EventLog
  const ids = yield* Ids
  const fetch = yield* Fetcher
  const times = yield* WebhookTimes
  // Otherwise another worker sends the request again while the first still waits for its response.
  if (times.leaseMs <= times.timeoutMs) {
    return yield* Effect.die(
      new TypeError(`\`leaseMs\` (${times.leaseMs}) must be longer than \`timeoutMs\` (${times.timeoutMs}).`)
    )
  }
  const retentionMs = yield* EventRetention
  const secrets = yield* makeWebhookSecrets
  /** The longest that a delivery waits: for its next request, or as a task that is scheduled for a day later. */
  const longestWaitMs = Math.max(times.retryForMs, longestScheduleMs) + clockSkewMs

  /** Inserts the deliveries of numbered events, in the transaction that numbers them. */
  const insertDeliveries = Effect.fnUntraced(function* (
    events: ReadonlyArray<EventRow>
  ): Effect.fn.Return<void, StorageUnavailable> {
    const organizations = [...new Set(events.flatMap(({ organization }) => organization ?? []))]
    if (organizations.length === 0) return
    const found = yield* granted.find(webhooks, {
      where: Where.and<WebhookRow>(
        Where.isIn(
          "organization",
          organizations.map((id) => OrganizationId.make(id))
        ),
        // The events of integrations are written by their feature.
        Where.isNull("integration")
      )
    })
    if (found.length === 0) return
    const byOrganization = Map.groupBy(found, ({ organization }) => organization as string)
    const time = toTimestamp(yield* Clock.currentTimeMillis)
    const rows: Array<DeliveryRow> = []
    for (const row of events) {
      const receivers = (byOrganization.get(row.organization ?? "") ?? []).filter((webhook) =>
        accepts(webhook, row.type)
      )
      const event = receivers.length === 0 ? undefined : presentEvent(row)
      for (const { id: webhook, organization } of receivers) {
        const id = WebhookDeliveryId.make(yield* ids.next)
        rows.push({
          id,
          webhook,
          integration: null,
          organization,
          event: event!,
          type: row.type,
          state: "pending",
          attempts: 0,
          nextAttemptAt: time,
          startedAt: time,
          createdAt: row.createdAt,
          log: []
        })
      }
    }
    yield* granted.insertMany(webhookDeliveries, rows)
  })
  yield* log.onNumbered(insertDeliveries)

  const due = (time: string): Where.Where<DeliveryRow> =>
    Where.and<DeliveryRow>(Where.eq("state", "pending"), Where.lte("nextAttemptAt", time))

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

  const send = Effect.fnUntraced(function* (
    row: DeliveryRow,
    webhook: WebhookRow
  ): Effect.fn.Return<DeliveryAttempt, StorageUnavailable> {
    const startedMs = yield* Clock.currentTimeMillis
    const startedAt = toTimestamp(startedMs)
    const valid = yield* secrets.validAt(webhook, startedAt)
    const body = JSON.stringify(row.event)
    const result = yield* valid.length === 0
      ? Effect.succeed({ error: "The secret of the webhook cannot be decrypted; rotate it." })
      : fetch({
          url: webhook.url,
          maximumBytes: 0,
          timeoutMillis: times.timeoutMs,
          post: {
            body: new TextEncoder().encode(body),
            headers: {
              "content-type": "application/json",
              [signatureHeader]: signWebhook(valid, Math.floor(startedMs / 1_000), body),
              "x-lectern-event": row.type,
              "x-lectern-delivery": row.id
            }
          }
        }).pipe(
          Effect.map(({ status }) => ({ status })),
          Effect.catch(({ message }) => Effect.succeed({ error: message }))
        )
    const durationMs = (yield* Clock.currentTimeMillis) - startedMs
    return { startedAt, durationMs, ...result }
  })

  /** Records a request: the delivery has succeeded, is retried, or has failed. */
  const record = Effect.fnUntraced(function* (
    row: DeliveryRow,
    attempt: DeliveryAttempt
  ): Effect.fn.Return<void, StorageUnavailable> {
    const entries = [...row.log, attempt].slice(-logLength)
    if (attempt.status !== undefined && isSuccess(attempt.status)) {
      yield* update(row, { state: "delivered", log: entries })
      return
    }
    const delayMs = times.firstRetryMs * 2 ** (row.log.length === logLength ? logLength : row.attempts - 1)
    const nextMs = (yield* Clock.currentTimeMillis) + delayMs
    const isLast = nextMs > Date.parse(row.startedAt) + times.retryForMs
    yield* update(
      row,
      isLast ? { state: "failed", log: entries } : { nextAttemptAt: toTimestamp(nextMs), log: entries }
    )
  })

  /** Ends a claimed delivery without a request. */
  const endUnsent = Effect.fnUntraced(function* (
    row: DeliveryRow,
    error: string
  ): Effect.fn.Return<void, StorageUnavailable> {
    const startedAt = toTimestamp(yield* Clock.currentTimeMillis)
    const log = [...row.log, { startedAt, durationMs: 0, error }].slice(-logLength)
    yield* update(row, { state: "failed", log })
  })

  /** Sends one request for a claimed delivery. An interruption reschedules it to now. */
  const attempt = (row: DeliveryRow): Effect.Effect<void, StorageUnavailable> =>
    Effect.gen(function* () {
      const webhook = yield* granted.get(webhooks, { id: row.webhook })
      if (webhook === undefined && row.integration !== null) {
        // The event stays in the list of events of the integration.
        yield* endUnsent(row, "The webhook was removed.")
        return
      }
      if (webhook === undefined) {
        yield* store.lockedTransaction(
          [],
          store.remove(webhookDeliveries, Where.eq<DeliveryRow, "webhook">("webhook", row.webhook))
        )
        return
      }
      if (!webhook.active) {
        yield* endUnsent(row, "The webhook is not active.")
        return
      }
      yield* record(row, yield* send(row, webhook))
    }).pipe(
      Effect.onInterrupt(() =>
        Effect.flatMap(Clock.currentTimeMillis, (time) =>
          update(row, { nextAttemptAt: toTimestamp(time) }, -1)
        ).pipe(Effect.timeoutOption("5 seconds"), Effect.ignore)
      )
    )

  /** Sends the due deliveries of a webhook one by one, and returns their number. */
  const sendDue = Effect.fnUntraced(function* (
    webhook: WebhookId
  ): Effect.fn.Return<number, StorageUnavailable> {
    let count = 0
    for (;;) {
      const row = yield* claim(webhook)
      if (row === undefined) return count
      yield* attempt(row)
      count++
    }
  })

  /** The numbers of due deliveries by webhook. */
  const countDue = Effect.flatMap(Clock.currentTimeMillis, (time) =>
    store.countBy(webhookDeliveries, "webhook", due(toTimestamp(time)))
  )

  const hasWebhooks = Effect.map(
    granted.first(webhooks, { select: ["id"] }),
    (webhook) => webhook !== undefined
  )

  const runDue = Effect.gen(function* () {
    yield* log.number
    yield* rescheduleLate
    const counts = yield* countDue
    const sent = yield* Effect.forEach(counts.keys(), (webhook) => sendDue(webhook as WebhookId), {
      concurrency: "unbounded"
    })
    return sent.reduce((sum, count) => sum + count, 0)
  })

  const run = log.withSignals((signal) =>
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const permits = new Map<string, Semaphore.Semaphore>()
      /** Starts requests to a webhook, up to its limit. */
      const start = Effect.fnUntraced(function* (webhook: WebhookId, count: number) {
        const permit = permits.get(webhook) ?? (yield* Semaphore.make(requestsPerWebhook))
        permits.set(webhook, permit)
        for (let i = 0; i < Math.min(count, requestsPerWebhook); i++) {
          const sending = permit
            .withPermitsIfAvailable(1)(sendDue(webhook))
            .pipe(Effect.catchCause((cause) => Effect.logWarning("webhook", cause)))
          yield* Effect.forkIn(sending, scope)
        }
      })
      let numberedAt = 0
      let rescheduledAt = Number.NEGATIVE_INFINITY
      for (;;) {
        const isActive = yield* Effect.catchCause(
          Effect.gen(function* () {
            const time = yield* Clock.currentTimeMillis
            // The absolute difference: a clock that was moved back is the cause.
            if (Math.abs(time - rescheduledAt) >= rescheduleIntervalMs) {
              yield* rescheduleLate
              rescheduledAt = time
            }
            if (!(yield* hasWebhooks)) {
              // Otherwise events would wait for a reader of the log or for the hourly purge, which monitoring reports as a delay.
              if (time - numberedAt >= idleMs) {
                yield* log.number
                numberedAt = time
              }
              return false
            }
            yield* log.number
            for (const [webhook, count] of yield* countDue) yield* start(webhook as WebhookId, count)
            return true
          }),
          (cause) => Effect.as(Effect.logWarning("webhooks", cause), false)
        )
        if (isActive) yield* log.waitForEvents(signal)
        else yield* Effect.timeoutOption(Queue.take(signal), idleMs)
      }
    })
  ) as Effect.Effect<never>

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

  return { run, runDue, purge }
})

/** The methods of {@link WebhookDispatcher}. */
export interface WebhookDispatcherService extends Effect.Success<typeof makeDispatcher> {}

/** Delivers events to webhooks, as background work. */
export class WebhookDispatcher extends Context.Service<WebhookDispatcher, WebhookDispatcherService>()(
  "@lectern/core/WebhookDispatcher"
) {
  static readonly layer: Layer.Layer<WebhookDispatcher, never, Records | EventLog | Ids | Encryption> =
    Layer.effect(WebhookDispatcher, makeDispatcher).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
