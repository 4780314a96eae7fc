/** Doctor checks of the tree of collections and spaces: its parents, derived placements and order. */

import * as Placement from "@lectern/model/collections"
import { type CollectionId, maximumDepth } from "@lectern/model/collections"
import type { SpaceId } from "@lectern/model/spaces"
import { Effect } from "effect"
import { generateNKeysBetween } from "fractional-indexing"
import {
  type Check,
  type DoctorRecords,
  type Examination,
  examination,
  type Problem
} from "../../doctor/Check.ts"
import { byId, rowsWith } from "../../doctor/lookups.ts"
import type { StorageUnavailable } from "../../storage/StorageError.ts"
import * as Where from "../../storage/Where.ts"
import { type CollectionRow, collections } from "../collections/collectionTable.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { type SpaceRow, spaces } from "../spaces/spaceTable.ts"

const cycleCheck: Check = {
  name: "collection-cycle",
  invariant: "No collection is its own ancestor.",
  source: "docs/decisions/0008-spaces-and-collections.md"
}

const depthCheck: Check = {
  name: "collection-depth",
  invariant: `Collections nest at most ${maximumDepth} levels deep.`,
  source: "docs/decisions/0008-spaces-and-collections.md"
}

const organizationCheck: Check = {
  name: "parent-organization",
  invariant: "Collections and spaces belong to the organization of their parent.",
  source: "docs/decisions/0008-spaces-and-collections.md"
}

const placementCheck: Check = {
  name: "placement",
  invariant: "The path and the level of a collection or a space are derived from its ancestors.",
  source: "model/collections/Placement.ts",
  repair: "derives both again"
}

const positionCheck: Check = {
  name: "order",
  invariant: "The positions of the collections and spaces of one parent are unique.",
  source: "features/collections/Siblings.ts",
  repair: "assigns new positions in the current order"
}

/** The columns of a collection that the placement of its descendants is derived from. */
type Ancestor = Pick<CollectionRow, "id" | "parent" | "organization" | "defaultLevel">

/** Loads the collections with these ids and all of their ancestors: one query per level. */
const loadAncestors = Effect.fnUntraced(function* (
  records: DoctorRecords,
  ids: Iterable<string | null>
): Effect.fn.Return<ReadonlyMap<string, Ancestor>, StorageUnavailable> {
  const loaded = new Map<string, Ancestor>()
  let next = new Set([...ids].filter((id) => id !== null))
  while (next.size > 0) {
    const found = yield* byId(records, collections, next, ["id", "parent", "organization", "defaultLevel"])
    next = new Set()
    for (const [id, row] of found) {
      loaded.set(id, row)
      if (row.parent !== null && !loaded.has(row.parent) && !found.has(row.parent)) next.add(row.parent)
    }
  }
  return loaded
})

/** The parent and its ancestors, outermost first. Undefined if they form a cycle or one of them does not exist. */
const pathTo = (
  loaded: ReadonlyMap<string, Ancestor>,
  parent: string | null
): ReadonlyArray<Ancestor> | undefined => {
  const path: Array<Ancestor> = []
  const seen = new Set<string>()
  for (let id = parent; id !== null; ) {
    const row = loaded.get(id)
    if (row === undefined || seen.has(id)) return undefined
    seen.add(id)
    path.unshift(row)
    id = row.parent
  }
  return path
}

/** Derives the container at the end of a path. */
const containerOf = (path: ReadonlyArray<Ancestor>): Placement.Container | undefined =>
  path.reduce<Placement.Container | undefined>(
    (container, { id, defaultLevel }) => ({
      id,
      path: Placement.pathIn(container),
      level: Placement.levelIn(container, defaultLevel)
    }),
    undefined
  )

/** The columns of a collection or a space that depend on its parent. */
type PlacedRow = Pick<SpaceRow, "organization" | "parent" | "path" | "level" | "defaultLevel"> & {
  readonly id: string
}

/** Finds wrong organizations, paths and levels, of a collection or a space. */
const placementProblems = (
  row: PlacedRow,
  loaded: ReadonlyMap<string, Ancestor>,
  store: (changes: Pick<SpaceRow, "path" | "level">) => Effect.Effect<unknown, StorageUnavailable>
): ReadonlyArray<Problem> => {
  const problems: Array<Problem> = []
  const parent = row.parent === null ? undefined : loaded.get(row.parent)
  if (parent !== undefined && parent.organization !== row.organization) {
    problems.push({
      check: organizationCheck,
      row,
      message: `belongs to the organization ${row.organization}; its parent ${parent.id} belongs to ${parent.organization}`
    })
  }
  const ancestors = pathTo(loaded, row.parent)
  if (ancestors === undefined) return problems
  const container = containerOf(ancestors)
  const [path, level] = [Placement.pathIn(container), Placement.levelIn(container, row.defaultLevel)]
  if (row.path !== path || row.level !== level) {
    problems.push({
      check: placementCheck,
      row,
      message: `has the path ${row.path} and the level ${row.level}; its ancestors yield ${path} and ${level}`,
      repair: store({ path, level })
    })
  }
  return problems
}

/** Whether a collection is one of its own ancestors. */
const isOwnAncestor = (
  loaded: ReadonlyMap<string, Ancestor>,
  { id, parent }: Pick<CollectionRow, "id" | "parent">
): boolean => {
  const seen = new Set<string>()
  for (let at: string | null = parent; at !== null && !seen.has(at); at = loaded.get(at)?.parent ?? null) {
    if (at === id) return true
    seen.add(at)
  }
  return false
}

/** A collection or a space with its position among its siblings. */
interface Sibling {
  readonly id: string
  readonly kind: "collection" | "space"
  readonly position: string
}

/** Compares siblings by position, and by id if their positions are equal. */
const byPosition = (one: Sibling, other: Sibling): number =>
  one.position < other.position ? -1 : one.position > other.position ? 1 : one.id < other.id ? -1 : 1

/** The positions that several siblings share. */
const sharedPositions = (siblings: ReadonlyArray<Sibling>): ReadonlyArray<string> => {
  const inOrder = siblings.map(({ position }) => position).sort()
  return [...new Set(inOrder.filter((position, index) => position === inOrder[index - 1]))]
}

/** Returns the problem of a container whose items share positions. */
const positionProblems = (
  records: DoctorRecords,
  row: { readonly id: string },
  where: string,
  siblings: ReadonlyArray<Sibling>
): ReadonlyArray<Problem> => {
  const shared = sharedPositions(siblings)
  if (shared.length === 0) return []
  const inOrder = siblings.toSorted(byPosition)
  return [
    {
      check: positionCheck,
      row,
      message: `has several items ${where} with the position ${shared.join(", ")}`,
      repair: Effect.suspend(() => {
        const keys = generateNKeysBetween(null, null, inOrder.length)
        return Effect.forEach(
          inOrder,
          ({ id, kind }, index) =>
            kind === "space"
              ? records.update(spaces, Where.eq<SpaceRow, "id">("id", id as SpaceId), {
                  position: keys[index]!
                })
              : records.update(collections, Where.eq<CollectionRow, "id">("id", id as CollectionId), {
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

/** The number of containers per batch. The ids and positions of all their items are in memory. */
const containersPerBatch = 50

/** The doctor checks of collections, and of the placement of spaces. */
export const collectionExaminations: ReadonlyArray<Examination> = [
  examination(
    collections,
    [cycleCheck, depthCheck, organizationCheck, placementCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const loaded = yield* loadAncestors(
        records,
        rows.flatMap(({ id, parent }) => [id, parent])
      )
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        if (isOwnAncestor(loaded, row)) return [{ check: cycleCheck, row, message: "is its own ancestor" }]
        const depth = (pathTo(loaded, row.parent)?.length ?? 0) + 1
        return [
          ...(depth > maximumDepth
            ? [{ check: depthCheck, row, message: `is at level ${depth}; the maximum is ${maximumDepth}` }]
            : []),
          ...placementProblems(row, loaded, (changes) =>
            records.update(collections, Where.eq("id", row.id), changes)
          )
        ]
      })
    })
  ),
  examination(
    spaces,
    [organizationCheck, placementCheck],
    Effect.fnUntraced(function* ({ records }, rows) {
      const loaded = yield* loadAncestors(
        records,
        rows.map(({ parent }) => parent)
      )
      return rows.flatMap((row) =>
        placementProblems(row, loaded, (changes) => records.update(spaces, Where.eq("id", row.id), changes))
      )
    })
  ),
  examination(
    organizations,
    [positionCheck],
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
        positionProblems(records, row, "at its root", [
          ...siblingsOf("space", spacesOf.get(row.id) ?? []),
          ...siblingsOf("collection", foldersOf.get(row.id) ?? [])
        ])
      )
    }),
    { maximumRows: containersPerBatch }
  ),
  examination(
    collections,
    [positionCheck],
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
        positionProblems(records, row, "in it", [
          ...siblingsOf("space", spacesOf.get(row.id) ?? []),
          ...siblingsOf("collection", foldersOf.get(row.id) ?? [])
        ])
      )
    }),
    { maximumRows: containersPerBatch }
  )
]
