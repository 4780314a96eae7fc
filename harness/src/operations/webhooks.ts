/** The operations on events and webhooks. */
import type { EventsApi, WebhooksApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

const rule = "organization.administrate"

export const events = {
  listEvents: { serves: "Events.list", rule }
} satisfies RowsOf<typeof EventsApi>

export const webhooks = {
  listWebhooks: { serves: "Webhooks.list", rule },
  createWebhook: {
    serves: "Webhooks.create",
    rule,
    repeated: "another",
    body: () => ({ url: "https://example.com/hook", events: ["space.created"] })
  },
  getWebhook: { serves: "Webhooks.get", rule },
  updateWebhook: {
    serves: "Webhooks.update",
    rule,
    body: () => ({ description: "New" })
  },
  deleteWebhook: { serves: "Webhooks.remove", rule, repeated: "404" },
  rotateWebhookSecret: {
    serves: "Webhooks.rotateSecret",
    rule,
    repeated: "another",
    body: () => ({ formerSecretHours: 1 })
  },
  listWebhookDeliveries: { serves: "Webhooks.listDeliveries", rule },
  getWebhookDelivery: { serves: "Webhooks.getDelivery", rule },
  redeliverWebhookDelivery: { serves: "Webhooks.redeliver", rule }
} satisfies RowsOf<typeof WebhooksApi>
