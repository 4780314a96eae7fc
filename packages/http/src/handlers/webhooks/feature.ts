import { webhooks } from "./webhooks.ts"

export const webhooksHandlers = { webhooks }
