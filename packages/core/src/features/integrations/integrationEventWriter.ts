/** Writes the events of integrations, as deliveries to their webhooks. */

import type { GrantedRecords } from "@lectern/access"
import { Ids, type StorageUnavailable, toTimestamp, Where } from "@lectern/kernel"
import {
  type DeliveryRow,
  type IntegrationRow,
  type WebhookRow,
  webhookDeliveries,
  webhooks
} from "@lectern/kernel/tables"
import type { OrganizationId } from "@lectern/model/organizations"
import { WebhookDeliveryId, WebhookId } from "@lectern/model/webhooks"
import { Clock, Effect } from "effect"

/** An event to write. */
export interface NewIntegrationEvent {
  readonly integration: Pick<IntegrationRow, "id" | "organization">
  /** The organization of the installation; the owner of the integration for tasks. */
  readonly organization: OrganizationId
  readonly type: string
  /** The fields of the payload, besides `eventId` and `type`. */
  readonly fields: Readonly<Record<string, unknown>>
  /** The delay before it is delivered, in milliseconds; 0 by default. */
  readonly delayMs?: number
}

/** Chooses the webhook of an event: that of development mode if it receives the events of the organization. */
const receiverOf = (
  receivers: ReadonlyArray<WebhookRow>,
  { integration, organization }: NewIntegrationEvent
): WebhookRow | undefined => {
  const ofIntegration = receivers.filter((webhook) => webhook.integration === integration.id)
  return (
    ofIntegration.find(
      ({ development }) =>
        development === "all" || (development === "owner" && organization === integration.organization)
    ) ?? ofIntegration.find(({ development, active }) => development === null && active)
  )
}

/** Creates the function that writes events, in the transaction of the changes that they report. */
export const makeIntegrationEventWriter = Effect.gen(function* () {
  const ids = yield* Ids

  return Effect.fnUntraced(function* (
    records: GrantedRecords,
    events: ReadonlyArray<NewIntegrationEvent>
  ): Effect.fn.Return<void, StorageUnavailable> {
    if (events.length === 0) return
    const receivers = yield* records.find(webhooks, {
      where: Where.isIn<WebhookRow, "integration">("integration", [
        ...new Set(events.map(({ integration }) => integration.id))
      ])
    })
    const timeMs = yield* Clock.currentTimeMillis
    const rows: Array<DeliveryRow> = []
    for (const event of events) {
      const { integration, organization, type, fields, delayMs = 0 } = event
      const id = WebhookDeliveryId.make(yield* ids.next)
      const webhook = receiverOf(receivers, event)
      const dueAt = toTimestamp(timeMs + delayMs)
      const createdAt = toTimestamp(timeMs)
      rows.push({
        id,
        webhook: webhook?.id ?? WebhookId.make(integration.id),
        integration: integration.id,
        organization,
        event: { eventId: id, type, ...fields },
        type,
        state: webhook === undefined ? "failed" : "pending",
        attempts: 0,
        nextAttemptAt: dueAt,
        startedAt: dueAt,
        createdAt,
        log:
          webhook === undefined
            ? [{ startedAt: createdAt, durationMs: 0, error: "The integration has no active webhook." }]
            : []
      })
    }
    yield* records.insertMany(webhookDeliveries, rows)
  })
})
