/** Handlers of the endpoints for webhooks. */
import { WebhooksApi } from "@lectern/client"
import { type OrganizationId, type WebhookDeliveryId, type WebhookId, Webhooks } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

const webhookOf = (params: { readonly organizationId: OrganizationId; readonly webhookId: WebhookId }) => ({
  organization: params.organizationId,
  webhook: params.webhookId
})

const deliveryOf = (
  params: Parameters<typeof webhookOf>[0] & { readonly deliveryId: WebhookDeliveryId }
) => ({
  ...webhookOf(params),
  delivery: params.deliveryId
})

/** The handlers of the endpoints for webhooks. */
export const webhooks = Effect.map(Webhooks, (webhooks) =>
  implement(WebhooksApi, {
    listWebhooks: serve(webhooks.list, ({ params, query }) => ({
      organization: params.organizationId,
      input: query
    })),
    createWebhook: serve(webhooks.create, ({ params, payload }) => ({
      organization: params.organizationId,
      input: payload
    })),
    getWebhook: serve(webhooks.get, ({ params }) => webhookOf(params)),
    updateWebhook: serve(webhooks.update, ({ params, payload }) => ({
      ...webhookOf(params),
      input: payload
    })),
    deleteWebhook: serve(webhooks.remove, ({ params }) => webhookOf(params)),
    rotateWebhookSecret: serve(webhooks.rotateSecret, ({ params, payload }) => ({
      ...webhookOf(params),
      input: payload
    })),
    listWebhookDeliveries: serve(webhooks.listDeliveries, ({ params, query }) => ({
      ...webhookOf(params),
      input: query
    })),
    getWebhookDelivery: serve(webhooks.getDelivery, ({ params }) => deliveryOf(params)),
    redeliverWebhookDelivery: serve(webhooks.redeliver, ({ params }) => deliveryOf(params))
  })
)
