/** The events that are recorded from changed rows. */

import { WebhookEventData } from "@lectern/model/webhooks"
import { resourceEvents } from "../../storage/ResourceEvents.ts"
import { webhooks } from "./webhookTables.ts"

/** The events of webhooks, without their secrets. */
export const webhookEvents = resourceEvents("webhook", "A webhook, without its secret.", webhooks, {
  data: WebhookEventData
})
