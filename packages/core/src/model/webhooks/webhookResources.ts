/** The events of webhooks. */
import { Schema } from "effect"
import { resourceEvents } from "../../kernel/events/ResourceEvents.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { UserId } from "../users/User.ts"
import { WebhookId, webhooks } from "./Webhook.ts"

/** The events of webhooks, without their secrets. */
export const webhookEvents = resourceEvents("webhook", "A webhook, without its secret.", webhooks, {
  data: {
    id: WebhookId,
    organization: OrganizationId,
    url: Schema.String,
    description: Schema.NullOr(Schema.String),
    types: Schema.Array(Schema.String),
    active: Schema.Boolean,
    createdBy: UserId,
    createdAt: Timestamp
  }
})
