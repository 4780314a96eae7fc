/**
 * How a site is put together, as pure functions over its rows: their order, what is the default, where things go when
 * they move, and their addresses. A site has a few hundred rows at most, so all of them are looked at together.
 */
import { generateKeyBetween } from "fractional-indexing"
import type { SiteRow, SiteSectionId } from "./Site.ts"
import type { SiteSectionGroupId, SiteSectionGroupRow, SiteSectionRow } from "./SiteSection.ts"
import type { SiteSpaceRow } from "./SiteSpace.ts"

/** The rows of a site. */
export interface Rows {
  readonly site: SiteRow
  readonly groups: ReadonlyArray<SiteSectionGroupRow>
  readonly sections: ReadonlyArray<SiteSectionRow>
  readonly siteSpaces: ReadonlyArray<SiteSpaceRow>
}

/** A site, put together: each kind of its rows in the order of their positions. */
export interface Structure extends Rows {
  readonly sectionById: ReadonlyMap<string, SiteSectionRow>
  readonly siteSpacesBySection: ReadonlyMap<SiteSectionId | null, ReadonlyArray<SiteSpaceRow>>
}

/** Puts the rows of a site together. */
export const buildStructure = ({ site, ...rows }: Rows): Structure => {
  const [groups, sections, siteSpaces] = [
    rows.groups.toSorted(byPosition),
    rows.sections.toSorted(byPosition),
    rows.siteSpaces.toSorted(byPosition)
  ]
  return {
    site,
    groups,
    sections,
    siteSpaces,
    sectionById: new Map(sections.map((row) => [row.id, row])),
    siteSpacesBySection: Map.groupBy(siteSpaces, ({ section }) => section)
  }
}

/** The most sections, groups and site-spaces of a site. */
export const maximum = { sections: 200, groups: 100, siteSpaces: 500 }

/** What has a place among others. */
interface Sibling {
  readonly id: string
  readonly position: string
}

const byPosition = (one: Sibling, other: Sibling): number =>
  one.position < other.position ? -1 : one.position > other.position ? 1 : one.id < other.id ? -1 : 1

/** The groups and the ungrouped sections, which share one order. */
export const topLevel = ({
  groups,
  sections
}: Structure): ReadonlyArray<SiteSectionGroupRow | SiteSectionRow> =>
  [...groups, ...sections.filter(({ sectionGroup }) => sectionGroup === null)].sort(byPosition)

/** Whether something of the top level is a group. */
export const isGroup = (row: SiteSectionGroupRow | SiteSectionRow): row is SiteSectionGroupRow =>
  !("path" in row)

/** Whether a site is its site-spaces: it has no sections, or at most groups that none is in yet. */
export const isFlat = ({ sections, groups, siteSpaces }: Structure): boolean =>
  sections.length === 0 && (groups.length === 0 || siteSpaces.length > 0)

/** The sections of a group, in their order. */
export const sectionsIn = (
  { sections }: Structure,
  group: SiteSectionGroupId
): ReadonlyArray<SiteSectionRow> => sections.filter(({ sectionGroup }) => sectionGroup === group)

/** All sections, as one meets them going through the site in order. */
export const sectionsInOrder = (structure: Structure): ReadonlyArray<SiteSectionRow> =>
  topLevel(structure).flatMap((row) => (isGroup(row) ? sectionsIn(structure, row.id) : [row]))

/** The site-spaces of a section in their order; those at the root for null. */
export const siteSpacesIn = (
  { siteSpacesBySection }: Structure,
  section: SiteSectionId | null
): ReadonlyArray<SiteSpaceRow> => siteSpacesBySection.get(section) ?? []

/** All site-spaces, as one meets them going through the site in order. */
export const siteSpacesInOrder = (structure: Structure): ReadonlyArray<SiteSpaceRow> => [
  ...siteSpacesIn(structure, null),
  ...sectionsInOrder(structure).flatMap(({ id }) => siteSpacesIn(structure, id))
]

/**
 * Where something stands in the whole of a site, as text that sorts so: for lists of what is in different sections.
 * The divider comes before all characters of positions.
 */
export const placeOf = (structure: Structure, row: SiteSectionRow | SiteSpaceRow): string => {
  if ("section" in row) {
    const section = row.section === null ? undefined : structure.sectionById.get(row.section)
    return section === undefined ? row.position : `${placeOf(structure, section)}/${row.position}`
  }
  const group = structure.groups.find(({ id }) => id === row.sectionGroup)
  return group === undefined ? row.position : `${group.position}/${row.position}`
}

/** Whether a site-space is the default of its section, or of the root. */
export const isDefault = ({ site, sectionById }: Structure, { id, section }: SiteSpaceRow): boolean =>
  (section === null ? site : sectionById.get(section))?.defaultSiteSpace === id

/** The key that puts something at the end of siblings. */
export const keyAtEnd = (siblings: ReadonlyArray<Sibling>): string =>
  generateKeyBetween(siblings.at(-1)?.position ?? null, null)

/** Why something cannot stand where it is asked to, by the field that asks. */
export type Misplaced = {
  readonly field: "position" | "position.before" | "position.after"
  readonly message: string
}

/** The key that puts one of siblings before or after another; at the end where neither is said. */
export const keyAt = (
  siblings: ReadonlyArray<Sibling>,
  moving: string,
  before: string | undefined,
  after: string | undefined
): string | Misplaced => {
  const others = siblings.filter(({ id }) => id !== moving)
  const indexOf = (id: string | undefined) =>
    id === undefined ? undefined : others.findIndex((row) => row.id === id)
  const [indexBefore, indexAfter] = [indexOf(before), indexOf(after)]
  const message = "must name another one that stands beside it"
  if (indexBefore === -1) return { field: "position.before", message }
  if (indexAfter === -1) return { field: "position.after", message }
  if (indexAfter === undefined && indexBefore === undefined) return keyAtEnd(others)
  if (indexAfter !== undefined && indexBefore !== undefined && indexBefore <= indexAfter) {
    return { field: "position", message: "must have the one of `after` stand before the one of `before`" }
  }
  const index = indexAfter === undefined ? indexBefore! : indexAfter + 1
  return generateKeyBetween(others[index - 1]?.position ?? null, others[index]?.position ?? null)
}

/** The path of a published site, behind the address of the workspace. */
export const pathOf = ({ id, organization, basename }: SiteRow): string =>
  `/sites/${organization}/${encodeURIComponent(basename ?? id)}/`

/**
 * The address of a published site: where its proxy has it, or below the address of the workspace. Both end in a slash;
 * a visitor with the key of a share link has it in the address.
 */
export const rootOf = (base: string, site: SiteRow, shareKey?: string): string => {
  const root = site.proxy === null ? `${base}${pathOf(site)}` : `https://${site.proxy}/`
  return shareKey === undefined ? root : `${root}${encodeURIComponent(shareKey)}/`
}

const below = (above: string, { path }: { readonly path: string }): string =>
  `${above}${encodeURIComponent(path)}/`

/** The address of a section: the default one is at the root. */
export const sectionUrl = ({ site }: Structure, root: string, row: SiteSectionRow): string =>
  site.defaultSection === row.id ? root : below(root, row)

/**
 * The address of a site-space: the default one of a section is where the section is. The others are below the path of
 * their section, that of the default section too: right below the root they could meet another section's address.
 */
export const siteSpaceUrl = (structure: Structure, root: string, row: SiteSpaceRow): string => {
  const section = row.section === null ? undefined : structure.sectionById.get(row.section)
  if (section === undefined) return isDefault(structure, row) ? root : below(root, row)
  return isDefault(structure, row) ? sectionUrl(structure, root, section) : below(below(root, section), row)
}
