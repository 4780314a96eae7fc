export {
  CreateWebhook,
  DeliveryAttempt,
  DeliveryState,
  ListWebhookDeliveries,
  RotateWebhookSecret,
  UpdateWebhook,
  Webhook,
  WebhookDelivery,
  WebhookDeliveryId,
  WebhookDeliveryWithEvent,
  WebhookId,
  WebhookWithSecret
} from "./Webhook.ts"
