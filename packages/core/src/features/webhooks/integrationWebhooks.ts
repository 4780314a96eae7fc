/** The webhooks of integrations: an organization creates them for the integrations that it owns. */

import type { GrantedReader } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type IntegrationRow, integrations, type WebhookRow, webhooks } from "@lectern/kernel/tables"
import { Conflict, InvalidInput } from "@lectern/model/errors"
import type { IntegrationName } from "@lectern/model/integrations"
import type { OrganizationId } from "@lectern/model/organizations"
import type { CreateWebhook } from "@lectern/model/webhooks"
import { Effect } from "effect"

/** Finds the names of the integrations of webhooks. */
export const integrationNames = Effect.fnUntraced(function* (
  records: GrantedReader,
  rows: ReadonlyArray<WebhookRow>
): Effect.fn.Return<ReadonlyMap<string, IntegrationName>, StorageUnavailable> {
  const wanted = rows.flatMap(({ integration }) => integration ?? [])
  if (wanted.length === 0) return new Map()
  const found = yield* records.find(integrations, {
    select: ["id", "name"],
    where: Where.isIn<IntegrationRow, "id">("id", wanted)
  })
  return new Map(found.map(({ id, name }) => [id, name]))
})

/** Fails with `InvalidInput` if a webhook of an integration selects types of events. */
export const requireAllEvents = (types: ReadonlyArray<string>): Effect.Effect<void, InvalidInput> =>
  types.length === 0
    ? Effect.void
    : Effect.fail(
        InvalidInput.at(
          "events",
          "must be absent or empty: a webhook of an integration receives all of its events"
        )
      )

/** Returns the id of the integration of a new webhook, which must not have one already. */
export const findIntegration = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  { integration: name, events = [] }: CreateWebhook
): Effect.fn.Return<string, InvalidInput | Conflict | StorageUnavailable> {
  yield* requireAllEvents(events)
  const found = yield* records.first(integrations, {
    select: ["id", "organization"],
    where: Where.eq<IntegrationRow, "name">("name", name!)
  })
  if (found?.organization !== organization) {
    return yield* InvalidInput.at("integration", "must be an integration of the organization")
  }
  const other = yield* records.first(webhooks, {
    select: ["id"],
    where: Where.and<WebhookRow>(Where.eq("integration", found.id), Where.isNull("development"))
  })
  if (other === undefined) return found.id
  return yield* new Conflict({
    reason: "LimitReached",
    message: "The integration has a webhook already. Update or delete it."
  })
})
