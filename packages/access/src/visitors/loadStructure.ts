/** Loads the rows of a site's structure. */

import { type ReadableRecords, type StorageUnavailable, type Table, Where } from "@lectern/kernel"
import {
  type SiteExternalLinkRow,
  type SiteRow,
  type SiteSectionRow,
  type SiteSpaceRow,
  SiteStructureRules as Structures,
  siteExternalLinks,
  siteSectionGroups,
  siteSections,
  siteSpaces
} from "@lectern/kernel/tables"
import { Effect } from "effect"

/** Loads the structure of a site with four concurrent queries. */
export const loadStructure = (
  records: ReadableRecords<Table.AnyTable>,
  site: SiteRow
): Effect.Effect<Structures.Structure, StorageUnavailable> =>
  Effect.map(
    records.zipConcurrent(
      records.find(siteSpaces, { where: Where.eq<SiteSpaceRow, "site">("site", site.id) }),
      records.zipConcurrent(
        records.find(siteSections, { where: Where.eq<SiteSectionRow, "site">("site", site.id) }),
        records.zipConcurrent(
          records.find(siteSectionGroups, { where: Where.eq("site", site.id) }),
          records.find(siteExternalLinks, { where: Where.eq<SiteExternalLinkRow, "site">("site", site.id) })
        )
      )
    ),
    ([siteSpaces, [sections, [groups, links]]]) =>
      Structures.buildStructure({ site, groups, sections, siteSpaces, links })
  )
