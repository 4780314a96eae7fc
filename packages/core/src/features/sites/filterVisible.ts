/** What of a site is shown to whom. */

import type { SiteSectionRow } from "../../model/sites/SiteSection.ts"
import type { SiteSpaceRow } from "../../model/sites/SiteSpace.ts"
import { type Structure, sectionsIn } from "../../model/sites/SiteStructureRules.ts"
import { settle } from "./structureEdits.ts"

/**
 * What is left of a site where only some of it is shown. What was the default and is not shown leaves its place to the
 * next one, so that each address still leads somewhere; a group whose sections are all hidden is hidden with them.
 */
export const only = (
  structure: Structure,
  shows: (row: SiteSectionRow | SiteSpaceRow) => boolean
): Structure => {
  const sections = structure.sections.filter(shows)
  const there = new Set<string | null>([null, ...sections.map(({ id }) => id)])
  const siteSpaces = structure.siteSpaces.filter((row) => there.has(row.section) && shows(row))
  const groups = structure.groups.filter(({ id }) => {
    const inside = sectionsIn(structure, id)
    return inside.length === 0 || inside.some((row) => there.has(row.id))
  })
  return settle(structure, { site: structure.site, groups, sections, siteSpaces })
}
