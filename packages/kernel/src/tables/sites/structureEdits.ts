/**
 * Edits of a site's structure, as pure functions from one structure to the next. Each ends with `normalizeDefaults`,
 * which restores the invariant that every level has exactly one default.
 */

import type { SiteSectionGroupId, SiteSectionId, SiteSpaceId } from "@lectern/model/sites"
import { generateNKeysBetween } from "fractional-indexing"
import {
  buildStructure,
  isGroup,
  keyAtEnd,
  type Rows,
  type Structure,
  sectionsIn,
  topLevel
} from "./SiteStructureRules.ts"
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
  const present = sectionsIn(structure, group).filter(({ id }) => !moving.includes(id))
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

/** Moves sections of a group to the top level, directly after the group. Does not normalize defaults. */
const ungroupSections = (
  structure: Structure,
  group: SiteSectionGroupId,
  moving: ReadonlyArray<SiteSectionId>
): Rows => {
  const keys = keysAfterGroup(structure, group, moving.length)
  const keyById = new Map(moving.map((id, index) => [id, keys[index]!]))
  return {
    ...structure,
    sections: mapRows(structure.sections, ({ id }) =>
      keyById.has(id) ? { sectionGroup: null, position: keyById.get(id)! } : undefined
    )
  }
}

/** Moves a section of a group to the top level, directly after the group. */
export const ungroupSection = (
  structure: Structure,
  group: SiteSectionGroupId,
  section: SiteSectionId
): Structure => normalizeDefaults(structure, ungroupSections(structure, group, [section]))

/** Removes a group. Its sections take its place at the top level. */
export const removeGroup = (structure: Structure, group: SiteSectionGroupId): Structure => {
  const inside = sectionsIn(structure, group).map(({ id }) => id)
  const rows = ungroupSections(structure, group, inside)
  return normalizeDefaults(structure, { ...rows, groups: rows.groups.filter(({ id }) => id !== group) })
}

/** Updates columns of a section, a group or a site-space. */
export const updateRow = (
  structure: Structure,
  table: "sections" | "groups" | "siteSpaces",
  id: string,
  changes: Partial<SiteSectionRow> | Partial<SiteSectionGroupRow> | Partial<SiteSpaceRow>
): Structure =>
  normalizeDefaults(structure, {
    ...structure,
    [table]: mapRows<{ readonly id: string }>(structure[table], (row) =>
      row.id === id ? changes : undefined
    )
  } as Rows)

/** Generates the position key of a new item at the end of the top level. */
export const keyAtTopLevelEnd = (structure: Structure): string => keyAtEnd(topLevel(structure))
