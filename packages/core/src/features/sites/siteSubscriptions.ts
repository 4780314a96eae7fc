/** Event handlers that update sites, in the transactions that delete or transfer the spaces on them, or delete their organization. */

import { type GrantedRecords, SystemGrant } from "@lectern/access"
import { type Records, type Subscription, subscribeToEvent, Where } from "@lectern/kernel"
import {
  OrganizationRestored,
  OrganizationTrashed,
  type SiteRow,
  SpacesPurged,
  SpacesRestored,
  SpacesTransferred,
  SpacesTrashed,
  siteSpaces,
  sites,
  suspensions
} from "@lectern/kernel/tables"
import type { OrganizationId } from "@lectern/model/organizations"
import { Effect } from "effect"
import { storeSuspensions, suspendedOf } from "../organizations/suspensions.ts"
import { hideOnSites, refreshPublishedUrls, removeFromSites, returnToSites } from "./structureStore.ts"

/** Publishes or unpublishes the sites of an organization that match, and updates the URLs of the spaces on them. */
const setPublished = Effect.fnUntraced(function* (
  records: GrantedRecords,
  where: Where.Where<SiteRow>,
  published: boolean
) {
  const found = yield* records.find(sites, { select: ["id"], where })
  for (const { id } of found) {
    yield* records.update(sites, Where.eq("id", id), { published })
    const placed = yield* records.find(siteSpaces, { select: ["space"], where: Where.eq("site", id) })
    yield* refreshPublishedUrls(
      records,
      placed.map(({ space }) => space)
    )
  }
  return found.map(({ id }) => id)
})

const ofOrganization = (organization: OrganizationId) =>
  Where.eq<SiteRow, "organization">("organization", organization)

/**
 * Omits spaces from sites while they are in the trash, removes them when they are purged or move to another organization, and unpublishes
 * the sites of an organization in the trash.
 */
export const siteSubscriptions: Effect.Effect<ReadonlyArray<Subscription>, never, Records> = Effect.map(
  SystemGrant.make(
    "Updates the sites of spaces that are trashed, restored, purged or transferred, which the caller may not edit, and unpublishes the sites of organizations in the trash."
  ),
  ({ records }) => [
    subscribeToEvent(SpacesTrashed, ({ spaces }) => hideOnSites(records, spaces)),
    subscribeToEvent(SpacesRestored, ({ spaces }) => returnToSites(records, spaces)),
    subscribeToEvent(SpacesPurged, ({ spaces }) => removeFromSites(records, spaces)),
    subscribeToEvent(SpacesTransferred, ({ spaces }) => removeFromSites(records, spaces)),
    subscribeToEvent(OrganizationTrashed, ({ organization }) =>
      Effect.flatMap(
        setPublished(
          records,
          Where.and<SiteRow>(ofOrganization(organization), Where.eq("published", true)),
          false
        ),
        (unpublished) => storeSuspensions(records, organization, "sites", unpublished)
      )
    ),
    subscribeToEvent(OrganizationRestored, ({ organization }) =>
      Effect.asVoid(
        setPublished(
          records,
          Where.and<SiteRow>(
            ofOrganization(organization),
            records.inSelect("id", suspensions, "subject", suspendedOf(organization, "sites"))
          ),
          true
        )
      )
    )
  ]
)
