import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import {
  CreateWebhook,
  ListWebhookDeliveries,
  OrganizationId,
  pageOf,
  RotateWebhookSecret,
  UpdateWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryId,
  WebhookDeliveryWithEvent,
  WebhookId,
  WebhookWithSecret
} from "../../index.ts"
import { created } from "../shared/created.ts"
import { changing, editing, reading } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { page } from "../shared/queryParameters.ts"
import { always, ChangedResource, ReturnsSecret } from "../shared/requestConditions.ts"

const organization = { organizationId: OrganizationId }
const webhook = { ...organization, webhookId: WebhookId }
const delivery = { ...webhook, deliveryId: WebhookDeliveryId }
const path = "/orgs/:organizationId/webhooks" as const

/** The group of operations on webhooks. */
export const WebhooksApi = HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.get("listWebhooks", path, {
      params: organization,
      query: page,
      success: pageOf(Webhook),
      error: reading
    }).annotateMerge(describe("List webhooks", "Returns the webhooks of the organization, newest first.")),
    HttpApiEndpoint.post("createWebhook", path, {
      params: organization,
      payload: CreateWebhook,
      success: created(WebhookWithSecret),
      error: changing
    })
      .annotate(ReturnsSecret, always)
      .annotateMerge(
        describe(
          "Create a webhook",
          "Creates a webhook, which receives the events of the organization from now on. The response contains the secret that signs the requests."
        )
      ),
    HttpApiEndpoint.get("getWebhook", `${path}/:webhookId`, {
      params: webhook,
      success: Webhook,
      error: reading
    }).annotateMerge(describe("Get a webhook", "Returns the webhook, without its secret.")),
    HttpApiEndpoint.patch("updateWebhook", `${path}/:webhookId`, {
      params: webhook,
      payload: UpdateWebhook,
      success: Webhook,
      error: editing
    }).annotateMerge(
      describe(
        "Update a webhook",
        "Updates the fields that the request contains, and leaves the others unchanged."
      )
    ),
    HttpApiEndpoint.delete("deleteWebhook", `${path}/:webhookId`, {
      params: webhook,
      success: HttpApiSchema.Empty(204),
      error: editing
    }).annotateMerge(describe("Delete a webhook", "Deletes the webhook with its deliveries.")),
    HttpApiEndpoint.post("rotateWebhookSecret", `${path}/:webhookId/secret`, {
      params: webhook,
      payload: RotateWebhookSecret,
      success: WebhookWithSecret,
      error: editing
    })
      .annotate(ReturnsSecret, always)
      .annotate(ChangedResource, `${path}/:webhookId`)
      .annotateMerge(
        describe(
          "Rotate the secret of a webhook",
          "Generates a new secret. Requests are also signed with the former secret, for 24 hours by default, so that the receiver can change it without rejecting requests."
        )
      ),
    HttpApiEndpoint.get("listWebhookDeliveries", `${path}/:webhookId/deliveries`, {
      params: webhook,
      query: { ...page, state: ListWebhookDeliveries.fields.state },
      success: pageOf(WebhookDelivery),
      error: reading
    }).annotateMerge(
      describe("List deliveries", "Returns the deliveries to the webhook, newest first, with their requests.")
    ),
    HttpApiEndpoint.get("getWebhookDelivery", `${path}/:webhookId/deliveries/:deliveryId`, {
      params: delivery,
      success: WebhookDeliveryWithEvent,
      error: reading
    }).annotateMerge(describe("Get a delivery", "Returns the delivery, with the event that it delivers.")),
    HttpApiEndpoint.post("redeliverWebhookDelivery", `${path}/:webhookId/deliveries/:deliveryId/redeliver`, {
      params: delivery,
      success: WebhookDelivery,
      error: editing
    })
      .annotate(ChangedResource, `${path}/:webhookId/deliveries/:deliveryId`)
      .annotateMerge(
        describe(
          "Redeliver an event",
          "Sends the event again, with the same id of the delivery: now, and with retries for 24 hours."
        )
      )
  )
  .annotateMerge(
    describeGroup("Webhooks", "URLs of other systems, which receive the events of an organization.")
  )
