/** The tree of collections and spaces: where each stands, what follows from that, and their order (decision D6). */
import { Effect } from "effect"
import { generateNKeysBetween } from "fractional-indexing"
import {
  type Check,
  type DoctorRecords,
  type Examination,
  examination,
  type Problem
} from "../../kernel/doctor/Check.ts"
import { byId, rowsWith } from "../../kernel/doctor/lookups.ts"
import { type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { type CollectionRow, collections, maximumDepth } from "../../model/collections/Collection.ts"
import * as Placement from "../../model/collections/Placement.ts"
import { organizations } from "../../model/organizations/Organization.ts"
import { type SpaceRow, spaces } from "../../model/spaces/Space.ts"

export const cycle: Check = {
  name: "collection-cycle",
  says: "No collection is in itself.",
  source: "D6"
}

export const depth: Check = {
  name: "collection-depth",
  says: `Collections nest at most ${maximumDepth} deep.`,
  source: "D6"
}

export const parentOrganization: Check = {
  name: "parent-organization",
  says: "What is in a collection is of the collection's organization.",
  source: "D6"
}

export const placement: Check = {
  name: "placement",
  says: "The path and the level of a collection or a space are what the collections above it come to.",
  source: "collections/Placement.ts",
  repair: "computes both anew"
}

export const order: Check = {
  name: "order",
  says: "No two collections or spaces of one parent have the same position.",
  source: "collections/Siblings.ts",
  repair: "numbers the siblings anew, in the order that they have"
}

type Above = Pick<CollectionRow, "id" | "parent" | "organization" | "defaultLevel">

/** The collections above some, as far up as it goes: a look-up for each level of the deepest. */
const climb = Effect.fnUntraced(function* (
  records: DoctorRecords,
  from: Iterable<string | null>
): Effect.fn.Return<ReadonlyMap<string, Above>, StorageUnavailable> {
  const known = new Map<string, Above>()
  let next = new Set([...from].filter((id) => id !== null))
  while (next.size > 0) {
    const found = yield* byId(records, collections, next, ["id", "parent", "organization", "defaultLevel"])
    next = new Set()
    for (const [id, row] of found) {
      known.set(id, row)
      if (row.parent !== null && !known.has(row.parent) && !found.has(row.parent)) next.add(row.parent)
    }
  }
  return known
})

/** What is above something, outermost first; undefined where that goes round in a circle, or ends at nothing. */
const above = (
  known: ReadonlyMap<string, Above>,
  parent: string | null
): ReadonlyArray<Above> | undefined => {
  const way: Array<Above> = []
  const seen = new Set<string>()
  for (let id = parent; id !== null; ) {
    const row = known.get(id)
    if (row === undefined || seen.has(id)) return undefined
    seen.add(id)
    way.unshift(row)
    id = row.parent
  }
  return way
}

/** The container that the collections above something come to. */
const containerOf = (way: ReadonlyArray<Above>): Placement.Container | undefined =>
  way.reduce<Placement.Container | undefined>(
    (container, { id, defaultLevel }) => ({
      id,
      path: Placement.pathIn(container),
      level: Placement.levelIn(container, defaultLevel)
    }),
    undefined
  )

type Placed = Pick<SpaceRow, "organization" | "parent" | "path" | "level" | "defaultLevel"> & {
  readonly id: string
}

/** What is wrong with where things stand, whichever they are. */
const misplaced = (
  row: Placed,
  known: ReadonlyMap<string, Above>,
  store: (changes: Pick<SpaceRow, "path" | "level">) => Effect.Effect<unknown, StorageUnavailable>
): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  const parent = row.parent === null ? undefined : known.get(row.parent)
  if (parent !== undefined && parent.organization !== row.organization) {
    problems.push({
      check: parentOrganization,
      row,
      message: `is of the organization ${row.organization}; the collection that it is in, ${parent.id}, is of ${parent.organization}`
    })
  }
  const way = above(known, row.parent)
  if (way === undefined) return problems
  const container = containerOf(way)
  const [path, level] = [Placement.pathIn(container), Placement.levelIn(container, row.defaultLevel)]
  if (row.path !== path || row.level !== level) {
    problems.push({
      check: placement,
      row,
      message: `has the path ${row.path} and the level ${row.level}; by what is above it they are ${path} and ${level}`,
      mend: store({ path, level })
    })
  }
  return problems
}

/** Whether a collection is among those above it. */
const isInItself = (
  known: ReadonlyMap<string, Above>,
  { id, parent }: Pick<CollectionRow, "id" | "parent">
): boolean => {
  const seen = new Set<string>()
  for (let at: string | null = parent; at !== null && !seen.has(at); at = known.get(at)?.parent ?? null) {
    if (at === id) return true
    seen.add(at)
  }
  return false
}

/** One of siblings: a collection or a space. */
interface Sibling {
  readonly id: string
  readonly kind: "collection" | "space"
  readonly position: string
}

const byPosition = (one: Sibling, other: Sibling): number =>
  one.position < other.position ? -1 : one.position > other.position ? 1 : one.id < other.id ? -1 : 1

/** The positions that more than one of siblings have. */
const ties = (siblings: ReadonlyArray<Sibling>): ReadonlyArray<string> => {
  const inOrder = siblings.map(({ position }) => position).sort()
  return [...new Set(inOrder.filter((position, index) => position === inOrder[index - 1]))]
}

/** The problem of a container whose siblings share positions, if they do. */
const tied = (
  records: DoctorRecords,
  row: { readonly id: string },
  where: string,
  siblings: ReadonlyArray<Sibling>
): ReadonlyArray<Problem> => {
  const shared = ties(siblings)
  if (shared.length === 0) return []
  const inOrder = siblings.toSorted(byPosition)
  return [
    {
      check: order,
      row,
      message: `has several items ${where} at the position ${shared.join(", ")}`,
      mend: Effect.suspend(() => {
        const keys = generateNKeysBetween(null, null, inOrder.length)
        return Effect.forEach(
          inOrder,
          ({ id, kind }, index) =>
            kind === "space"
              ? records.update(spaces, Where.eq<SpaceRow, "id">("id", id as never), {
                  position: keys[index]!
                })
              : records.update(collections, Where.eq<CollectionRow, "id">("id", id as never), {
                  position: keys[index]!
                }),
          { discard: true }
        )
      })
    }
  ]
}

const siblingsOf = (
  kind: Sibling["kind"],
  rows: ReadonlyArray<{ readonly id: string; readonly position: string }>
): ReadonlyArray<Sibling> => rows.map(({ id, position }) => ({ id, kind, position }))

/** How many containers are looked into together: what is in them is in memory then, by ids and positions alone. */
const containersAtOnce = 50

export const collectionExaminations: ReadonlyArray<Examination> = [
  examination(
    collections,
    [cycle, depth, parentOrganization, placement],
    Effect.fnUntraced(function* ({ records }, rows) {
      const known = yield* climb(
        records,
        rows.flatMap(({ id, parent }) => [id, parent])
      )
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        if (isInItself(known, row)) return [{ check: cycle, row, message: "is in itself" }]
        const deep = (above(known, row.parent)?.length ?? 0) + 1
        return [
          ...(deep > maximumDepth ? [{ check: depth, row, message: `is ${deep} deep` }] : []),
          ...misplaced(row, known, (changes) => records.update(collections, Where.eq("id", row.id), changes))
        ]
      })
    })
  ),
  examination(
    spaces,
    [parentOrganization, placement],
    Effect.fnUntraced(function* ({ records }, rows) {
      const known = yield* climb(
        records,
        rows.map(({ parent }) => parent)
      )
      return rows.flatMap((row) =>
        misplaced(row, known, (changes) => records.update(spaces, Where.eq("id", row.id), changes))
      )
    })
  ),
  examination(
    organizations,
    [order],
    Effect.fnUntraced(function* ({ records }, rows) {
      const ids = rows.map(({ id }) => id)
      const columns = ["id", "organization", "position"] as const
      const inside = yield* rowsWith(records, spaces, "organization", ids, columns, Where.isNull("parent"))
      const folders = yield* rowsWith(
        records,
        collections,
        "organization",
        ids,
        columns,
        Where.isNull("parent")
      )
      const [spacesOf, foldersOf] = [
        Map.groupBy(inside, (one) => one.organization),
        Map.groupBy(folders, (one) => one.organization)
      ]
      return rows.flatMap((row) =>
        tied(records, row, "at its root", [
          ...siblingsOf("space", spacesOf.get(row.id) ?? []),
          ...siblingsOf("collection", foldersOf.get(row.id) ?? [])
        ])
      )
    }),
    { atOnce: containersAtOnce }
  ),
  examination(
    collections,
    [order],
    Effect.fnUntraced(function* ({ records }, rows) {
      const ids = rows.map(({ id }) => id)
      const columns = ["id", "parent", "position"] as const
      const inside = yield* rowsWith(records, spaces, "parent", ids, columns)
      const folders = yield* rowsWith(records, collections, "parent", ids, columns)
      const [spacesOf, foldersOf] = [
        Map.groupBy(inside, (one) => one.parent),
        Map.groupBy(folders, (one) => one.parent)
      ]
      return rows.flatMap((row) =>
        tied(records, row, "in it", [
          ...siblingsOf("space", spacesOf.get(row.id) ?? []),
          ...siblingsOf("collection", foldersOf.get(row.id) ?? [])
        ])
      )
    }),
    { atOnce: containersAtOnce }
  )
]
