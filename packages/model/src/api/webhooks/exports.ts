/** The public names of webhooks in `@lectern/model/api`. */
export { WebhooksApi } from "./WebhooksApi.ts"
