/** Inserts the deliveries of events, one for each webhook that receives an event. */

import type { GrantedRecords } from "@lectern/access"
import { type EventRow, type Ids, type StorageUnavailable, toTimestamp, Where } from "@lectern/kernel"
import {
  type DeliveryRow,
  presentEvent,
  type WebhookRow,
  webhookDeliveries,
  webhooks
} from "@lectern/kernel/tables"
import { OrganizationId } from "@lectern/model/organizations"
import { WebhookDeliveryId } from "@lectern/model/webhooks"
import { Clock, Effect } from "effect"

const accepts = ({ types, active }: WebhookRow, type: string): boolean =>
  active && (types.length === 0 || types.includes(type))

/** Creates the function that inserts the deliveries of numbered events, in the transaction that numbers them. */
export const makeInsertDeliveries = (granted: GrantedRecords, ids: Ids["Service"]) =>
  Effect.fnUntraced(function* (events: ReadonlyArray<EventRow>): Effect.fn.Return<void, StorageUnavailable> {
    const organizations = [...new Set(events.flatMap(({ organization }) => organization ?? []))]
    if (organizations.length === 0) return
    const found = yield* granted.find(webhooks, {
      where: Where.and<WebhookRow>(
        Where.isIn(
          "organization",
          organizations.map((id) => OrganizationId.make(id))
        ),
        // The events of integrations are written by their feature.
        Where.isNull("integration")
      )
    })
    if (found.length === 0) return
    const byOrganization = Map.groupBy(found, ({ organization }) => organization as string)
    const time = toTimestamp(yield* Clock.currentTimeMillis)
    const rows: Array<DeliveryRow> = []
    for (const row of events) {
      const receivers = (byOrganization.get(row.organization ?? "") ?? []).filter((webhook) =>
        accepts(webhook, row.type)
      )
      const event = receivers.length === 0 ? undefined : presentEvent(row)
      for (const { id: webhook, organization } of receivers) {
        const id = WebhookDeliveryId.make(yield* ids.next)
        rows.push({
          id,
          webhook,
          integration: null,
          organization,
          event: event!,
          type: row.type,
          state: "pending",
          attempts: 0,
          nextAttemptAt: time,
          startedAt: time,
          createdAt: row.createdAt,
          log: []
        })
      }
    }
    yield* granted.insertMany(webhookDeliveries, rows)
  })
