/** The public names of webhooks in `@lectern/core`, besides the model. */
export { verifyWebhook } from "./signature.ts"
export { WebhookTimes } from "./WebhookDispatcher.ts"
export { Webhooks } from "./Webhooks.ts"
