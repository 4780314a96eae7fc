/** How long requests to webhooks take, and when they are repeated. */
import { Context } from "effect"

/** The delays of deliveries. */
export interface DeliveryTimes {
  /** How long the server of a webhook has to respond, in milliseconds. */
  readonly timeoutMs: number
  /** How long a worker owns a delivery that it has claimed, in milliseconds: longer than the timeout. */
  readonly leaseMs: number
  /** The delay before the second request, in milliseconds. It doubles with each further request. */
  readonly firstRetryMs: number
  /** How long a delivery is retried, in milliseconds. */
  readonly retryForMs: number
}

/** The delays of deliveries. Tests replace them. */
export const WebhookTimes = Context.Reference<DeliveryTimes>("@lectern/core/WebhookTimes", {
  defaultValue: () => ({
    timeoutMs: 10_000,
    leaseMs: 20_000,
    firstRetryMs: 10_000,
    retryForMs: 24 * 60 * 60 * 1_000
  })
})
