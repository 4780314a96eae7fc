/** The defaults of the levels of a site, which every edit and every filter of its structure restores. */

import {
  buildStructure,
  groupedIn,
  type Rows,
  type Structure,
  sectionsInOrder,
  siteSpacesIn
} from "./SiteStructureRules.ts"
import type { SiteExternalLinkRow } from "./siteExternalLinkTable.ts"
import type { SiteSectionRow } from "./siteSectionTables.ts"
import type { SiteSpaceRow } from "./siteSpaceTable.ts"

/**
 * Returns the default among the remaining items: the current default if it remains, otherwise the nearest item after
 * it, otherwise the nearest before it. Returns the first item if there was no default, and null if no items remain.
 */
const nextDefault = <Id extends string>(
  before: ReadonlyArray<{ readonly id: Id }>,
  after: ReadonlyArray<{ readonly id: Id }>,
  current: Id | null
): Id | null => {
  const remaining = new Set(after.map(({ id }) => id))
  if (current !== null && remaining.has(current)) return current
  const index = before.findIndex(({ id }) => id === current)
  const candidates = [...before.slice(index + 1), ...before.slice(0, Math.max(index, 0)).reverse()]
  return candidates.find(({ id }) => remaining.has(id))?.id ?? after[0]?.id ?? null
}

/** Builds a structure with exactly one default on each level that has items. */
export const normalizeDefaults = (before: Structure, rows: Rows): Structure => {
  const after = buildStructure(rows)
  const { site } = after
  const sections = after.sections.map((row) => {
    const previous = siteSpacesIn(before, row.id)
    const defaultSiteSpace = nextDefault(previous, siteSpacesIn(after, row.id), row.defaultSiteSpace)
    return defaultSiteSpace === row.defaultSiteSpace ? row : { ...row, defaultSiteSpace }
  })
  const defaultSection = nextDefault(sectionsInOrder(before), sectionsInOrder(after), site.defaultSection)
  const defaultSiteSpace = nextDefault(
    siteSpacesIn(before, null),
    siteSpacesIn(after, null),
    site.defaultSiteSpace
  )
  const isSame = defaultSection === site.defaultSection && defaultSiteSpace === site.defaultSiteSpace
  return buildStructure({
    ...after,
    sections,
    site: isSame ? site : { ...site, defaultSection, defaultSiteSpace }
  })
}

/**
 * Returns the structure with only its visible rows. The next visible item replaces a hidden default, so that the URLs
 * of the site and of its sections still resolve. A section without visible site-spaces is hidden too, and so is a
 * group whose sections and links are all hidden. Drafts of links are hidden.
 */
export const filterVisible = (
  structure: Structure,
  isVisible: (row: SiteSectionRow | SiteSpaceRow | SiteExternalLinkRow) => boolean
): Structure => {
  const sections = structure.sections.filter((section) => {
    const inside = siteSpacesIn(structure, section.id)
    return isVisible(section) && inside.some(isVisible)
  })
  const visible = new Set<string | null>([null, ...sections.map(({ id }) => id)])
  const siteSpaces = structure.siteSpaces.filter((row) => visible.has(row.section) && isVisible(row))
  const links = structure.links.filter((row) => !row.draft && isVisible(row))
  for (const { id } of links) visible.add(id)
  const groups = structure.groups.filter(({ id }) => {
    const inside = groupedIn(structure, id)
    return inside.length === 0 || inside.some((row) => visible.has(row.id))
  })
  return normalizeDefaults(structure, { site: structure.site, groups, sections, siteSpaces, links })
}
