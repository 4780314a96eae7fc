/** Webhooks: URLs of other systems that receive the events of an organization. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { Event, EventType } from "../events/Event.ts"
import { IntegrationName } from "../integrations/Integration.ts"
import { IntegrationPayload } from "../integrations/IntegrationEvent.ts"
import { idSchema } from "../schema/Id.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, trimmed } from "../schema/Text.ts"
import { Url } from "../schema/Url.ts"

/** The id of a webhook. */
export const WebhookId = idSchema("The id of a webhook.").pipe(Schema.brand("WebhookId"))

/** The id of a webhook. */
export type WebhookId = string & Brand.Brand<"WebhookId">

/** The id of a delivery. */
export const WebhookDeliveryId = idSchema("The id of a delivery.").pipe(Schema.brand("WebhookDeliveryId"))

/** The id of a delivery. */
export type WebhookDeliveryId = string & Brand.Brand<"WebhookDeliveryId">

/** The maximum number of webhooks of an organization. */
export const maximumWebhooks = 50

/** The maximum number of types of events that a webhook selects. */
const maximumTypes = 200

const EventTypes = Schema.Array(EventType).check(
  Schema.isMaxLength(maximumTypes, { message: `must be at most ${maximumTypes} types` })
)

/** The organizations whose events an integration in development mode receives. */
export const DevelopmentScope = Schema.Literals(["owner", "all"])

/** A webhook of an organization. */
export class Webhook extends resource<Webhook>()(
  Schema.Struct({
    /** The type of the resource: always `webhook`. */
    object: Schema.Literal("webhook"),
    /** The id of the webhook. */
    id: WebhookId,
    /** The URL that receives the events, in requests with the method `POST`. */
    url: Schema.String,
    /** The description, at most 255 characters. Absent if it is not set. */
    description: Schema.optionalKey(Schema.String),
    /** The types of the events that the webhook receives; empty for all types. */
    events: Schema.Array(Schema.String),
    /** Whether events are delivered. Events that occur while it is `false` are not delivered later. */
    active: Schema.Boolean,
    /** The name of the integration whose events the webhook receives. Absent for events of the organization. */
    integration: Schema.optionalKey(IntegrationName),
    /**
     * Whether development mode of the integration has created the webhook: `owner` for events of the organization that owns
     * the integration, `all` for events of all organizations. Absent for other webhooks.
     */
    development: Schema.optionalKey(DevelopmentScope),
    /** When the webhook was created. */
    createdAt: Timestamp,
    /** When the webhook was last changed. */
    updatedAt: Timestamp,
    /** Until when requests are also signed with the former secret. Absent unless the secret was rotated recently. */
    formerSecretExpiresAt: Schema.optionalKey(Timestamp),
    /** URLs of the webhook. */
    urls: Schema.Struct({
      /** The URL of the webhook in this API. */
      location: Schema.String
    })
  }).annotate({ identifier: "Webhook" })
) {}

/** A webhook with its secret, which no other response contains. */
export class WebhookWithSecret extends resource<WebhookWithSecret>()(
  Schema.Struct({
    ...Webhook.fields,
    /** The secret that signs the requests. Store it: it cannot be read again. */
    secret: Schema.String
  }).annotate({ identifier: "WebhookWithSecret" })
) {}

const description = Schema.NullOr(trimmed({ max: 255 }))

/** The input that creates a webhook. */
export class CreateWebhook extends resource<CreateWebhook>()(
  Schema.Struct({
    /** The URL that receives the events: `http:` or `https:`, at most 2048 characters. */
    url: Url,
    /** The description, at most 255 characters. Null or absent if it is not set. */
    description: Schema.optionalKey(description),
    /** The types of the events to receive, as in `space.created`: at most 200. All types by default, or if it is empty. */
    events: Schema.optionalKey(EventTypes),
    /** Whether events are delivered; true by default. */
    active: Schema.optionalKey(Schema.Boolean),
    /**
     * The name of an integration of the organization, whose events the webhook receives instead of the events of the
     * organization: all of them, so `events` must be absent or empty. An integration has at most one webhook.
     */
    integration: Schema.optionalKey(IntegrationName)
  }).annotate({ identifier: "CreateWebhook" })
) {}

/** The fields of a webhook to update. Absent fields do not change. */
export class UpdateWebhook extends resource<UpdateWebhook>()(
  Schema.Struct({
    /** The URL that receives the events: `http:` or `https:`, at most 2048 characters. */
    url: Schema.optionalKey(Url),
    /** The description, at most 255 characters. Null removes it. */
    description: Schema.optionalKey(description),
    /** The types of the events to receive: at most 200, empty for all types. */
    events: Schema.optionalKey(EventTypes),
    /** Whether events are delivered. */
    active: Schema.optionalKey(Schema.Boolean)
  }).annotate({ identifier: "UpdateWebhook" })
) {}

/** The input that rotates the secret of a webhook. */
export class RotateWebhookSecret extends resource<RotateWebhookSecret>()(
  Schema.Struct({
    /** How long requests are also signed with the former secret, in hours: 0 to 168, 24 by default. */
    formerSecretHours: Schema.optionalKey(
      Schema.Int.check(
        Schema.isBetween({ minimum: 0, maximum: 168 }, { message: "must be a whole number from 0 to 168" })
      )
    )
  }).annotate({ identifier: "RotateWebhookSecret" })
) {}

/**
 * The state of a delivery: `pending` until the webhook accepts it, `delivered` after that, or `failed` after 24 hours
 * without success.
 */
export const DeliveryState = Schema.Literals(["pending", "delivered", "failed"])

/** The state of a delivery. */
export type DeliveryState = typeof DeliveryState.Type

/** One request of a delivery. */
export class DeliveryAttempt extends resource<DeliveryAttempt>()(
  Schema.Struct({
    /** When the request was sent. */
    startedAt: Timestamp,
    /** How long it took, in milliseconds. */
    durationMs: Schema.Int,
    /** The status of the response. Absent if the server did not respond. */
    status: Schema.optionalKey(Schema.Int),
    /** Why the request failed. Absent if the server responded. */
    error: Schema.optionalKey(Schema.String)
  })
) {}

/** The delivery of an event to a webhook. */
export class WebhookDelivery extends resource<WebhookDelivery>()(
  Schema.Struct({
    /** The type of the resource: always `webhook-delivery`. */
    object: Schema.Literal("webhook-delivery"),
    /** The id of the delivery, which each of its requests has in the header `X-Lectern-Delivery`. */
    id: WebhookDeliveryId,
    /** The id of the webhook. */
    webhook: WebhookId,
    /** The type of the event, as in `space.created`. */
    type: Schema.String,
    /** The state: `pending`, `delivered` or `failed`. */
    state: DeliveryState,
    /** The number of requests that were sent. */
    attempts: Schema.Int,
    /** When the next request is sent, if the delivery is pending. */
    nextAttemptAt: Schema.optionalKey(Timestamp),
    /** When the event occurred. */
    createdAt: Timestamp,
    /** The last 20 requests, oldest first. */
    log: Schema.Array(DeliveryAttempt)
  }).annotate({ identifier: "WebhookDelivery" })
) {}

/** A delivery with the event that it delivers. */
export class WebhookDeliveryWithEvent extends resource<WebhookDeliveryWithEvent>()(
  Schema.Struct({
    ...WebhookDelivery.fields,
    /** The body of the requests: the event, or the payload of the event of an integration. */
    event: Schema.Union([Event, IntegrationPayload])
  }).annotate({ identifier: "WebhookDeliveryWithEvent" })
) {}

/** The filter and the page of a list of deliveries. */
export class ListWebhookDeliveries extends resource<ListWebhookDeliveries>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** Only deliveries in this state. */
    state: Schema.optionalKey(DeliveryState)
  })
) {}
