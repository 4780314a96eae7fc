/**
 * The structure of a site, as pure functions over its rows: order, defaults, positions and URLs. A site has a few
 * hundred rows at most, so these functions process all of them in memory.
 */

import { isReservedBasename, type SiteSectionGroupId, type SiteSectionId } from "@lectern/model/sites"
import { generateKeyBetween } from "fractional-indexing"
import type { SiteExternalLinkRow } from "./siteExternalLinkTable.ts"
import type { SiteSectionGroupRow, SiteSectionRow } from "./siteSectionTables.ts"
import type { SiteSpaceRow } from "./siteSpaceTable.ts"
import type { SiteRow } from "./siteTable.ts"

/** The rows of a site. */
export interface Rows {
  readonly site: SiteRow
  readonly groups: ReadonlyArray<SiteSectionGroupRow>
  readonly sections: ReadonlyArray<SiteSectionRow>
  readonly siteSpaces: ReadonlyArray<SiteSpaceRow>
  /** Links to other websites, which are siblings of sections. */
  readonly links: ReadonlyArray<SiteExternalLinkRow>
}

/** The rows of a site, sorted by position and indexed. */
export interface Structure extends Rows {
  readonly sectionById: ReadonlyMap<string, SiteSectionRow>
  readonly siteSpacesBySection: ReadonlyMap<SiteSectionId | null, ReadonlyArray<SiteSpaceRow>>
}

/** Sorts and indexes the rows of a site. */
export const buildStructure = ({ site, ...rows }: Rows): Structure => {
  const [groups, sections, siteSpaces, links] = [
    rows.groups.toSorted(comparePositions),
    rows.sections.toSorted(comparePositions),
    rows.siteSpaces.toSorted(comparePositions),
    rows.links.toSorted(comparePositions)
  ]
  return {
    site,
    groups,
    sections,
    siteSpaces,
    links,
    sectionById: new Map(sections.map((row) => [row.id, row])),
    siteSpacesBySection: Map.groupBy(siteSpaces, ({ section }) => section)
  }
}

/** The maximum number of sections, section groups, site-spaces and links of a site. */
export const siteLimits = { sections: 200, groups: 100, siteSpaces: 500, links: 100 }

/** A row with a position among others. */
interface Sibling {
  readonly id: string
  readonly position: string
}

const comparePositions = (one: Sibling, other: Sibling): number =>
  one.position < other.position ? -1 : one.position > other.position ? 1 : one.id < other.id ? -1 : 1

/** An item that can be in a group. */
export type GroupedRow = SiteSectionRow | SiteExternalLinkRow

/** An item of the top level. */
export type TopLevelRow = SiteSectionGroupRow | GroupedRow

/** The sections and links of a group, which share one order; null for those outside of groups. */
export const groupedIn = (
  { sections, links }: Structure,
  group: SiteSectionGroupId | null
): ReadonlyArray<GroupedRow> =>
  [...sections, ...links].filter(({ sectionGroup }) => sectionGroup === group).sort(comparePositions)

/** The groups, and the sections and links outside of groups, which share one order. */
export const topLevel = (structure: Structure): ReadonlyArray<TopLevelRow> =>
  [...structure.groups, ...groupedIn(structure, null)].sort(comparePositions)

/** The siblings of the sections and links of a group; null for the top level. */
export const siblingsIn = (
  structure: Structure,
  group: SiteSectionGroupId | null
): ReadonlyArray<TopLevelRow> => (group === null ? topLevel(structure) : groupedIn(structure, group))

/** Whether a row of the top level is a group. */
export const isGroup = (row: TopLevelRow): row is SiteSectionGroupRow => !("sectionGroup" in row)

/** Whether a row of the top level, or of a group, is a link. */
export const isLink = (row: TopLevelRow): row is SiteExternalLinkRow => "url" in row

/** Whether a site consists of site-spaces: it has no sections, and at most empty groups. Its links are not displayed. */
export const isFlat = ({ sections, groups, siteSpaces, links }: Structure): boolean =>
  sections.length === 0 && ((groups.length === 0 && links.length === 0) || siteSpaces.length > 0)

/** The sections of a group, in their order. */
export const sectionsIn = (
  { sections }: Structure,
  group: SiteSectionGroupId
): ReadonlyArray<SiteSectionRow> => sections.filter(({ sectionGroup }) => sectionGroup === group)

/** All sections, in the order of the site. */
export const sectionsInOrder = (structure: Structure): ReadonlyArray<SiteSectionRow> =>
  topLevel(structure).flatMap((row) =>
    isGroup(row) ? sectionsIn(structure, row.id) : isLink(row) ? [] : [row]
  )

/** Returns the site-spaces of a section in their order; null for the root. */
export const siteSpacesIn = (
  { siteSpacesBySection }: Structure,
  section: SiteSectionId | null
): ReadonlyArray<SiteSpaceRow> => siteSpacesBySection.get(section) ?? []

/** All site-spaces, in the order of the site. */
export const siteSpacesInOrder = (structure: Structure): ReadonlyArray<SiteSpaceRow> => [
  ...siteSpacesIn(structure, null),
  ...sectionsInOrder(structure).flatMap(({ id }) => siteSpacesIn(structure, id))
]

/**
 * The place of a section or a site-space in the whole site, as text that sorts in the order of the site. The divider
 * sorts before every character of a position.
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

/** The position key of a new item after all siblings. */
export const keyAtEnd = (siblings: ReadonlyArray<Sibling>): string =>
  generateKeyBetween(siblings.at(-1)?.position ?? null, null)

/** The error of a requested position, and the field of the input that requests it. */
export type InvalidPosition = {
  readonly field: "position" | "position.before" | "position.after"
  readonly message: string
}

/** Returns the position key of an item before or after a sibling, or at the end by default. */
export const keyAt = (
  siblings: ReadonlyArray<Sibling>,
  moving: string,
  before: string | undefined,
  after: string | undefined
): string | InvalidPosition => {
  const others = siblings.filter(({ id }) => id !== moving)
  const indexOf = (id: string | undefined) =>
    id === undefined ? undefined : others.findIndex((row) => row.id === id)
  const [indexBefore, indexAfter] = [indexOf(before), indexOf(after)]
  const message = "must be the id of another item on the same level"
  if (indexBefore === -1) return { field: "position.before", message }
  if (indexAfter === -1) return { field: "position.after", message }
  if (indexAfter === undefined && indexBefore === undefined) return keyAtEnd(others)
  if (indexAfter !== undefined && indexBefore !== undefined && indexBefore <= indexAfter) {
    return { field: "position", message: "must have the item of `after` in front of the item of `before`" }
  }
  const index = indexAfter === undefined ? indexBefore! : indexAfter + 1
  return generateKeyBetween(others[index - 1]?.position ?? null, others[index]?.position ?? null)
}

/** The path of a published site below the URL of the workspace. A basename from before some were reserved is not part of it. */
export const pathOf = ({ id, organization, basename }: SiteRow): string => {
  const name = basename === null || isReservedBasename(basename) ? id : basename
  return `/sites/${organization}/${encodeURIComponent(name)}/`
}

/**
 * The URL of a published site: the URL of its proxy, or one below the URL of the workspace. Both end in a
 * slash. With `shareKey`, the URL contains the key.
 */
export const rootOf = (base: string, site: SiteRow, shareKey?: string): string => {
  const root = site.proxy === null ? `${base}${pathOf(site)}` : `https://${site.proxy}/`
  return shareKey === undefined ? root : `${root}${encodeURIComponent(shareKey)}/`
}

const addressBelow = (above: string, { path }: { readonly path: string }): string =>
  `${above}${encodeURIComponent(path)}/`

/** The URL of a section; the default section is at the root. */
export const sectionUrl = ({ site }: Structure, root: string, row: SiteSectionRow): string =>
  site.defaultSection === row.id ? root : addressBelow(root, row)

/**
 * The URL of a site-space. The default site-space of a section has the URL of the section, and the others are
 * below the path of their section. That includes the default section: directly below the root, the path of a
 * site-space could clash with the path of another section.
 */
export const siteSpaceUrl = (structure: Structure, root: string, row: SiteSpaceRow): string => {
  const section = row.section === null ? undefined : structure.sectionById.get(row.section)
  if (section === undefined) return isDefault(structure, row) ? root : addressBelow(root, row)
  return isDefault(structure, row)
    ? sectionUrl(structure, root, section)
    : addressBelow(addressBelow(root, section), row)
}
