import { Effect, Layer } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { housekeepingJob } from "../../kernel/jobs/housekeepingJob.ts"
import { webhookEvents } from "../../tables/webhooks/recordedWebhookEvents.ts"
import { webhookDeliveries, webhooks } from "../../tables/webhooks/webhookTables.ts"
import { WebhookDispatcher } from "./WebhookDispatcher.ts"
import { Webhooks } from "./Webhooks.ts"

/** Webhooks, the worker that delivers events to them, and the housekeeping job that removes old deliveries. */
export const webhooksFeature = defineFeature("webhooks", {
  tables: [webhooks, webhookDeliveries],
  events: [webhookEvents],
  userServices: { webhooks: Webhooks },
  layer: Layer.mergeAll(Webhooks.layer, WebhookDispatcher.layer),
  jobs: Effect.map(WebhookDispatcher, (dispatcher) => [
    housekeepingJob("purgeWebhookDeliveries", "1 hour", dispatcher.purge)
  ]),
  workers: Effect.map(WebhookDispatcher, (dispatcher) => [dispatcher])
})
