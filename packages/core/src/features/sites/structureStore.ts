/** A site's structure in the store: read as a whole, written by what is different. */
import { Effect } from "effect"
import { type Records, type StorageUnavailable, type Table, Where } from "../../kernel/storage/index.ts"
import { type SiteId, type SiteRow, sites } from "../../model/sites/Site.ts"
import { siteSectionGroups, siteSections } from "../../model/sites/SiteSection.ts"
import { type SiteSpaceRow, siteSpaces } from "../../model/sites/SiteSpace.ts"
import type * as Structures from "../../model/sites/SiteStructureRules.ts"
import { type SpaceId, type SpaceRow, spaces } from "../../model/spaces/Space.ts"
import { isPublishedAt, loadStructure, publishedOf } from "../../views/sites/publishedSpaces.ts"
import { removeSiteSpaces } from "./structureEdits.ts"

type Store = Records["Service"]

/** The spaces on a site, by their ids. */
export const spacesOn = (
  records: Store,
  site: SiteId
): Effect.Effect<ReadonlyMap<SpaceId, SpaceRow>, StorageUnavailable> =>
  Effect.map(
    records.find(spaces, {
      where: Where.inSelect<SpaceRow, "id", typeof siteSpaces, "space">(
        "id",
        siteSpaces,
        "space",
        Where.eq<SiteSpaceRow, "site">("site", site)
      )
    }),
    (rows) => new Map(rows.map((row) => [row.id, row]))
  )

interface Change<Row> {
  readonly added: ReadonlyArray<Row>
  readonly removed: ReadonlyArray<string>
  readonly changed: ReadonlyArray<Row>
}

/** What is different between rows: transitions keep the ones that they do not change. */
const compare = <Row extends { readonly id: string }>(
  before: ReadonlyArray<Row>,
  after: ReadonlyArray<Row>
): Change<Row> => {
  const was = new Map<string, Row>(before.map((row) => [row.id, row]))
  const left = new Set<string>(after.map(({ id }) => id))
  return {
    added: after.filter(({ id }) => !was.has(id)),
    removed: before.filter(({ id }) => !left.has(id)).map(({ id }) => id),
    changed: after.filter((row) => was.has(row.id) && was.get(row.id) !== row)
  }
}

type Part = { readonly id: string }

const put = Effect.fnUntraced(function* (
  records: Store,
  table: Table.AnyTable,
  { added, changed }: Change<Part>
): Effect.fn.Return<void, StorageUnavailable> {
  yield* records.insertMany(table, added as ReadonlyArray<never>)
  for (const { id, ...columns } of changed) {
    yield* records.update(table, { op: "eq", column: "id", value: id }, columns)
  }
})

const drop = (records: Store, table: Table.AnyTable, { removed }: Change<Part>) =>
  removed.length === 0 ? Effect.void : records.remove(table, { op: "in", column: "id", values: removed })

/** Writes what is different, and answers what there is then. What spaces show of their sites follows. */
export const save = Effect.fnUntraced(function* (
  records: Store,
  before: Structures.Structure,
  after: Structures.Structure
): Effect.fn.Return<Structures.Structure, StorageUnavailable> {
  const sections = compare(before.sections, after.sections)
  const groups = compare(before.groups, after.groups)
  const inside = compare(before.siteSpaces, after.siteSpaces)
  // Each kind refers to the one before: what is new comes in this order, what goes goes in the other.
  yield* put(records, siteSectionGroups, groups)
  yield* put(records, siteSections, sections)
  yield* put(records, siteSpaces, inside)
  yield* drop(records, siteSpaces, inside)
  yield* drop(records, siteSections, sections)
  yield* drop(records, siteSectionGroups, groups)
  if (before.site !== after.site) {
    const { id, ...columns } = after.site
    yield* records.update(sites, Where.eq("id", id), columns)
  }
  const touched = new Set([...before.siteSpaces, ...after.siteSpaces].map(({ space }) => space))
  if (before.site.published || after.site.published) yield* refresh(records, [...touched])
  return after
})

/**
 * Says of spaces where they are published. It is kept with the space, so that nobody who reads spaces has to look for
 * their sites.
 */
export const refresh = Effect.fnUntraced(function* (
  records: Store,
  ids: ReadonlyArray<SpaceId>
): Effect.fn.Return<void, StorageUnavailable> {
  if (ids.length === 0) return
  const [best, found] = yield* records.both(
    publishedOf(records, ids),
    records.find(spaces, { select: ["id", "published"], where: Where.isIn<SpaceRow, "id">("id", ids) })
  )
  for (const { id, published } of found) {
    const now = best.get(id) ?? null
    if (!isPublishedAt(published, now)) yield* records.update(spaces, Where.eq("id", id), { published: now })
  }
})

/** Removes spaces from every site that they are on. */
export const removeFromSites = Effect.fnUntraced(function* (
  records: Store,
  ids: ReadonlyArray<SpaceId>
): Effect.fn.Return<void, StorageUnavailable> {
  if (ids.length === 0) return
  const links = yield* records.find(siteSpaces, { where: Where.isIn<SiteSpaceRow, "space">("space", ids) })
  if (links.length === 0) return
  const affected = yield* records.find(sites, {
    where: Where.isIn<SiteRow, "id">("id", [...new Set(links.map(({ site }) => site))])
  })
  const gone = new Set(links.map(({ id }) => id))
  for (const site of affected) {
    const before = yield* loadStructure(records, site)
    yield* save(records, before, removeSiteSpaces(before, gone))
  }
})
