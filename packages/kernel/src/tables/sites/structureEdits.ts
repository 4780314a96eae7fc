/**
 * Edits of a site's structure, as pure functions from one structure to the next. Each ends with `normalizeDefaults`,
 * which restores the invariant that every level has exactly one default.
 */

import { freeAmong } from "@lectern/markdown/text"
import type { SiteSectionGroupId, SiteSectionId, SiteSpaceId } from "@lectern/model/sites"
import { generateNKeysBetween } from "fractional-indexing"
import {
  buildStructure,
  groupedIn,
  isGroup,
  keyAt,
  keyAtEnd,
  type Rows,
  type Structure,
  siteSpacesIn,
  topLevel
} from "./SiteStructureRules.ts"
import type { SiteExternalLinkRow } from "./siteExternalLinkTable.ts"
import type { SiteSectionGroupRow, SiteSectionRow } from "./siteSectionTables.ts"
import type { SiteSpaceRow } from "./siteSpaceTable.ts"
import { normalizeDefaults } from "./structureDefaults.ts"

/** Merges changes into rows. Rows without changes retain their identity, which `saveStructure` compares. */
const mapRows = <Row extends { readonly id: string }>(
  rows: ReadonlyArray<Row>,
  changes: (row: Row) => Partial<Row> | undefined
): ReadonlyArray<Row> =>
  rows.map((row) => {
    const change = changes(row)
    return change === undefined ? row : { ...row, ...change }
  })

/** Adds a site-space. */
export const addSiteSpace = (structure: Structure, row: SiteSpaceRow): Structure =>
  normalizeDefaults(structure, { ...structure, siteSpaces: [...structure.siteSpaces, row] })

/** Removes site-spaces. */
export const removeSiteSpaces = (structure: Structure, removed: ReadonlySet<SiteSpaceId>): Structure =>
  normalizeDefaults(structure, {
    ...structure,
    siteSpaces: structure.siteSpaces.filter(({ id }) => !removed.has(id))
  })

/** Returns the position of a returning site-space: its own, or one directly after the item that has taken it. */
const returnedPosition = (
  siblings: ReadonlyArray<SiteSpaceRow>,
  row: SiteSpaceRow,
  section: SiteSectionId | null
): string => {
  if (section !== row.section) return keyAtEnd(siblings)
  const holder = siblings.find(({ position }) => position === row.position)
  const key = holder === undefined ? row.position : keyAt(siblings, row.id, undefined, holder.id)
  return typeof key === "string" ? key : keyAtEnd(siblings)
}

/**
 * Returns a site-space whose space was in the trash to its former place, in the structure as stored: `visible` is the structure without
 * spaces in the trash. Its level keeps the stored default, which can be the site-space, or one that is still in the trash.
 */
export const returnSiteSpace = (stored: Structure, visible: Structure, row: SiteSpaceRow): Structure => {
  const section = row.section ?? (visible.sections.length === 0 ? null : visible.site.defaultSection)
  const siblings = siteSpacesIn(visible, section)
  const position = returnedPosition(siblings, row, section)
  const path = freeAmong(new Set(siblings.map((sibling) => sibling.path)), row.path)
  const isSame = section === row.section && position === row.position && path === row.path
  return normalizeDefaults(stored, {
    ...stored,
    siteSpaces: mapRows(stored.siteSpaces, ({ id }) =>
      id !== row.id || isSame ? undefined : { section, position, path }
    )
  })
}

/** Adds a section. */
export const addSection = (structure: Structure, row: SiteSectionRow): Structure =>
  normalizeDefaults(structure, { ...structure, sections: [...structure.sections, row] })

/** Moves all site-spaces at the root into a new section. The default of the root becomes that of the section. */
export const moveRootToSection = (structure: Structure, row: SiteSectionRow): Structure => {
  const { site } = structure
  return normalizeDefaults(structure, {
    ...structure,
    site: { ...site, defaultSiteSpace: null },
    sections: [...structure.sections, { ...row, defaultSiteSpace: site.defaultSiteSpace }],
    siteSpaces: mapRows(structure.siteSpaces, ({ section }) =>
      section === null ? { section: row.id } : undefined
    )
  })
}

/** Removes a section and its site-spaces. */
export const removeSection = (structure: Structure, removed: SiteSectionId): Structure =>
  normalizeDefaults(structure, {
    ...structure,
    sections: structure.sections.filter(({ id }) => id !== removed),
    siteSpaces: structure.siteSpaces.filter(({ section }) => section !== removed)
  })

/** Moves sections to the end of a group, in the given order. */
export const moveSectionsToGroup = (
  structure: Structure,
  group: SiteSectionGroupId,
  moving: ReadonlyArray<SiteSectionId>
): Structure => {
  const present = groupedIn(structure, group).filter((row) => !moving.some((id) => id === row.id))
  const keys = generateNKeysBetween(present.at(-1)?.position ?? null, null, moving.length)
  const keyById = new Map(moving.map((id, index) => [id, keys[index]!]))
  return normalizeDefaults(structure, {
    ...structure,
    sections: mapRows(structure.sections, ({ id }) =>
      keyById.has(id) ? { sectionGroup: group, position: keyById.get(id)! } : undefined
    )
  })
}

/** Adds a group, and moves sections into it. */
export const addGroup = (
  structure: Structure,
  row: SiteSectionGroupRow,
  sections: ReadonlyArray<SiteSectionId>
): Structure =>
  moveSectionsToGroup(buildStructure({ ...structure, groups: [...structure.groups, row] }), row.id, sections)

/** Generates `count` position keys directly after a group. */
const keysAfterGroup = (
  structure: Structure,
  group: SiteSectionGroupId,
  count: number
): ReadonlyArray<string> => {
  const top = topLevel(structure)
  const index = top.findIndex((row) => isGroup(row) && row.id === group)
  return generateNKeysBetween(top[index]!.position, top[index + 1]?.position ?? null, count)
}

/** Moves sections and links of a group to the top level, directly after the group. Does not normalize defaults. */
const ungroupItems = (
  structure: Structure,
  group: SiteSectionGroupId,
  moving: ReadonlyArray<string>
): Rows => {
  const keys = keysAfterGroup(structure, group, moving.length)
  const keyById = new Map(moving.map((id, index) => [id, keys[index]!]))
  const ungrouped = ({ id }: { readonly id: string }) =>
    keyById.has(id) ? { sectionGroup: null, position: keyById.get(id)! } : undefined
  return {
    ...structure,
    sections: mapRows(structure.sections, ungrouped),
    links: mapRows(structure.links, ungrouped)
  }
}

/** Moves a section of a group to the top level, directly after the group. */
export const ungroupSection = (
  structure: Structure,
  group: SiteSectionGroupId,
  section: SiteSectionId
): Structure => normalizeDefaults(structure, ungroupItems(structure, group, [section]))

/** Removes a group. Its sections and links take its place at the top level. */
export const removeGroup = (structure: Structure, group: SiteSectionGroupId): Structure => {
  const inside = groupedIn(structure, group).map(({ id }) => id)
  const rows = ungroupItems(structure, group, inside)
  return normalizeDefaults(structure, { ...rows, groups: rows.groups.filter(({ id }) => id !== group) })
}

/** Adds a link. */
export const addLink = (structure: Structure, row: SiteExternalLinkRow): Structure =>
  buildStructure({ ...structure, links: [...structure.links, row] })

/** Removes a link. */
export const removeLink = (structure: Structure, removed: string): Structure =>
  buildStructure({ ...structure, links: structure.links.filter(({ id }) => id !== removed) })

/** Updates columns of a section, a group, a site-space or a link. */
export const updateRow = (
  structure: Structure,
  table: "sections" | "groups" | "siteSpaces" | "links",
  id: string,
  changes:
    | Partial<SiteSectionRow>
    | Partial<SiteSectionGroupRow>
    | Partial<SiteSpaceRow>
    | Partial<SiteExternalLinkRow>
): Structure =>
  normalizeDefaults(structure, {
    ...structure,
    [table]: mapRows<{ readonly id: string }>(structure[table], (row) =>
      row.id === id ? changes : undefined
    )
  } as Rows)

/** Generates the position key of a new item at the end of the top level. */
export const keyAtTopLevelEnd = (structure: Structure): string => keyAtEnd(topLevel(structure))
