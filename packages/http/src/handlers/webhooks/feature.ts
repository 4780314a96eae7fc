/** The handlers of the endpoints of webhooks. */
import { webhooks } from "./webhooks.ts"

/** The handlers of each group of endpoints of webhooks, by the name of the group. */
export const webhooksHandlers = { webhooks }
