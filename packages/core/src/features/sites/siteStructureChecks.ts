/** Doctor checks of the structures of sites: items, order and defaults. */

import { loadStoredStructure, type StoredStructure, withoutSpaces } from "@lectern/access"
import {
  type Check,
  type DoctorRecords,
  type Examination,
  examination,
  type Problem,
  type StorageUnavailable,
  Where
} from "@lectern/kernel"
import {
  normalizeDefaults,
  type SiteRow,
  type SiteSectionRow,
  type SiteSpaceRow,
  type SpaceRow,
  SiteStructureRules as Structures,
  siteExternalLinks,
  siteSectionGroups,
  siteSections,
  siteSpaces,
  sites,
  spaces
} from "@lectern/kernel/tables"
import type { SiteId } from "@lectern/model/sites"
import { Effect } from "effect"
import { generateNKeysBetween } from "fractional-indexing"
import { saveStructure } from "./structureStore.ts"

const flatCheck: Check = {
  name: "site-root",
  invariant: "A site has site-spaces at its root or it has sections, but not both.",
  source: "docs/decisions/0012-sites.md"
}

const pathCheck: Check = {
  name: "site-paths",
  invariant: "The paths of the sections of a site, and of the site-spaces of one level, are unique.",
  source: "docs/decisions/0012-sites.md"
}

const positionCheck: Check = {
  name: "site-order",
  invariant: "The positions of the items of one level of a site are unique.",
  source: "model/sites/SiteStructureRules.ts",
  repair: "renumbers them in their current order"
}

const defaultCheck: Check = {
  name: "site-defaults",
  invariant:
    "A site with sections has exactly one default section, and a section with site-spaces has exactly one default site-space.",
  source: "docs/decisions/0012-sites.md",
  repair: "makes the first item the default"
}

/** Items of one level, which share one order. */
type Siblings = ReadonlyArray<{ readonly id: string; readonly position: string }>

/** The lists of siblings of a structure. */
const siblingLists = (structure: Structures.Structure): ReadonlyArray<Siblings> => [
  Structures.topLevel(structure),
  ...structure.groups.map(({ id }) => Structures.groupedIn(structure, id)),
  ...structure.siteSpacesBySection.values()
]

/** Items with an id. */
type Items = ReadonlyArray<{ readonly id: string }>

/** Whether a default is one of the stored items of its level, or null for a level without visible items. */
const isValidDefault = (stored: Items, visible: Items, id: string | null): boolean =>
  id === null ? visible.length === 0 : stored.some((item) => item.id === id)

/** The values that occur more than once. */
const duplicatesOf = (values: ReadonlyArray<string>): ReadonlyArray<string> => {
  const inOrder = values.toSorted()
  return [...new Set(inOrder.filter((value, index) => value === inOrder[index - 1]))]
}

/** Assigns unique positions, in the current order. */
const renumberPositions = (structure: Structures.Structure): Structures.Structure => {
  const keyById = new Map<string, string>()
  for (const siblings of siblingLists(structure)) {
    if (duplicatesOf(siblings.map(({ position }) => position)).length === 0) continue
    const inOrder = siblings.toSorted(
      (one, other) => compare(one.position, other.position) || compare(one.id, other.id)
    )
    const keys = generateNKeysBetween(null, null, inOrder.length)
    for (const [index, { id }] of inOrder.entries()) keyById.set(id, keys[index]!)
  }
  const reposition = <R extends { readonly id: string; readonly position: string }>(rows: ReadonlyArray<R>) =>
    rows.map((row) => (keyById.has(row.id) ? { ...row, position: keyById.get(row.id)! } : row))
  return Structures.buildStructure({
    site: structure.site,
    groups: reposition(structure.groups),
    sections: reposition(structure.sections),
    siteSpaces: reposition(structure.siteSpaces),
    links: reposition(structure.links)
  })
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** Reloads a structure and repairs it. Reloading is necessary, because an earlier repair may have changed it. */
const repairStructure = Effect.fnUntraced(function* (
  records: DoctorRecords,
  id: SiteId,
  change: (structure: Structures.Structure) => Structures.Structure
): Effect.fn.Return<void, StorageUnavailable> {
  const site = yield* records.get(sites, { id })
  if (site === undefined) return
  const { stored } = yield* loadStoredStructure(records, site)
  yield* saveStructure(records, stored, change(stored))
})

/** Finds the violated invariants of a structure. */
const problemsOf = (
  records: DoctorRecords,
  row: SiteRow,
  { stored, trashed }: StoredStructure
): ReadonlyArray<Problem> => {
  // Conflicts with spaces in the trash are resolved when these are restored.
  const structure = withoutSpaces(stored, trashed)
  const problems: Array<Problem> = []
  const { sections, siteSpaces: all } = structure
  if (sections.length > 0 && all.some(({ section }) => section === null)) {
    problems.push({
      check: flatCheck,
      row,
      message: `has ${sections.length} sections, and site-spaces at its root`
    })
  }
  const duplicatePaths = [
    ...duplicatesOf(sections.map(({ path }) => path)),
    ...[...structure.siteSpacesBySection.values()].flatMap((inside) =>
      duplicatesOf(inside.map(({ path }) => path))
    )
  ]
  if (duplicatePaths.length > 0) {
    problems.push({
      check: pathCheck,
      row,
      message: `has several items with the path ${duplicatePaths.join(", ")}`
    })
  }
  const shared = siblingLists(structure).flatMap((siblings) =>
    duplicatesOf(siblings.map(({ position }) => position))
  )
  if (shared.length > 0) {
    problems.push({
      check: positionCheck,
      row,
      message: `has several items with the position ${shared.join(", ")}`,
      repair: repairStructure(records, row.id, renumberPositions)
    })
  }
  const hasValidDefaults =
    isValidDefault(stored.sections, sections, row.defaultSection) &&
    isValidDefault(
      Structures.siteSpacesIn(stored, null),
      Structures.siteSpacesIn(structure, null),
      row.defaultSiteSpace
    ) &&
    stored.sections.every(({ id, defaultSiteSpace }) =>
      isValidDefault(
        Structures.siteSpacesIn(stored, id),
        Structures.siteSpacesIn(structure, id),
        defaultSiteSpace
      )
    )
  if (!hasValidDefaults) {
    problems.push({
      check: defaultCheck,
      row,
      message: "has a level without a default, or a default that does not exist",
      repair: repairStructure(records, row.id, (current) => normalizeDefaults(current, current))
    })
  }
  return problems
}

/** Loads the structures of sites, with a fixed number of queries for any number of sites. */
const loadStructures = Effect.fnUntraced(function* (
  records: DoctorRecords,
  rows: ReadonlyArray<SiteRow>
): Effect.fn.Return<ReadonlyArray<StoredStructure>, StorageUnavailable> {
  const ids = rows.map(({ id }) => id)
  const inside = yield* records.find(siteSpaces, { where: Where.isIn<SiteSpaceRow, "site">("site", ids) })
  const inTrash = yield* records.find(spaces, {
    select: ["id"],
    where: Where.and<SpaceRow>(
      Where.isIn("id", [...new Set(inside.map(({ space }) => space))]),
      Where.not(Where.isNull("deletedAt"))
    )
  })
  const trashed = new Set(inTrash.map(({ id }) => id))
  const sections = yield* records.find(siteSections, {
    where: Where.isIn<SiteSectionRow, "site">("site", ids)
  })
  const groups = yield* records.find(siteSectionGroups, { where: Where.isIn("site", ids) })
  const links = yield* records.find(siteExternalLinks, { where: Where.isIn("site", ids) })
  const [insideOf, sectionsOf, groupsOf, linksOf] = [
    Map.groupBy(inside, ({ site }) => site),
    Map.groupBy(sections, ({ site }) => site),
    Map.groupBy(groups, ({ site }) => site),
    Map.groupBy(links, ({ site }) => site)
  ]
  return rows.map((site) => ({
    trashed,
    stored: Structures.buildStructure({
      site,
      groups: groupsOf.get(site.id) ?? [],
      sections: sectionsOf.get(site.id) ?? [],
      siteSpaces: insideOf.get(site.id) ?? [],
      links: linksOf.get(site.id) ?? []
    })
  }))
})

/** The number of sites per batch. Each has at most a few hundred rows. */
const sitesPerBatch = 50

/** The doctor checks of the structures of sites. */
export const siteStructureExaminations: ReadonlyArray<Examination> = [
  examination(
    sites,
    [flatCheck, pathCheck, positionCheck, defaultCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const structures = yield* loadStructures(records, rows)
      return structures.flatMap((structure) => problemsOf(records, structure.stored.site, structure))
    }),
    { maximumRows: sitesPerBatch }
  )
]
