/**
 * What is wrong with the pages of a content, told from what differs from the content before: where that one was right,
 * this one is, as far as nothing is found here.
 */
import { Effect } from "effect"
import type { BlobHash, StorageUnavailable } from "../../../kernel/storage/index.ts"
import { idOf, keys, type PageRecord, prefixes } from "../../../model/content/ContentRecord.ts"
import type { PageId } from "../../../model/content/Page.ts"
import { hasSlug, indexEntriesOf } from "../edit/pagePlacement.ts"
import type { Json } from "../MerkleNode.ts"
import { maximumDepth } from "../Tree.ts"
import { seek } from "./findEntries.ts"
import type { NodeReader } from "./NodeReader.ts"
import { flawOfEntry } from "./recordFlaws.ts"
import type { Changed } from "./revisionDifferences.ts"

/** The kinds of flaws, by the checks that they are found by. */
export type FlawKind = "records" | "indexes" | "slugs" | "order" | "tree"

/** A flaw of a content, as the rest of a sentence. */
export interface Flaw {
  readonly kind: FlawKind
  readonly message: string
}

/** What becomes of a page. */
interface Move {
  readonly id: PageId
  readonly before: PageRecord | undefined
  readonly after: PageRecord | undefined
}

const movesOf = (entries: ReadonlyMap<string, Changed>): ReadonlyArray<Move> =>
  [...entries].flatMap(([key, { before, after }]) =>
    key.startsWith(prefixes.pages)
      ? [{ id: idOf(key) as PageId, before: before as never, after: after as never }]
      : []
  )

const isIndex = (key: string): boolean => key.startsWith("c/") || key.startsWith("s/")

/** The indexes by place and by slug, beside what follows from the pages. */
const flawsOfIndexes = Effect.fnUntraced(function* (
  nodes: NodeReader,
  root: BlobHash,
  entries: ReadonlyMap<string, Changed>,
  moves: ReadonlyArray<Move>
): Effect.fn.Return<ReadonlyArray<Flaw>, StorageUnavailable> {
  const flaws: Array<Flaw> = []
  const expected = new Map<string, Json | undefined>()
  for (const { id, before } of moves)
    for (const [key] of indexEntriesOf(id, before)) expected.set(key, undefined)
  for (const { id, after } of moves) {
    for (const [key, value] of indexEntriesOf(id, after)) {
      const other = expected.get(key)
      if (other !== undefined && other !== value) {
        flaws.push({
          kind: "slugs",
          message: `has the pages ${other} and ${id} at the one slug ${key.slice(2)}`
        })
      }
      expected.set(key, value)
    }
  }
  const unsaid = [...expected.keys()].filter((key) => !entries.has(key))
  const found = yield* seek(
    nodes,
    unsaid.map((key) => ({ root, key }))
  )
  for (const [key, value] of expected) {
    const there = entries.has(key) ? { value: entries.get(key)!.after } : found(root, key)
    if (there === undefined || there.value === value) continue
    if (key.startsWith("s/") && value !== undefined && there.value !== undefined) {
      flaws.push({
        kind: "slugs",
        message: `has the pages ${there.value} and ${value} at the one slug ${key.slice(2)}`
      })
    } else {
      flaws.push({
        kind: "indexes",
        message: `${value === undefined ? "finds a page" : "does not find its page"} at ${key}`
      })
    }
  }
  for (const [key, { after }] of entries) {
    if (!isIndex(key) || expected.has(key)) continue
    flaws.push({
      kind: "indexes",
      message: `${after === undefined ? "does not find its page" : "finds a page"} at ${key}`
    })
  }
  return flaws
})

/** Pages of one parent at one position: nothing could be put between them. */
const flawsOfOrder = Effect.fnUntraced(function* (
  nodes: NodeReader,
  root: BlobHash,
  moves: ReadonlyArray<Move>
): Effect.fn.Return<ReadonlyArray<Flaw>, StorageUnavailable> {
  const places = moves.flatMap(({ id, before, after }) => {
    if (after === undefined || (before?.parent === after.parent && before.position === after.position))
      return []
    const mine = keys.place(after.parent, after.position, id)
    return [{ at: keys.place(after.parent, after.position, ""), mine, id }]
  })
  const found = yield* seek(
    nodes,
    places.flatMap(({ at, mine }) => [
      { root, key: at },
      { root, key: `${mine}\0` }
    ])
  )
  return places.flatMap(({ at, mine, id }): ReadonlyArray<Flaw> => {
    const beside = [found(root, at)?.key, found(root, `${mine}\0`)?.key].find(
      (key) => key !== undefined && key !== mine && key.startsWith(at)
    )
    return beside === undefined
      ? []
      : [
          {
            kind: "order",
            message: `has the pages ${id} and ${idOf(beside)} at the one place ${at.slice(2, -1)}`
          }
        ]
  })
})

/** The pages above some, as far up as it goes; null for one that is not there. */
const pagesAbove = Effect.fnUntraced(function* (
  nodes: NodeReader,
  root: BlobHash,
  moves: ReadonlyArray<Move>
): Effect.fn.Return<ReadonlyMap<string, PageRecord | null>, StorageUnavailable> {
  const known = new Map<string, PageRecord | null>(moves.map(({ id, after }) => [id, after ?? null]))
  let asked = new Set(moves.flatMap(({ after }) => after?.parent ?? []))
  for (;;) {
    const missing = [...asked].filter((id) => id !== "" && !known.has(id))
    if (missing.length === 0) return known
    const found = yield* seek(
      nodes,
      missing.map((id) => ({ root, key: keys.page(id) }))
    )
    asked = new Set()
    for (const id of missing) {
      const page = (found(root, keys.page(id))?.value ?? null) as PageRecord | null
      known.set(id, page)
      if (page !== null) asked.add(page.parent)
    }
  }
})

/** How many pages are above one; undefined where they go round in a circle. */
const depthsOf = (known: ReadonlyMap<string, PageRecord | null>) => {
  const depths = new Map<string, number | undefined>([["", 0]])
  return (id: string): number | undefined => {
    const way: Array<string> = []
    const seen = new Set<string>()
    let at = id
    while (!depths.has(at)) {
      if (seen.has(at)) {
        for (const one of way) depths.set(one, undefined)
        return undefined
      }
      seen.add(at)
      way.push(at)
      at = known.get(at)?.parent ?? ""
    }
    let depth = depths.get(at)
    for (const one of way.toReversed()) {
      depth = depth === undefined ? undefined : depth + 1
      depths.set(one, depth)
    }
    return depth
  }
}

/** Where pages stand: under one that is there and takes pages, in no circle, not too deep. */
const flawsOfTree = Effect.fnUntraced(function* (
  nodes: NodeReader,
  root: BlobHash,
  moves: ReadonlyArray<Move>
): Effect.fn.Return<ReadonlyArray<Flaw>, StorageUnavailable> {
  const known = yield* pagesAbove(nodes, root, moves)
  const depthOf = depthsOf(known)
  const flaws: Array<string> = []
  for (const { id, after } of moves) {
    if (after === undefined || after.parent === "") continue
    const parent = known.get(after.parent)
    const depth = depthOf(id)
    if (parent == null) flaws.push(`has the page ${id} below ${after.parent}, which is not there`)
    else if (!hasSlug(parent))
      flaws.push(`has the page ${id} below ${after.parent}, a page of the type ${parent.type}`)
    else if (after.type === "group") flaws.push(`has the group ${id} below ${after.parent}`)
    else if (depth === undefined) flaws.push(`has the page ${id} below itself`)
    else if (depth > maximumDepth) flaws.push(`has the page ${id} ${depth} deep`)
  }
  const gone = moves.filter(({ after }) => after === undefined)
  const found = yield* seek(
    nodes,
    gone.map(({ id }) => ({ root, key: prefixes.children(id) }))
  )
  for (const { id } of gone) {
    const child = found(root, prefixes.children(id))?.key
    if (child?.startsWith(prefixes.children(id)) === true) {
      flaws.push(`has the page ${idOf(child)} below ${id}, which is not there`)
    }
  }
  return [...new Set(flaws)].map((message) => ({ kind: "tree", message }))
})

/** What is wrong with a content, as far as it differs from the one before. */
export const flawsOf = Effect.fnUntraced(function* (
  nodes: NodeReader,
  root: BlobHash,
  entries: ReadonlyMap<string, Changed>
): Effect.fn.Return<ReadonlyArray<Flaw>, StorageUnavailable> {
  const misshapen = [...entries].flatMap(([key, { after }]) => {
    const flaw = after === undefined ? undefined : flawOfEntry(key, after)
    return flaw === undefined ? [] : [flaw]
  })
  // What follows from records cannot be told of those that are none.
  if (misshapen.length > 0) return misshapen.map((message) => ({ kind: "records", message }))
  const moves = movesOf(entries)
  return [
    ...(yield* flawsOfIndexes(nodes, root, entries, moves)),
    ...(yield* flawsOfOrder(nodes, root, moves)),
    ...(yield* flawsOfTree(nodes, root, moves))
  ]
})
