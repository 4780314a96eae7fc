/** Sends deliveries to webhooks, and records the responses. */

import type { GrantedRecords } from "@lectern/access"
import { Fetcher, type StorageUnavailable, toTimestamp } from "@lectern/kernel"
import {
  type DeliveryRow,
  signatureHeader,
  signWebhook,
  type WebhookRow,
  webhooks
} from "@lectern/kernel/tables"
import type { DeliveryAttempt, WebhookId } from "@lectern/model/webhooks"
import { Clock, Effect } from "effect"
import type { DeliveryQueue } from "./deliveryQueue.ts"
import { makeWebhookSecrets } from "./webhookSecrets.ts"
import type { DeliveryTimes } from "./webhookTimes.ts"

/** The number of requests that the log of a delivery contains. */
const logLength = 20

const isSuccess = (status: number): boolean => status >= 200 && status < 300

/** Creates the function that sends one signed request, whose failures are a part of its result. */
const makeSend = Effect.fnUntraced(function* ({ timeoutMs }: DeliveryTimes) {
  const fetch = yield* Fetcher
  const secrets = yield* makeWebhookSecrets
  return Effect.fnUntraced(function* (
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
          timeoutMillis: timeoutMs,
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
})

/** Creates the function that sends the due deliveries of a webhook one by one, and returns their number. */
export const makeSendDue = Effect.fnUntraced(function* (
  granted: GrantedRecords,
  queue: DeliveryQueue,
  times: DeliveryTimes
) {
  const send = yield* makeSend(times)

  /** Records a request: the delivery has succeeded, is retried, or has failed. */
  const record = Effect.fnUntraced(function* (
    row: DeliveryRow,
    attempt: DeliveryAttempt
  ): Effect.fn.Return<void, StorageUnavailable> {
    const entries = [...row.log, attempt].slice(-logLength)
    if (attempt.status !== undefined && isSuccess(attempt.status)) {
      yield* queue.update(row, { state: "delivered", log: entries })
      return
    }
    const delayMs = times.firstRetryMs * 2 ** (row.log.length === logLength ? logLength : row.attempts - 1)
    const nextMs = (yield* Clock.currentTimeMillis) + delayMs
    const isLast = nextMs > Date.parse(row.startedAt) + times.retryForMs
    yield* queue.update(
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
    yield* queue.update(row, { state: "failed", log })
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
        yield* queue.removeOf(row.webhook)
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
          queue.update(row, { nextAttemptAt: toTimestamp(time) }, -1)
        ).pipe(Effect.timeoutOption("5 seconds"), Effect.ignore)
      )
    )

  return Effect.fnUntraced(function* (webhook: WebhookId): Effect.fn.Return<number, StorageUnavailable> {
    let count = 0
    for (;;) {
      const row = yield* queue.claim(webhook)
      if (row === undefined) return count
      yield* attempt(row)
      count++
    }
  })
})
