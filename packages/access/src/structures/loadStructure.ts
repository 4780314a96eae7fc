/** Loads the rows of a site's structure. */

import { type ReadableRecords, type StorageUnavailable, type Table, Where } from "@lectern/kernel"
import {
  normalizeDefaults,
  type SiteExternalLinkRow,
  type SiteRow,
  type SiteSectionRow,
  type SiteSpaceRow,
  type SpaceRow,
  SiteStructureRules as Structures,
  siteExternalLinks,
  siteSectionGroups,
  siteSections,
  siteSpaces,
  spaces
} from "@lectern/kernel/tables"
import type { SpaceId } from "@lectern/model/spaces"
import { Effect } from "effect"

/** The stored rows of a site. Spaces in the trash keep their rows, so that they can be restored to their place. */
export interface StoredStructure {
  /** The structure with the spaces in the trash. A default can be one of them. */
  readonly stored: Structures.Structure
  /** The spaces of the site that are in the trash. */
  readonly trashed: ReadonlySet<SpaceId>
}

/** Returns the condition for site-spaces whose space is not in the trash. */
export const whereNotTrashed = (records: ReadableRecords<Table.AnyTable>): Where.Where<SiteSpaceRow> =>
  records.inSelect<SiteSpaceRow, "space", typeof spaces, "id">(
    "space",
    spaces,
    "id",
    Where.isNull<SpaceRow, "deletedAt">("deletedAt")
  )

/** Returns a structure without spaces. The nearest remaining site-space replaces a default that is one of them. */
export const withoutSpaces = (
  structure: Structures.Structure,
  hidden: ReadonlySet<SpaceId>
): Structures.Structure =>
  hidden.size === 0
    ? structure
    : normalizeDefaults(structure, {
        ...structure,
        siteSpaces: structure.siteSpaces.filter(({ space }) => !hidden.has(space))
      })

/** Loads the stored structure of a site with five concurrent queries. */
export const loadStoredStructure = (
  records: ReadableRecords<Table.AnyTable>,
  site: SiteRow
): Effect.Effect<StoredStructure, StorageUnavailable> => {
  const onSite = Where.eq<SiteSpaceRow, "site">("site", site.id)
  return Effect.map(
    records.zipConcurrent(
      records.zipConcurrent(
        records.find(siteSpaces, { where: onSite }),
        records.find(spaces, {
          select: ["id"],
          where: Where.and<SpaceRow>(
            records.inSelect<SpaceRow, "id", typeof siteSpaces, "space">("id", siteSpaces, "space", onSite),
            Where.not(Where.isNull("deletedAt"))
          )
        })
      ),
      records.zipConcurrent(
        records.find(siteSections, { where: Where.eq<SiteSectionRow, "site">("site", site.id) }),
        records.zipConcurrent(
          records.find(siteSectionGroups, { where: Where.eq("site", site.id) }),
          records.find(siteExternalLinks, { where: Where.eq<SiteExternalLinkRow, "site">("site", site.id) })
        )
      )
    ),
    ([[siteSpaces, trashed], [sections, [groups, links]]]) => ({
      stored: Structures.buildStructure({ site, groups, sections, siteSpaces, links }),
      trashed: new Set(trashed.map(({ id }) => id))
    })
  )
}

/** Loads the structure of a site, without spaces in the trash. */
export const loadStructure = (
  records: ReadableRecords<Table.AnyTable>,
  site: SiteRow
): Effect.Effect<Structures.Structure, StorageUnavailable> =>
  Effect.map(loadStoredStructure(records, site), ({ stored, trashed }) => withoutSpaces(stored, trashed))
