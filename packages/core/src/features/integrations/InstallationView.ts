/** Converts rows of installations to resources, with a fixed number of queries for any number of rows. */

import type { GrantedReader } from "@lectern/access"
import { decodeSet, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type ContentInstallationRow,
  contentInstallations,
  type InstallationRow,
  type IntegrationRow,
  type SpaceRow,
  spaces
} from "@lectern/kernel/tables"
import type { Installation } from "@lectern/model/integrations"
import { Effect } from "effect"
import { statusOf } from "./configuration.ts"
import { assetsPath } from "./IntegrationView.ts"

/** Counts the spaces that installations apply to: all of the organization, or the selected ones. */
const countSpaces = Effect.fnUntraced(function* (
  records: GrantedReader,
  rows: ReadonlyArray<InstallationRow>
): Effect.fn.Return<(row: InstallationRow) => number, StorageUnavailable> {
  const unrestricted = rows.filter(({ spaceSelection }) => spaceSelection === "all")
  const counts =
    unrestricted.length === 0
      ? new Map()
      : yield* records.countBy(
          spaces,
          "organization",
          Where.and<SpaceRow>(
            Where.isIn("organization", [...new Set(unrestricted.map(({ organization }) => organization))]),
            Where.isNull("deletedAt")
          )
        )
  const selecting = rows.filter(({ spaceSelection }) => spaceSelection === "selected")
  const selected =
    selecting.length === 0
      ? new Map()
      : yield* records.countBy(
          contentInstallations,
          "installation",
          Where.and<ContentInstallationRow>(
            Where.isIn(
              "installation",
              selecting.map(({ id }) => id)
            ),
            Where.eq("kind", "space")
          )
        )
  return ({ id, organization, spaceSelection }) =>
    (spaceSelection === "all" ? counts.get(organization) : selected.get(id)) ?? 0
})

/** Converts installations to resources. `integrationOf` returns the integration of each. */
export const presentInstallations = Effect.fnUntraced(function* (
  records: GrantedReader,
  base: string,
  integrationOf: (row: InstallationRow) => IntegrationRow,
  rows: ReadonlyArray<InstallationRow>
): Effect.fn.Return<ReadonlyArray<Installation>, StorageUnavailable> {
  const spacesOf = yield* countSpaces(records, rows)
  return rows.map((row) => {
    const integration = integrationOf(row)
    return {
      id: row.id,
      status: statusOf(integration, "account", row.configuration),
      space_selection: row.spaceSelection,
      site_selection: row.siteSelection,
      spaces: spacesOf(row),
      configuration: row.configuration,
      createdAt: row.createdAt,
      updatedAt: row.updatedAt,
      urls: {
        location: `${base}/v1/integrations/${integration.name}/installations/${row.id}`,
        app: `${base}/o/${row.organization}/integrations/${integration.name}`,
        publicEndpoint: `${base}${assetsPath}${integration.name}/endpoint/${row.id}`,
        publicContentEndpoint: `${base}${assetsPath}${integration.name}/endpoint/${row.id}`
      },
      externalIds: decodeSet(row.externalIds),
      target: { organization: row.organization }
    }
  })
})
