/**
 * What happens to a site's structure, as pure functions from one structure to the next. They say what is there and
 * where; the defaults that follow are settled in one place, at the end of each.
 */
import { generateNKeysBetween } from "fractional-indexing"
import type { SiteSectionId, SiteSpaceId } from "../../model/sites/Site.ts"
import type {
  SiteSectionGroupId,
  SiteSectionGroupRow,
  SiteSectionRow
} from "../../model/sites/SiteSection.ts"
import type { SiteSpaceRow } from "../../model/sites/SiteSpace.ts"
import {
  buildStructure,
  isGroup,
  keyAtEnd,
  type Rows,
  type Structure,
  sectionsIn,
  sectionsInOrder,
  siteSpacesIn,
  topLevel
} from "../../model/sites/SiteStructureRules.ts"

/**
 * The default among those that are left: the one that it was, or the next that stood behind it, or the nearest before
 * it; the first where there was none; null where there is nothing.
 */
const standIn = <Id extends string>(
  before: ReadonlyArray<{ readonly id: Id }>,
  after: ReadonlyArray<{ readonly id: Id }>,
  current: Id | null
): Id | null => {
  const left = new Set(after.map(({ id }) => id))
  if (current !== null && left.has(current)) return current
  const index = before.findIndex(({ id }) => id === current)
  const inTurn = [...before.slice(index + 1), ...before.slice(0, Math.max(index, 0)).reverse()]
  return inTurn.find(({ id }) => left.has(id))?.id ?? after[0]?.id ?? null
}

/** Puts rows together so that there is exactly one default wherever there is anything. */
export const settle = (before: Structure, rows: Rows): Structure => {
  const after = buildStructure(rows)
  const { site } = after
  const sections = after.sections.map((row) => {
    const was = siteSpacesIn(before, row.id)
    const defaultSiteSpace = standIn(was, siteSpacesIn(after, row.id), row.defaultSiteSpace)
    return defaultSiteSpace === row.defaultSiteSpace ? row : { ...row, defaultSiteSpace }
  })
  const defaultSection = standIn(sectionsInOrder(before), sectionsInOrder(after), site.defaultSection)
  const defaultSiteSpace = standIn(
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

const changed = <Row extends { readonly id: string }>(
  rows: ReadonlyArray<Row>,
  changes: (row: Row) => Partial<Row> | undefined
): ReadonlyArray<Row> =>
  rows.map((row) => {
    const change = changes(row)
    return change === undefined ? row : { ...row, ...change }
  })

/** With a site-space more. */
export const addSiteSpace = (structure: Structure, row: SiteSpaceRow): Structure =>
  settle(structure, { ...structure, siteSpaces: [...structure.siteSpaces, row] })

/** Without some site-spaces. */
export const removeSiteSpaces = (structure: Structure, gone: ReadonlySet<SiteSpaceId>): Structure =>
  settle(structure, { ...structure, siteSpaces: structure.siteSpaces.filter(({ id }) => !gone.has(id)) })

/** With a section more. */
export const addSection = (structure: Structure, row: SiteSectionRow): Structure =>
  settle(structure, { ...structure, sections: [...structure.sections, row] })

/** With all that was at the root in a section, which takes over its default. */
export const wrapRoot = (structure: Structure, row: SiteSectionRow): Structure => {
  const { site } = structure
  return settle(structure, {
    ...structure,
    site: { ...site, defaultSiteSpace: null },
    sections: [...structure.sections, { ...row, defaultSiteSpace: site.defaultSiteSpace }],
    siteSpaces: changed(structure.siteSpaces, ({ section }) =>
      section === null ? { section: row.id } : undefined
    )
  })
}

/** Without a section, and what is in it. */
export const removeSection = (structure: Structure, gone: SiteSectionId): Structure =>
  settle(structure, {
    ...structure,
    sections: structure.sections.filter(({ id }) => id !== gone),
    siteSpaces: structure.siteSpaces.filter(({ section }) => section !== gone)
  })

/** With sections in a group, behind those that are in it, in the order that they are given in. */
export const moveToGroup = (
  structure: Structure,
  group: SiteSectionGroupId,
  moving: ReadonlyArray<SiteSectionId>
): Structure => {
  const there = sectionsIn(structure, group).filter(({ id }) => !moving.includes(id))
  const keys = generateNKeysBetween(there.at(-1)?.position ?? null, null, moving.length)
  const places = new Map(moving.map((id, index) => [id, keys[index]!]))
  return settle(structure, {
    ...structure,
    sections: changed(structure.sections, ({ id }) =>
      places.has(id) ? { sectionGroup: group, position: places.get(id)! } : undefined
    )
  })
}

/** With a group more, of these sections. */
export const addGroup = (
  structure: Structure,
  row: SiteSectionGroupRow,
  sections: ReadonlyArray<SiteSectionId>
): Structure =>
  moveToGroup(buildStructure({ ...structure, groups: [...structure.groups, row] }), row.id, sections)

/** The keys of so many that go right behind a group, before what follows it. */
const keysBehind = (
  structure: Structure,
  group: SiteSectionGroupId,
  count: number
): ReadonlyArray<string> => {
  const top = topLevel(structure)
  const index = top.findIndex((row) => isGroup(row) && row.id === group)
  return generateNKeysBetween(top[index]!.position, top[index + 1]?.position ?? null, count)
}

/** With sections of a group at the top level, right behind it. */
const moveOut = (
  structure: Structure,
  group: SiteSectionGroupId,
  moving: ReadonlyArray<SiteSectionId>
): Rows => {
  const keys = keysBehind(structure, group, moving.length)
  const places = new Map(moving.map((id, index) => [id, keys[index]!]))
  return {
    ...structure,
    sections: changed(structure.sections, ({ id }) =>
      places.has(id) ? { sectionGroup: null, position: places.get(id)! } : undefined
    )
  }
}

/** With a section out of its group, right behind it. */
export const moveOutOfGroup = (
  structure: Structure,
  group: SiteSectionGroupId,
  section: SiteSectionId
): Structure => settle(structure, moveOut(structure, group, [section]))

/** Without a group: its sections stand where it stood. */
export const removeGroup = (structure: Structure, gone: SiteSectionGroupId): Structure => {
  const inside = sectionsIn(structure, gone).map(({ id }) => id)
  const rows = moveOut(structure, gone, inside)
  return settle(structure, { ...rows, groups: rows.groups.filter(({ id }) => id !== gone) })
}

/** With other columns of the site, of one of its sections, groups or site-spaces. */
export const change = (
  structure: Structure,
  what: "sections" | "groups" | "siteSpaces",
  id: string,
  changes: Partial<SiteSectionRow> | Partial<SiteSectionGroupRow> | Partial<SiteSpaceRow>
): Structure =>
  settle(structure, {
    ...structure,
    [what]: changed<{ readonly id: string }>(structure[what], (row) => (row.id === id ? changes : undefined))
  } as Rows)

/** The key that puts something at the end of the top level. */
export const keyAtTheEnd = (structure: Structure): string => keyAtEnd(topLevel(structure))
