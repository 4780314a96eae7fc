/**
 * Delivers events to webhooks.
 *
 * The transaction that numbers events inserts a delivery for each webhook that receives them, so an event has exactly one
 * delivery per webhook, also if processes are killed. Workers claim deliveries by a lease in the database. Each webhook
 * has its own requests, so that a slow one delays no other.
 */

import { type GrantedRecords, SystemGrant } from "@lectern/access"
import { type Encryption, EventLog, EventRetention, Ids, Records } from "@lectern/kernel"
import { webhooks } from "@lectern/kernel/tables"
import type { WebhookId } from "@lectern/model/webhooks"
import { Clock, Context, Effect, Layer, Queue, Semaphore } from "effect"
import { SecureRandom } from "effect/crypto"
import { makeDeliveryQueue } from "./deliveryQueue.ts"
import { makeInsertDeliveries } from "./insertDeliveries.ts"
import { makeSendDue } from "./sendDeliveries.ts"
import { WebhookTimes } from "./webhookTimes.ts"

/** The maximum number of concurrent requests to one webhook, in each process. */
const requestsPerWebhook = 4

/** The interval of searches for deliveries that were scheduled by a wrong clock, in milliseconds: 1 minute. */
const rescheduleIntervalMs = 60_000

/** How long an idle worker waits without a webhook to deliver to, in milliseconds. */
const idleMs = 5_000

/** How long signals are collected while there is no webhook, in milliseconds. */
const collectMs = 100

const makeDispatcher = Effect.gen(function* () {
  const store = yield* Records
  const { records: granted }: { readonly records: GrantedRecords } = yield* SystemGrant.make(
    "Delivers events to the webhooks of all organizations."
  )
  const log = yield* EventLog
  const times = yield* WebhookTimes
  // Otherwise another worker sends the request again while the first still waits for its response.
  if (times.leaseMs <= times.timeoutMs) {
    return yield* Effect.die(
      new TypeError(`\`leaseMs\` (${times.leaseMs}) must be longer than \`timeoutMs\` (${times.timeoutMs}).`)
    )
  }
  const queue = makeDeliveryQueue(store, times, yield* EventRetention)
  const sendDue = yield* makeSendDue(granted, queue, times)
  yield* log.onNumbered(makeInsertDeliveries(granted, yield* Ids))

  const hasWebhooks = Effect.map(
    granted.first(webhooks, { select: ["id"] }),
    (webhook) => webhook !== undefined
  )

  const runDue = Effect.gen(function* () {
    yield* log.number
    yield* queue.rescheduleLate
    const counts = yield* queue.countDue
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
              yield* queue.rescheduleLate
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
            for (const [webhook, count] of yield* queue.countDue) yield* start(webhook as WebhookId, count)
            return true
          }),
          (cause) => Effect.as(Effect.logWarning("webhooks", cause), false)
        )
        if (isActive) yield* log.waitForEvents(signal)
        else {
          yield* Effect.timeoutOption(Queue.take(signal), idleMs)
          // Without a webhook, each commit would be followed by a query.
          yield* Effect.sleep(collectMs)
        }
      }
    })
  ) as Effect.Effect<never>

  return { run, runDue, purge: queue.purge }
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
