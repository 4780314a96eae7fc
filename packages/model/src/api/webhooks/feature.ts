/** The endpoints of webhooks. */
import { WebhooksApi } from "./WebhooksApi.ts"

/** The groups of endpoints of webhooks, in the order of the OpenAPI document. */
export const groups: readonly [typeof WebhooksApi] = [WebhooksApi]
