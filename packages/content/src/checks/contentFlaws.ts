/**
 * Finds flaws in the records and the page tree of content. It examines only the differences from the previous revision:
 * if that revision is valid and no flaw is found here, this revision is valid.
 */

import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import { idOf, keys, type PageRecord, prefixes } from "@lectern/kernel/tables"
import type { PageId } from "@lectern/model/content"
import { Effect } from "effect"
import { hasSlug, indexEntriesOf } from "../edit/pagePlacement.ts"
import type { Json } from "../MerkleNode.ts"
import { maximumDepth } from "../Tree.ts"
import { findEntries } from "./findEntries.ts"
import type { NodeReader } from "./NodeReader.ts"
import { findEntryFlaw } from "./recordFlaws.ts"
import type { EntryChange } from "./revisionDifferences.ts"

/** The kinds of flaws. Each belongs to one check. */
export type FlawKind = "records" | "indexes" | "slugs" | "order" | "tree"

/** A flaw of content. The message is a predicate about the revision. */
export interface Flaw {
  readonly kind: FlawKind
  readonly message: string
}

/** A page before and after. */
interface PageChange {
  readonly id: PageId
  readonly before: PageRecord | undefined
  readonly after: PageRecord | undefined
}

/** Records are interfaces of JSON, which lack the index signature of its type. */
const pageOf = (value: Json | undefined): PageRecord | undefined => value as unknown as PageRecord | undefined

const pageChangesOf = (entries: ReadonlyMap<string, EntryChange>): ReadonlyArray<PageChange> =>
  [...entries].flatMap(([key, { before, after }]) =>
    key.startsWith(prefixes.pages)
      ? [{ id: idOf(key) as PageId, before: pageOf(before), after: pageOf(after) }]
      : []
  )

const isIndex = (key: string): boolean => key.startsWith("c/") || key.startsWith("s/")

/** Compares changes of the indexes by place and by slug with the entries that are derived from the pages. */
const findIndexFlaws = Effect.fnUntraced(function* (
  nodes: NodeReader,
  root: BlobHash,
  entries: ReadonlyMap<string, EntryChange>,
  pageChanges: ReadonlyArray<PageChange>
): Effect.fn.Return<ReadonlyArray<Flaw>, StorageUnavailable> {
  const flaws: Array<Flaw> = []
  const expected = new Map<string, Json | undefined>()
  for (const { id, before } of pageChanges)
    for (const [key] of indexEntriesOf(id, before)) expected.set(key, undefined)
  for (const { id, after } of pageChanges) {
    for (const [key, value] of indexEntriesOf(id, after)) {
      const other = expected.get(key)
      if (other !== undefined && other !== value) {
        flaws.push({
          kind: "slugs",
          message: `has the pages ${other} and ${id} at the same slug ${key.slice(2)}`
        })
      }
      expected.set(key, value)
    }
  }
  const unchangedKeys = [...expected.keys()].filter((key) => !entries.has(key))
  const found = yield* findEntries(
    nodes,
    unchangedKeys.map((key) => ({ root, key }))
  )
  for (const [key, value] of expected) {
    const stored = entries.has(key) ? { value: entries.get(key)!.after } : found(root, key)
    if (stored === undefined || stored.value === value) continue
    if (key.startsWith("s/") && value !== undefined && stored.value !== undefined) {
      flaws.push({
        kind: "slugs",
        message: `has the pages ${stored.value} and ${value} at the same slug ${key.slice(2)}`
      })
    } else {
      flaws.push({
        kind: "indexes",
        message: `${value === undefined ? "has an extra index entry" : "lacks an index entry"} at ${key}`
      })
    }
  }
  for (const [key, { after }] of entries) {
    if (!isIndex(key) || expected.has(key)) continue
    flaws.push({
      kind: "indexes",
      message: `${after === undefined ? "lacks an index entry" : "has an extra index entry"} at ${key}`
    })
  }
  return flaws
})

/** Finds siblings with equal positions, between which no page could be inserted. */
const findOrderFlaws = Effect.fnUntraced(function* (
  nodes: NodeReader,
  root: BlobHash,
  pageChanges: ReadonlyArray<PageChange>
): Effect.fn.Return<ReadonlyArray<Flaw>, StorageUnavailable> {
  const places = pageChanges.flatMap(({ id, before, after }) => {
    if (after === undefined || (before?.parent === after.parent && before.position === after.position))
      return []
    const placeKey = keys.place(after.parent, after.position, id)
    return [{ at: keys.place(after.parent, after.position, ""), placeKey, id }]
  })
  const found = yield* findEntries(
    nodes,
    places.flatMap(({ at, placeKey }) => [
      { root, key: at },
      { root, key: `${placeKey}\0` }
    ])
  )
  return places.flatMap(({ at, placeKey, id }): ReadonlyArray<Flaw> => {
    const sibling = [found(root, at)?.key, found(root, `${placeKey}\0`)?.key].find(
      (key) => key !== undefined && key !== placeKey && key.startsWith(at)
    )
    return sibling === undefined
      ? []
      : [
          {
            kind: "order",
            message: `has the pages ${id} and ${idOf(sibling)} at the same position ${at.slice(2, -1)}`
          }
        ]
  })
})

/** Loads the changed pages and all of their ancestors, by id; null for missing pages. */
const loadWithAncestors = Effect.fnUntraced(function* (
  nodes: NodeReader,
  root: BlobHash,
  pageChanges: ReadonlyArray<PageChange>
): Effect.fn.Return<ReadonlyMap<string, PageRecord | null>, StorageUnavailable> {
  const pages = new Map<string, PageRecord | null>(pageChanges.map(({ id, after }) => [id, after ?? null]))
  let requested = new Set(pageChanges.flatMap(({ after }) => after?.parent ?? []))
  for (;;) {
    const missing = [...requested].filter((id) => id !== "" && !pages.has(id))
    if (missing.length === 0) return pages
    const found = yield* findEntries(
      nodes,
      missing.map((id) => ({ root, key: keys.page(id) }))
    )
    requested = new Set()
    for (const id of missing) {
      const page = (found(root, keys.page(id))?.value ?? null) as PageRecord | null
      pages.set(id, page)
      if (page !== null) requested.add(page.parent)
    }
  }
})

/** Returns the function that computes the depth of a page; undefined if its ancestors form a cycle. */
const depthsOf = (pages: ReadonlyMap<string, PageRecord | null>) => {
  const depths = new Map<string, number | undefined>([["", 0]])
  return (id: string): number | undefined => {
    const path: Array<string> = []
    const seen = new Set<string>()
    let at = id
    while (!depths.has(at)) {
      if (seen.has(at)) {
        for (const id of path) depths.set(id, undefined)
        return undefined
      }
      seen.add(at)
      path.push(at)
      at = pages.get(at)?.parent ?? ""
    }
    let depth = depths.get(at)
    for (const id of path.toReversed()) {
      depth = depth === undefined ? undefined : depth + 1
      depths.set(id, depth)
    }
    return depth
  }
}

/** Finds pages whose parent is missing or cannot have children, cycles, and pages that are too deep. */
const findTreeFlaws = Effect.fnUntraced(function* (
  nodes: NodeReader,
  root: BlobHash,
  pageChanges: ReadonlyArray<PageChange>
): Effect.fn.Return<ReadonlyArray<Flaw>, StorageUnavailable> {
  const pages = yield* loadWithAncestors(nodes, root, pageChanges)
  const depthOf = depthsOf(pages)
  const flaws: Array<string> = []
  for (const { id, after } of pageChanges) {
    if (after === undefined || after.parent === "") continue
    const parent = pages.get(after.parent)
    const depth = depthOf(id)
    if (parent == null) flaws.push(`has the page ${id} below ${after.parent}, which does not exist`)
    else if (!hasSlug(parent))
      flaws.push(`has the page ${id} below ${after.parent}, a page of the type ${parent.type}`)
    else if (after.type === "group") flaws.push(`has the group ${id} below ${after.parent}`)
    else if (depth === undefined) flaws.push(`has the page ${id} below itself`)
    else if (depth > maximumDepth)
      flaws.push(`has the page ${id} at depth ${depth}; the maximum is ${maximumDepth}`)
  }
  const removed = pageChanges.filter(({ after }) => after === undefined)
  const found = yield* findEntries(
    nodes,
    removed.map(({ id }) => ({ root, key: prefixes.children(id) }))
  )
  for (const { id } of removed) {
    const child = found(root, prefixes.children(id))?.key
    if (child?.startsWith(prefixes.children(id)) === true) {
      flaws.push(`has the page ${idOf(child)} below ${id}, which does not exist`)
    }
  }
  return [...new Set(flaws)].map((message) => ({ kind: "tree", message }))
})

/** Finds the flaws of content in its changed entries. */
export const findContentFlaws = Effect.fnUntraced(function* (
  nodes: NodeReader,
  root: BlobHash,
  entries: ReadonlyMap<string, EntryChange>
): Effect.fn.Return<ReadonlyArray<Flaw>, StorageUnavailable> {
  const invalidRecords = [...entries].flatMap(([key, { after }]) => {
    const flaw = after === undefined ? undefined : findEntryFlaw(key, after)
    return flaw === undefined ? [] : [flaw]
  })
  // The other flaws cannot be derived from invalid records.
  if (invalidRecords.length > 0) return invalidRecords.map((message) => ({ kind: "records", message }))
  const pageChanges = pageChangesOf(entries)
  return [
    ...(yield* findIndexFlaws(nodes, root, entries, pageChanges)),
    ...(yield* findOrderFlaws(nodes, root, pageChanges)),
    ...(yield* findTreeFlaws(nodes, root, pageChanges))
  ]
})
