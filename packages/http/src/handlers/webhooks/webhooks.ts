import { WebhooksApi } from "@lectern/client"
import { Webhooks } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const webhooks = Effect.map(Webhooks, (webhooks) =>
  implement(WebhooksApi, {
    listWebhooks: webhooks.list,
    createWebhook: webhooks.create,
    getWebhook: webhooks.get,
    updateWebhook: webhooks.update,
    deleteWebhook: webhooks.remove,
    rotateWebhookSecret: webhooks.rotateSecret,
    listWebhookDeliveries: webhooks.listDeliveries,
    getWebhookDelivery: webhooks.getDelivery,
    redeliverWebhookDelivery: webhooks.redeliver
  })
)
