import { defineFeature, housekeepingJob } from "@lectern/kernel"
import { webhookDeliveries, webhookEvents, webhooks } from "@lectern/kernel/tables"
import { Effect, Layer } from "effect"
import { WebhookDispatcher } from "./WebhookDispatcher.ts"
import { Webhooks } from "./Webhooks.ts"
import { webhookSubscriptions } from "./webhookSubscriptions.ts"

/** Webhooks, the worker that delivers events to them, and the housekeeping job that removes old deliveries. */
export const webhooksFeature = defineFeature("webhooks", {
  uses: ["organizations"],
  tables: [webhooks, webhookDeliveries],
  events: [webhookEvents],
  userServices: { webhooks: Webhooks },
  layer: Layer.mergeAll(Webhooks.layer, WebhookDispatcher.layer),
  jobs: Effect.map(WebhookDispatcher, (dispatcher) => [
    housekeepingJob("purgeWebhookDeliveries", "1 hour", dispatcher.purge)
  ]),
  subscriptions: webhookSubscriptions,
  workers: Effect.map(WebhookDispatcher, (dispatcher) => [dispatcher])
})
