/** Stores a site's structure by writing the difference between two structures. */

import { loadStructure } from "@lectern/access"
import {
  type ReadableRecords,
  type StorageUnavailable,
  type Table,
  Where,
  type WritableRecords
} from "@lectern/kernel"
import {
  removeSiteSpaces,
  type SiteRow,
  type SiteSpaceRow,
  type SpaceRow,
  type SiteStructureRules as Structures,
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
  readonly changed: ReadonlyArray<Row>
}

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
    changed: after.filter((row) => previous.has(row.id) && previous.get(row.id) !== row)
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
  for (const { id, ...columns } of changed) {
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
  if (before.site !== after.site) {
    const { id, ...columns } = after.site
    yield* records.update(sites, Where.eq("id", id), columns)
  }
  const affected = new Set([...before.siteSpaces, ...after.siteSpaces].map(({ space }) => space))
  if (before.site.published || after.site.published) yield* refreshPublishedUrls(records, [...affected])
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

/** Removes spaces from every site that they are on. */
export const removeFromSites = Effect.fnUntraced(function* (
  records: WritableRecords<Table.AnyTable>,
  ids: ReadonlyArray<SpaceId>
): Effect.fn.Return<void, StorageUnavailable> {
  if (ids.length === 0) return
  const links = yield* records.find(siteSpaces, { where: Where.isIn<SiteSpaceRow, "space">("space", ids) })
  if (links.length === 0) return
  const affected = yield* records.find(sites, {
    where: Where.isIn<SiteRow, "id">("id", [...new Set(links.map(({ site }) => site))])
  })
  const removed = new Set(links.map(({ id }) => id))
  for (const site of affected) {
    const before = yield* loadStructure(records, site)
    yield* saveStructure(records, before, removeSiteSpaces(before, removed))
  }
})
