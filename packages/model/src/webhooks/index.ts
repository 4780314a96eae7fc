/** All names of `webhooks`. */
export * from "./Webhook.ts"
export * from "./webhookResources.ts"
