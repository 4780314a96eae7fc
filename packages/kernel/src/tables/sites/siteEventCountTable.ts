/** The table `siteEventCounts`. */

import type { PageId } from "@lectern/model/content"
import type { OrganizationId } from "@lectern/model/organizations"
import type { SiteEventType, SiteId } from "@lectern/model/sites"
import { Table } from "../../storage/index.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { sites } from "./siteTable.ts"

/**
 * The kinds of counts besides the events of the API: paths that no page has, searches without results, and ratings of pages. Their
 * subject is a string or a page.
 */
export type CountedSubject = "not_found" | "no_results" | "rated_good" | "rated_bad"

/** Returns the type of the events that a count has; `undefined` for a path that no page has and a search without results. */
export const eventTypeOf = (type: SiteEventType | CountedSubject): SiteEventType | undefined => {
  if (type === "rated_good" || type === "rated_bad") return "page_post_feedback"
  return type === "not_found" || type === "no_results" ? undefined : type
}

const siteEventCountColumns = {
  organization: Table.text<OrganizationId>(),
  site: Table.text<SiteId>(),
  /** The day in UTC, such as `2026-11-26`. */
  day: Table.text(),
  type: Table.text<SiteEventType | CountedSubject>(),
  /**
   * The page, or the hash of a path or a search; empty for events that name none, because columns of a key are never
   * null.
   */
  page: Table.text<PageId | "">(),
  /** The path of the page on the site when the row was changed last; or the path that no page has, or the search. */
  path: Table.text(),
  count: Table.integer()
}

/** A row of the table `siteEventCounts`. */
export interface SiteEventCountRow extends Table.RowOf<typeof siteEventCountColumns> {}

/** The table of the numbers of events of sites. Rows change by single statements, which add to the count. */
export const siteEventCounts: Table.ProtectedTable<
  "siteEventCounts",
  SiteEventCountRow,
  "organization" | "site" | "day" | "type" | "page"
> = Table.makeProtected("siteEventCounts", {
  tenant: "organization",
  columns: siteEventCountColumns,
  locking: Table.withoutLocks,
  key: ["organization", "site", "day", "type", "page"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    site: { table: () => sites, onRemove: "cascade" }
  },
  indexes: [["site"], ["day"]]
})
