/** Loads the rows of a site's structure. */

import { type ReadableRecords, type StorageUnavailable, type Table, Where } from "@lectern/kernel"
import {
  type SiteRow,
  type SiteSectionRow,
  type SiteSpaceRow,
  SiteStructureRules as Structures,
  siteSectionGroups,
  siteSections,
  siteSpaces
} from "@lectern/kernel/tables"
import { Effect } from "effect"

/** Loads the structure of a site with three concurrent queries. */
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
