export { verifyWebhook } from "./signature.ts"
export { WebhookTimes } from "./WebhookDispatcher.ts"
export { Webhooks } from "./Webhooks.ts"
