/** Reports new content of spaces to the integrations that are installed on them. */

import { type GrantedRecords, SystemGrant } from "@lectern/access"
import { EventLog, type EventRow, encodeMember, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type ContentInstallationRow,
  contentInstallations,
  type InstallationRow,
  type IntegrationRow,
  installations,
  integrations
} from "@lectern/kernel/tables"
import { OrganizationId } from "@lectern/model/organizations"
import { Effect } from "effect"
import { makeIntegrationEventWriter, type NewIntegrationEvent } from "./integrationEventWriter.ts"

/** A new revision of the primary content of a space. */
interface ContentUpdate {
  readonly organization: OrganizationId
  readonly space: string
  readonly revision: string
}

const updateOf = ({ type, organization, data }: EventRow): ReadonlyArray<ContentUpdate> =>
  type === "revision.created" && organization !== null && data.changeRequest === null
    ? [
        {
          organization: OrganizationId.make(organization),
          space: String(data.space),
          revision: String(data.id)
        }
      ]
    : []

/**
 * Registers a handler that writes `space_content_updated` events in the transaction that numbers the events of revisions, so
 * that there is exactly one for each revision and installation. It requires the scope `space:content:read`.
 */
export const reportContentUpdates = Effect.gen(function* () {
  const { records }: { readonly records: GrantedRecords } = yield* SystemGrant.make(
    "Reports new content to the integrations of all organizations."
  )
  const log = yield* EventLog
  const writeEvents = yield* makeIntegrationEventWriter

  yield* log.onNumbered(
    Effect.fnUntraced(function* (
      events: ReadonlyArray<EventRow>
    ): Effect.fn.Return<void, StorageUnavailable> {
      const updates = events.flatMap(updateOf)
      if (updates.length === 0) return
      const organizations = [...new Set(updates.map(({ organization }) => organization))]
      const installed = yield* records.find(installations, {
        where: Where.isIn<InstallationRow, "organization">("organization", organizations)
      })
      if (installed.length === 0) return
      const readers = yield* records.find(integrations, {
        where: Where.and<IntegrationRow>(
          Where.isIn("id", [...new Set(installed.map(({ integration }) => integration))]),
          Where.contains("scopes", encodeMember("space:content:read"))
        )
      })
      const byId = new Map(readers.map((integration) => [integration.id, integration]))
      const reading = installed.filter(
        ({ integration, scopes }) => byId.has(integration) && scopes?.includes("space:content:read") === true
      )
      const selecting = reading.filter(({ spaceSelection }) => spaceSelection === "selected")
      const selected =
        selecting.length === 0
          ? []
          : yield* records.find(contentInstallations, {
              select: ["installation", "content"],
              where: Where.and<ContentInstallationRow>(
                Where.isIn(
                  "installation",
                  selecting.map(({ id }) => id)
                ),
                Where.isIn("content", [...new Set(updates.map(({ space }) => space))])
              )
            })
      const isSelected = new Set(selected.map(({ installation, content }) => `${installation} ${content}`))
      yield* writeEvents(
        records,
        updates.flatMap(({ organization, space, revision }) =>
          reading
            .filter(
              (one) =>
                one.organization === organization &&
                (one.spaceSelection === "all" || isSelected.has(`${one.id} ${space}`))
            )
            .map(
              (one): NewIntegrationEvent => ({
                integration: byId.get(one.integration)!,
                organization,
                type: "space_content_updated",
                fields: { installationId: one.id, spaceId: space, revisionId: revision }
              })
            )
        )
      )
    })
  )
})
