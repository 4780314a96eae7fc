/** Loads the rows of a site's structure. */
import { Effect } from "effect"
import {
  type ReadableRecords,
  type StorageUnavailable,
  type Table,
  Where
} from "../../kernel/storage/index.ts"
import * as Structures from "../../tables/sites/SiteStructureRules.ts"
import { type SiteSectionRow, siteSectionGroups, siteSections } from "../../tables/sites/siteSectionTables.ts"
import { type SiteSpaceRow, siteSpaces } from "../../tables/sites/siteSpaceTable.ts"
import type { SiteRow } from "../../tables/sites/siteTable.ts"

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
