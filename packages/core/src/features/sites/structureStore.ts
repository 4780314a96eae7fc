/** A site's structure in the store: read as a whole, written by what is different. */
import { Effect } from "effect"
import { type Records, type StorageUnavailable, type Table, Where } from "../../kernel/storage/index.ts"
import { shareLinks } from "../../model/sites/ShareLink.ts"
import { type SiteId, type SiteRow, type SiteVisibility, sites } from "../../model/sites/Site.ts"
import { type SiteSectionRow, siteSectionGroups, siteSections } from "../../model/sites/SiteSection.ts"
import { type SiteSpaceRow, siteSpaces } from "../../model/sites/SiteSpace.ts"
import * as Structures from "../../model/sites/SiteStructureRules.ts"
import { type SpaceId, type SpaceRow, spaces } from "../../model/spaces/Space.ts"
import { removeSiteSpaces } from "./structureEdits.ts"

type Store = Records["Service"]

/** Reads the structure of a site, at one go. */
export const load = (
  records: Store,
  site: SiteRow
): Effect.Effect<Structures.Structure, StorageUnavailable> =>
  Effect.map(
    records.both(
      records.find(siteSpaces, { where: Where.eq<SiteSpaceRow, "site">("site", site.id) }),
      records.both(
        records.find(siteSections, { where: Where.eq<SiteSectionRow, "site">("site", site.id) }),
        records.find(siteSectionGroups, { where: Where.eq("site", site.id) })
      )
    ),
    ([siteSpaces, [sections, groups]]) => Structures.make({ site, groups, sections, siteSpaces })
  )

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

/** From the most open to the least. */
const openness: ReadonlyArray<SiteVisibility> = ["public", "unlisted", "share-link", "visitor-auth"]

/** Where a space is published, for whom and at which address; null for one that is nowhere. */
type Place = SpaceRow["published"]

/** Whether two places are the same. */
export const isPublishedAt = (one: Place, other: Place): boolean =>
  one?.url === other?.url && one?.visibility === other?.visibility

/** Where spaces are published: on the most open of the published sites that they are on. Others are not in the map. */
export const publishedOf = Effect.fnUntraced(function* (
  records: Store,
  ids: ReadonlyArray<SpaceId>
): Effect.fn.Return<ReadonlyMap<SpaceId, NonNullable<Place>>, StorageUnavailable> {
  const theirs = Where.isIn<SiteSpaceRow, "space">("space", ids)
  const [links, [published, sections]] = yield* records.both(
    records.find(siteSpaces, { where: theirs }),
    records.both(
      records.find(sites, {
        where: Where.and<SiteRow>(
          Where.eq("published", true),
          Where.inSelect("id", siteSpaces, "site", theirs)
        )
      }),
      records.find(siteSections, {
        where: Where.inSelect<SiteSectionRow, "id", typeof siteSpaces, "section">(
          "id",
          siteSpaces,
          "section",
          theirs
        )
      })
    )
  )
  const best = new Map<SpaceId, NonNullable<Place>>()
  const inOrder = published.toSorted(
    (one, other) => openness.indexOf(one.visibility) - openness.indexOf(other.visibility)
  )
  for (const site of inOrder) {
    const inside = links.filter((link) => link.site === site.id)
    const structure = Structures.make({
      site,
      groups: [],
      sections: sections.filter((section) => section.site === site.id),
      siteSpaces: inside
    })
    for (const link of inside) {
      if (best.has(link.space)) continue
      const url = Structures.siteSpaceUrl(structure, Structures.rootOf("", site), link)
      best.set(link.space, { visibility: site.visibility, url })
    }
  }
  return best
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

/**
 * The address of a space, or its path below the workspace, on the site that the key of a share link opens; undefined
 * where it opens none that the space is on, or where the space is on a more open site.
 */
export const urlByKey = Effect.fnUntraced(function* (
  records: Store,
  { id, published }: SpaceRow,
  key: string
): Effect.fn.Return<string | undefined, StorageUnavailable> {
  if (published?.visibility !== "share-link") return undefined
  const link = yield* records.first(shareLinks, { where: Where.eq("key", key) })
  if (link?.active !== true) return undefined
  const site = yield* records.get(sites, { id: link.site })
  if (site?.published !== true || site.visibility !== "share-link") return undefined
  const structure = yield* load(records, site)
  const found = structure.siteSpaces.find(({ space }) => space === id)
  return found === undefined
    ? undefined
    : Structures.siteSpaceUrl(structure, Structures.rootOf("", site, key), found)
})

/** Takes spaces off every site: they are deleted, or go to another organization. */
export const unlink = Effect.fnUntraced(function* (
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
    const before = yield* load(records, site)
    yield* save(records, before, removeSiteSpaces(before, gone))
  }
})
