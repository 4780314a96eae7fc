/** The events of webhooks. */
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { UserId } from "../users/User.ts"
import { WebhookId } from "./Webhook.ts"

/** The data of the events of a webhook. */
export class WebhookEventData extends resource<WebhookEventData>()(
  Schema.Struct({
    id: WebhookId,
    organization: OrganizationId,
    url: Schema.String,
    description: Schema.NullOr(Schema.String),
    types: Schema.Array(Schema.String),
    active: Schema.Boolean,
    /** The id of the integration with which the webhook is removed. Absent in events of schemas before 23. */
    integration: Schema.optionalKey(Schema.NullOr(Schema.String)),
    createdBy: UserId,
    createdAt: Timestamp
  })
) {}
