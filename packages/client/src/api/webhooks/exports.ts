/** The public names of webhooks in `@lectern/client`. */
export { WebhooksApi } from "./WebhooksApi.ts"
