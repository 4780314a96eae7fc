/** The operations on events and webhooks. */
import type { EventsApi, WebhooksApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

const rule = "organization.administrate"

export const events = {
  listEvents: { serves: "Events.list", rule, statements: 5 }
} satisfies RowsOf<typeof EventsApi>

export const webhooks = {
  listWebhooks: { serves: "Webhooks.list", rule, statements: 5 },
  createWebhook: {
    serves: "Webhooks.create",
    rule,
    statements: 10,
    repeated: "another",
    body: () => ({ url: "https://example.com/hook", events: ["space.created"] })
  },
  getWebhook: { serves: "Webhooks.get", rule, statements: 4 },
  updateWebhook: {
    serves: "Webhooks.update",
    rule,
    statements: 12,
    body: () => ({ description: "New" })
  },
  deleteWebhook: { serves: "Webhooks.remove", rule, statements: 9, repeated: "404" },
  rotateWebhookSecret: {
    serves: "Webhooks.rotateSecret",
    rule,
    statements: 6,
    repeated: "another",
    body: () => ({ formerSecretHours: 1 })
  },
  listWebhookDeliveries: { serves: "Webhooks.listDeliveries", rule, statements: 6 },
  getWebhookDelivery: { serves: "Webhooks.getDelivery", rule, statements: 4 },
  redeliverWebhookDelivery: { serves: "Webhooks.redeliver", rule, statements: 6 }
} satisfies RowsOf<typeof WebhooksApi>
