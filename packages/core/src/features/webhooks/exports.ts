export { verifyWebhook } from "./signature.ts"
export { Webhooks } from "./Webhooks.ts"
export { WebhookTimes } from "./webhookTimes.ts"
