/** Filters the structure of a site for a visitor. */
import type { SiteSectionRow } from "../../model/sites/SiteSection.ts"
import type { SiteSpaceRow } from "../../model/sites/SiteSpace.ts"
import { type Structure, sectionsIn } from "../../model/sites/SiteStructureRules.ts"
import { normalizeDefaults } from "./structureEdits.ts"

/**
 * Returns the structure with only its visible rows. The next visible item replaces a hidden default, so that the URLs
 * of the site and of its sections still resolve. A group whose sections are all hidden is hidden too.
 */
export const filterVisible = (
  structure: Structure,
  isVisible: (row: SiteSectionRow | SiteSpaceRow) => boolean
): Structure => {
  const sections = structure.sections.filter(isVisible)
  const visible = new Set<string | null>([null, ...sections.map(({ id }) => id)])
  const siteSpaces = structure.siteSpaces.filter((row) => visible.has(row.section) && isVisible(row))
  const groups = structure.groups.filter(({ id }) => {
    const inside = sectionsIn(structure, id)
    return inside.length === 0 || inside.some((row) => visible.has(row.id))
  })
  return normalizeDefaults(structure, { site: structure.site, groups, sections, siteSpaces })
}
