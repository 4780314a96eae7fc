/** Where spaces are published, derived from the sites that they are on. */
import { Effect } from "effect"
import {
  type ReadableRecords,
  type StorageUnavailable,
  type Table,
  Where
} from "../../kernel/storage/index.ts"
import { shareLinks } from "../../model/sites/ShareLink.ts"
import { type SiteRow, type SiteVisibility, sites } from "../../model/sites/Site.ts"
import { type SiteSectionRow, siteSectionGroups, siteSections } from "../../model/sites/SiteSection.ts"
import { type SiteSpaceRow, siteSpaces } from "../../model/sites/SiteSpace.ts"
import * as Structures from "../../model/sites/SiteStructureRules.ts"
import type { SpaceId, SpaceRow } from "../../model/spaces/Space.ts"

/** Reads the structure of a site: three queries at once. */
export const loadStructure = (
  records: ReadableRecords<Table.AnyTable>,
  site: SiteRow
): Effect.Effect<Structures.Structure, StorageUnavailable> =>
  Effect.map(
    records.zipConcurrent(
      records.find(siteSpaces, { where: Where.eq<SiteSpaceRow, "site">("site", site.id) }),
      records.zipConcurrent(
        records.find(siteSections, { where: Where.eq<SiteSectionRow, "site">("site", site.id) }),
        records.find(siteSectionGroups, { where: Where.eq("site", site.id) })
      )
    ),
    ([siteSpaces, [sections, groups]]) => Structures.buildStructure({ site, groups, sections, siteSpaces })
  )

/** From the most open to the least. */
const openness: ReadonlyArray<SiteVisibility> = ["public", "unlisted", "share-link", "visitor-auth"]

/** Where a space is published, for whom and at which address; null for one that is nowhere. */
type Place = SpaceRow["published"]

/** Whether two places are the same. */
export const isPublishedAt = (one: Place, other: Place): boolean =>
  one?.url === other?.url && one?.visibility === other?.visibility

/** Where spaces are published: on the most open of the published sites that they are on. Others are not in the map. */
export const publishedOf = Effect.fnUntraced(function* (
  records: ReadableRecords<Table.AnyTable>,
  ids: ReadonlyArray<SpaceId>
): Effect.fn.Return<ReadonlyMap<SpaceId, NonNullable<Place>>, StorageUnavailable> {
  const theirs = Where.isIn<SiteSpaceRow, "space">("space", ids)
  const [links, [published, sections]] = yield* records.zipConcurrent(
    records.find(siteSpaces, { where: theirs }),
    records.zipConcurrent(
      records.find(sites, {
        where: Where.and<SiteRow>(
          Where.eq("published", true),
          records.inSelect("id", siteSpaces, "site", theirs)
        )
      }),
      records.find(siteSections, {
        where: records.inSelect<SiteSectionRow, "id", typeof siteSpaces, "section">(
          "id",
          siteSpaces,
          "section",
          theirs
        )
      })
    )
  )
  const best = new Map<SpaceId, NonNullable<Place>>()
  const inOrder = published.toSorted(
    (one, other) => openness.indexOf(one.visibility) - openness.indexOf(other.visibility)
  )
  for (const site of inOrder) {
    const inside = links.filter((link) => link.site === site.id)
    const structure = Structures.buildStructure({
      site,
      groups: [],
      sections: sections.filter((section) => section.site === site.id),
      siteSpaces: inside
    })
    for (const link of inside) {
      if (best.has(link.space)) continue
      const url = Structures.siteSpaceUrl(structure, Structures.rootOf("", site), link)
      best.set(link.space, { visibility: site.visibility, url })
    }
  }
  return best
})

/**
 * The address of a space, or its path below the workspace, on the site that the key of a share link opens; undefined
 * where it opens none that the space is on, or where the space is on a more open site.
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
