/** Stores a site's structure by writing the difference between two structures. */

import { loadStoredStructure, whereNotTrashed, withoutSpaces } from "@lectern/access"
import {
  type ReadableRecords,
  type StorageUnavailable,
  type Table,
  Where,
  type WritableRecords
} from "@lectern/kernel"
import {
  removeSiteSpaces,
  returnSiteSpace,
  type SiteRow,
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
import type { SpaceId } from "@lectern/model/spaces"
import { Effect } from "effect"
import { isPublishedAt, publishedOf } from "../../views/sites/publishedSpaces.ts"

/** Loads the spaces on a site, by id. */
export const loadSpacesOnSite = (
  records: ReadableRecords<Table.AnyTable>,
  site: SiteId
): Effect.Effect<ReadonlyMap<SpaceId, SpaceRow>, StorageUnavailable> =>
  Effect.map(
    records.find(spaces, {
      where: records.inSelect<SpaceRow, "id", typeof siteSpaces, "space">(
        "id",
        siteSpaces,
        "space",
        Where.eq<SiteSpaceRow, "site">("site", site)
      )
    }),
    (rows) => new Map(rows.map((row) => [row.id, row]))
  )

/** The difference between two lists of rows. */
interface RowChanges<Row> {
  readonly added: ReadonlyArray<Row>
  readonly removed: ReadonlyArray<string>
  /** The ids of changed rows, with the columns that differ. */
  readonly changed: ReadonlyArray<readonly [id: string, columns: Partial<Row>]>
}

/** Returns the columns of a row that differ from another version of it. */
const changedColumns = <Row extends object>(before: Row, after: Row): Partial<Row> =>
  Object.fromEntries(
    Object.entries(after).filter(([name, value]) => before[name as keyof Row] !== value)
  ) as Partial<Row>

/** Compares rows by id and identity: edits of a structure reuse the rows that they do not change. */
const compareRows = <Row extends { readonly id: string }>(
  before: ReadonlyArray<Row>,
  after: ReadonlyArray<Row>
): RowChanges<Row> => {
  const previous = new Map<string, Row>(before.map((row) => [row.id, row]))
  const remaining = new Set<string>(after.map(({ id }) => id))
  return {
    added: after.filter(({ id }) => !previous.has(id)),
    removed: before.filter(({ id }) => !remaining.has(id)).map(({ id }) => id),
    // Only the columns that an edit changes are written: the stored default of a level can be a space in the trash.
    changed: after.flatMap((row) => {
      const known = previous.get(row.id)
      return known === undefined || known === row ? [] : [[row.id, changedColumns(known, row)] as const]
    })
  }
}

/** A section group, a section, a site-space or a link. */
type StructureRow = { readonly id: string }
type StructureTable = Table.AnyTable & { readonly Row?: StructureRow }

const writeRows = Effect.fnUntraced(function* (
  records: WritableRecords<Table.AnyTable>,
  table: StructureTable,
  { added, changed }: RowChanges<StructureRow>
): Effect.fn.Return<void, StorageUnavailable> {
  yield* records.insertMany(table, added)
  for (const [id, columns] of changed) {
    if (Object.keys(columns).length === 0) continue
    yield* records.update(table, { op: "eq", column: "id", value: id }, columns)
  }
})

const removeRows = (
  records: WritableRecords<Table.AnyTable>,
  table: StructureTable,
  { removed }: RowChanges<StructureRow>
) => (removed.length === 0 ? Effect.void : records.remove(table, { op: "in", column: "id", values: removed }))

/**
 * Writes the difference between two structures and returns the second. Also updates the published URL that is
 * stored with each affected space.
 */
export const saveStructure = Effect.fnUntraced(function* (
  records: WritableRecords<Table.AnyTable>,
  before: Structures.Structure,
  after: Structures.Structure
): Effect.fn.Return<Structures.Structure, StorageUnavailable> {
  const sections = compareRows(before.sections, after.sections)
  const groups = compareRows(before.groups, after.groups)
  const siteSpaceRows = compareRows(before.siteSpaces, after.siteSpaces)
  const links = compareRows(before.links, after.links)
  // Each table references the one before it: insert in this order, remove in the reverse order.
  yield* writeRows(records, siteSectionGroups, groups)
  yield* writeRows(records, siteSections, sections)
  yield* writeRows(records, siteSpaces, siteSpaceRows)
  yield* writeRows(records, siteExternalLinks, links)
  yield* removeRows(records, siteExternalLinks, links)
  yield* removeRows(records, siteSpaces, siteSpaceRows)
  yield* removeRows(records, siteSections, sections)
  yield* removeRows(records, siteSectionGroups, groups)
  const siteColumns = changedColumns(before.site, after.site)
  if (Object.keys(siteColumns).length > 0) {
    yield* records.update(sites, Where.eq("id", after.site.id), siteColumns)
  }
  const affected = new Set([...before.siteSpaces, ...after.siteSpaces].map(({ space }) => space))
  if (before.site.published || after.site.published) yield* refreshPublishedUrls(records, [...affected])
  return after
})

/**
 * Writes an edit of a structure without the spaces in the trash, and returns the edited structure. A stored default that is in the trash
 * remains, unless the edit would then have another default.
 */
export const saveEdit = Effect.fnUntraced(function* (
  records: WritableRecords<Table.AnyTable>,
  before: Structures.Structure,
  after: Structures.Structure
): Effect.fn.Return<Structures.Structure, StorageUnavailable> {
  yield* saveStructure(records, before, after)
  const inTrash = Where.and<SiteSpaceRow>(
    Where.eq("site", after.site.id),
    Where.not(whereNotTrashed(records))
  )
  if ((yield* records.find(siteSpaces, { select: ["id"], where: inTrash, limit: 1 })).length === 0)
    return after
  const { stored, trashed } = yield* loadStoredStructure(records, after.site)
  const { defaultSection, defaultSiteSpace } = after.site
  const site = (yield* records.get(sites, { id: after.site.id }))!
  const kept = withoutSpaces(Structures.buildStructure({ ...stored, site }), trashed)
  const rows = { ...kept, site: { ...kept.site, defaultSection, defaultSiteSpace } }
  const sections = kept.sections.map((row) => {
    const wanted = after.sectionById.get(row.id)?.defaultSiteSpace
    return wanted === undefined || wanted === row.defaultSiteSpace
      ? row
      : { ...row, defaultSiteSpace: wanted }
  })
  yield* saveStructure(records, kept, Structures.buildStructure({ ...rows, sections }))
  return after
})

/**
 * Updates the published URLs that are stored with spaces. They are stored so that reading spaces requires no query of
 * their sites.
 */
export const refreshPublishedUrls = Effect.fnUntraced(function* (
  records: WritableRecords<Table.AnyTable>,
  ids: ReadonlyArray<SpaceId>
): Effect.fn.Return<void, StorageUnavailable> {
  if (ids.length === 0) return
  const [places, found] = yield* records.zipConcurrent(
    publishedOf(records, ids),
    records.find(spaces, { select: ["id", "published"], where: Where.isIn<SpaceRow, "id">("id", ids) })
  )
  for (const { id, published } of found) {
    const current = places.get(id) ?? null
    if (!isPublishedAt(published, current))
      yield* records.update(spaces, Where.eq("id", id), { published: current })
  }
})

/** Loads the sites with spaces, with the site-spaces of these spaces. */
const sitesWith = Effect.fnUntraced(function* (
  records: WritableRecords<Table.AnyTable>,
  ids: ReadonlyArray<SpaceId>
) {
  const placed = yield* records.find(siteSpaces, { where: Where.isIn<SiteSpaceRow, "space">("space", ids) })
  if (placed.length === 0) return { placed, found: [] }
  const found = yield* records.find(sites, {
    where: Where.isIn<SiteRow, "id">("id", [...new Set(placed.map(({ site }) => site))])
  })
  return { placed, found }
})

/** Raises the versions of the sites of site-spaces, which caches depend on: whether a space is in the trash is not in their rows. */
const raiseVersions = (records: WritableRecords<Table.AnyTable>, rows: ReadonlyArray<SiteSpaceRow>) =>
  Effect.forEach(
    rows,
    ({ id, position }) => records.update(siteSpaces, Where.eq<SiteSpaceRow, "id">("id", id), { position }),
    { discard: true }
  )

/** Updates the sites of spaces that have moved to the trash. They omit the spaces, whose places remain stored. */
export const hideOnSites = Effect.fnUntraced(function* (
  records: WritableRecords<Table.AnyTable>,
  ids: ReadonlyArray<SpaceId>
): Effect.fn.Return<void, StorageUnavailable> {
  const { placed, found } = yield* sitesWith(records, ids)
  yield* raiseVersions(records, placed)
  for (const site of found) {
    const { stored } = yield* loadStoredStructure(records, site)
    // The URL of the site, or of a section, can now be that of another space.
    yield* refreshPublishedUrls(
      records,
      stored.siteSpaces.map(({ space }) => space)
    )
  }
})

/**
 * Returns spaces that were restored from the trash to the sites that they were on, at their former places: in the same section, before
 * the same items, and as the default. If its section was the root and the site has sections now, a space is added to the end of the
 * default section. If its path was taken, it receives another one. A site that has reached the maximum number of spaces loses it.
 */
export const returnToSites = Effect.fnUntraced(function* (
  records: WritableRecords<Table.AnyTable>,
  ids: ReadonlyArray<SpaceId>
): Effect.fn.Return<void, StorageUnavailable> {
  const { placed, found } = yield* sitesWith(records, ids)
  yield* raiseVersions(records, placed)
  for (const site of found) {
    let { stored, trashed } = yield* loadStoredStructure(records, site)
    const returning = placed.filter((row) => row.site === site.id)
    trashed = new Set([...trashed, ...returning.map(({ space }) => space)])
    for (const row of returning) {
      const visible = withoutSpaces(stored, trashed)
      const isFull = visible.siteSpaces.length >= Structures.siteLimits.siteSpaces
      const after = isFull
        ? removeSiteSpaces(stored, new Set([row.id]))
        : returnSiteSpace(stored, visible, row)
      stored = yield* saveStructure(records, stored, after)
      trashed = new Set([...trashed].filter((space) => space !== row.space))
    }
  }
})

/** Removes spaces from every site that they are on. */
export const removeFromSites = Effect.fnUntraced(function* (
  records: WritableRecords<Table.AnyTable>,
  ids: ReadonlyArray<SpaceId>
): Effect.fn.Return<void, StorageUnavailable> {
  if (ids.length === 0) return
  const { placed, found } = yield* sitesWith(records, ids)
  const removed = new Set(placed.map(({ id }) => id))
  for (const site of found) {
    const { stored } = yield* loadStoredStructure(records, site)
    yield* saveStructure(records, stored, removeSiteSpaces(stored, removed))
  }
})
