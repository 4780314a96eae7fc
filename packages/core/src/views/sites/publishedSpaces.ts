/** Derives where spaces are published from the sites that contain them. */

import { loadStructure, whereNotTrashed } from "@lectern/access"
import { type ReadableRecords, type StorageUnavailable, type Table, Where } from "@lectern/kernel"
import {
  type SiteRow,
  type SiteSectionRow,
  type SiteSpaceRow,
  type SpaceRow,
  SiteStructureRules as Structures,
  shareLinks,
  siteSections,
  siteSpaces,
  sites
} from "@lectern/kernel/tables"
import type { SiteId, SiteVisibility } from "@lectern/model/sites"
import type { SpaceId } from "@lectern/model/spaces"
import { Effect } from "effect"

/** The visibilities of sites, from the most to the least visible. */
const byVisibility: ReadonlyArray<SiteVisibility> = ["public", "unlisted", "share-link", "visitor-auth"]

/** The visibility and the URL that a space is published with; null for an unpublished space. */
type Publication = SpaceRow["published"]

/** Whether two publications are the same. */
export const isPublishedAt = (one: Publication, other: Publication): boolean =>
  one?.url === other?.url && one?.visibility === other?.visibility

/** Returns the sites with a space in the trash: their stored defaults can be that space. */
const sitesWithTrash = (
  records: ReadableRecords<Table.AnyTable>,
  ids: ReadonlyArray<SiteId>
): Effect.Effect<ReadonlySet<SiteId>, StorageUnavailable> =>
  ids.length === 0
    ? Effect.succeed(new Set())
    : Effect.map(
        records.find(siteSpaces, {
          select: ["site"],
          where: Where.and<SiteSpaceRow>(Where.isIn("site", ids), Where.not(whereNotTrashed(records)))
        }),
        (rows) => new Set(rows.map(({ site }) => site))
      )

/**
 * Derives the publications of spaces. A space is published by the most visible of the published sites that contain it.
 * Unpublished spaces are not in the map.
 */
export const publishedOf = Effect.fnUntraced(function* (
  records: ReadableRecords<Table.AnyTable>,
  ids: ReadonlyArray<SpaceId>
): Effect.fn.Return<ReadonlyMap<SpaceId, NonNullable<Publication>>, StorageUnavailable> {
  const ofSpaces = Where.and<SiteSpaceRow>(Where.isIn("space", ids), whereNotTrashed(records))
  const [links, [published, sections]] = yield* records.zipConcurrent(
    records.find(siteSpaces, { where: ofSpaces }),
    records.zipConcurrent(
      records.find(sites, {
        where: Where.and<SiteRow>(
          Where.eq("published", true),
          records.inSelect("id", siteSpaces, "site", ofSpaces)
        )
      }),
      records.find(siteSections, {
        where: records.inSelect<SiteSectionRow, "id", typeof siteSpaces, "section">(
          "id",
          siteSpaces,
          "section",
          ofSpaces
        )
      })
    )
  )
  const withTrash = yield* sitesWithTrash(
    records,
    published.map(({ id }) => id)
  )
  const publications = new Map<SpaceId, NonNullable<Publication>>()
  const mostVisibleFirst = published.toSorted(
    (one, other) => byVisibility.indexOf(one.visibility) - byVisibility.indexOf(other.visibility)
  )
  for (const site of mostVisibleFirst) {
    const ofSite = links.filter((link) => link.site === site.id)
    const structure = withTrash.has(site.id)
      ? yield* loadStructure(records, site)
      : Structures.buildStructure({
          site,
          groups: [],
          sections: sections.filter((section) => section.site === site.id),
          siteSpaces: ofSite,
          links: []
        })
    for (const link of ofSite) {
      if (publications.has(link.space)) continue
      const url = Structures.siteSpaceUrl(structure, Structures.rootOf("", site), link)
      publications.set(link.space, { visibility: site.visibility, url })
    }
  }
  return publications
})

/**
 * Returns the URL of a space, or its path below the workspace, on the site of an active share link. Returns undefined if the
 * link is inactive or its site does not contain the space, or if the space is published by a more visible site.
 */
export const urlByKey = Effect.fnUntraced(function* (
  records: ReadableRecords<Table.AnyTable>,
  { id, published }: SpaceRow,
  key: string
): Effect.fn.Return<string | undefined, StorageUnavailable> {
  if (published?.visibility !== "share-link") return undefined
  const link = yield* records.first(shareLinks, { where: Where.eq("key", key) })
  if (link?.active !== true) return undefined
  const site = yield* records.get(sites, { id: link.site })
  if (site?.published !== true || site.visibility !== "share-link") return undefined
  const structure = yield* loadStructure(records, site)
  const found = structure.siteSpaces.find(({ space }) => space === id)
  return found === undefined
    ? undefined
    : Structures.siteSpaceUrl(structure, Structures.rootOf("", site, key), found)
})
