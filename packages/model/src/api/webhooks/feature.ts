import { WebhooksApi } from "./WebhooksApi.ts"

export const groups: readonly [typeof WebhooksApi] = [WebhooksApi]
