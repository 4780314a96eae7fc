export { WebhooksApi } from "./WebhooksApi.ts"
