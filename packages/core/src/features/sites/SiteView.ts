/** Presents sites as resources, with a fixed number of queries for any number of sites. */

import { type Caller, type GrantedReader, roleOnSite, whereNotTrashed } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import {
  rootOf,
  type SiteRow,
  type SiteSectionRow,
  type SiteSpaceRow,
  siteSections,
  siteSpaces
} from "@lectern/kernel/tables"
import { sitePermissions } from "@lectern/model/roles"
import type { Site } from "@lectern/model/sites"
import { Effect } from "effect"

/** The numbers of sections and site-spaces of a site. */
export interface SiteCounts {
  readonly sections: number
  readonly siteSpaces: number
}

/** Presents a site as a resource, for a caller. With `shareKey`, the published URL contains the key. */
export const presentSite = (
  base: string,
  caller: Caller,
  row: SiteRow,
  counts: SiteCounts,
  shareKey?: string
): Site => ({
  object: "site",
  id: row.id,
  type: row.type,
  appliedType: row.type,
  title: row.title,
  ...(row.icon === null ? {} : { icon: row.icon }),
  ...(row.basename === null ? {} : { basename: row.basename }),
  ...(row.hostname === null ? {} : { hostname: row.hostname }),
  ...(row.proxy === null || row.hostname !== null
    ? {}
    : { proxy: { origin: row.proxy, target: rootOf(base, { ...row, proxy: null }) } }),
  visibility: row.visibility,
  defaultLevel: "inherit",
  permissions: sitePermissions(roleOnSite(caller, row.id), caller.role),
  published: row.published,
  siteSpaces: counts.siteSpaces,
  createdAt: row.createdAt,
  adaptiveContent: { enabled: row.adaptive },
  agentsContext: row.agentsContext,
  features: counts.sections === 0 ? [] : [{ id: "sites-sections", plan: "basic", frozen: false }],
  urls: {
    location: `${base}/v1/orgs/${row.organization}/sites/${row.id}`,
    app: `${base}/o/${row.organization}/sites/${row.id}`,
    preview: `${base}/o/${row.organization}/sites/${row.id}`,
    ...(row.published ? { published: rootOf(base, row, shareKey) } : {})
  }
})

/** Presents sites as resources, in their order. Issues two queries, which count the sections and site-spaces. */
export const presentSites = Effect.fnUntraced(function* (
  records: GrantedReader,
  base: string,
  caller: Caller,
  rows: ReadonlyArray<SiteRow>
): Effect.fn.Return<ReadonlyArray<Site>, StorageUnavailable> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [inside, sections] = yield* records.zipConcurrent(
    records.countBy(
      siteSpaces,
      "site",
      Where.and<SiteSpaceRow>(Where.isIn("site", ids), whereNotTrashed(records))
    ),
    records.countBy(siteSections, "site", Where.isIn<SiteSectionRow, "site">("site", ids))
  )
  return rows.map((row) =>
    presentSite(base, caller, row, {
      siteSpaces: inside.get(row.id) ?? 0,
      sections: sections.get(row.id) ?? 0
    })
  )
})
