export { verifyWebhook } from "@lectern/kernel/tables"
export { Webhooks } from "./Webhooks.ts"
export { WebhookTimes } from "./webhookTimes.ts"
