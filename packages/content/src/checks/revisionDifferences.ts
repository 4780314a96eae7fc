/**
 * Compares the map of each revision with its predecessor, and validates the nodes that are new. Shared nodes were
 * validated with the predecessor, so that the cost for all revisions of a space is linear in the number of written
 * nodes. Several revisions are compared concurrently, with one query per level of the deepest map.
 */

import type { BlobHash, StorageUnavailable } from "@lectern/kernel"
import { Effect } from "effect"
import { childrenOf, emptyRoot, type FanOut, type Json, type Node, rankOf } from "../MerkleNode.ts"
import type { NodeReader } from "./NodeReader.ts"

/** The roots of a revision and of its predecessor; the empty root if it has no predecessor. */
export interface RootPair {
  readonly before: BlobHash
  readonly after: BlobHash
}

/** An entry that differs; undefined on the side that lacks it. */
export interface EntryChange {
  readonly before: Json | undefined
  readonly after: Json | undefined
}

/** The differences of a revision from its predecessor. */
export interface Differences {
  /** The hashes of nodes that the predecessor does not have. */
  readonly newNodes: ReadonlyArray<BlobHash>
  /** The hashes of missing nodes. If there are any, `entries` is incomplete. */
  readonly missing: ReadonlyArray<BlobHash>
  /** Malformed nodes, each as its hash and a predicate. If there are any, `entries` is incomplete. */
  readonly malformed: ReadonlyArray<string>
  /** The changed entries, by key. */
  readonly entries: ReadonlyMap<string, EntryChange>
}

/** A reference from a node to a child, with the range of its keys. */
interface Link {
  readonly hash: BlobHash
  readonly first: string
  /** The exclusive upper bound of its keys; undefined for the last node. */
  readonly end: string | undefined
  /** The required level; undefined for a root, which can have any. */
  readonly level: number | undefined
  /** The required fan-out; undefined for a root, which can have any. */
  readonly fanOut: FanOut | undefined
}

/** The state of one comparison. */
interface Comparison {
  readonly pair: RootPair
  oldLinks: ReadonlyArray<Link>
  newLinks: ReadonlyArray<Link>
  readonly seen: Set<BlobHash>
  readonly missing: Set<BlobHash>
  readonly malformed: Array<string>
  before: Map<string, Json>
  readonly after: Map<string, Json>
}

const linkTo = (hash: BlobHash): Link => ({
  hash,
  first: "",
  end: undefined,
  level: undefined,
  fanOut: undefined
})

const linkKey = ({ hash, first, end }: Link): string => `${hash} ${end ?? ""}\0${first}`

/** Returns why a node is invalid at its place in the map, as a predicate; undefined if it is valid. */
const findNodeFlaw = (node: Node, { first, end, level, fanOut }: Link): string | undefined => {
  const { keys } = node
  if (level !== undefined && node.level !== level) return `has the level ${node.level}; expected is ${level}`
  if (fanOut !== undefined && keys.length > 0 && node.fanOut !== fanOut)
    return `has the fan-out ${node.fanOut}; expected is ${fanOut}`
  if (level === undefined && node.level > 0 && keys.length < 2) return "is a root with a single child"
  const begin = node.level === 0 && first === "" ? undefined : first
  if (begin !== undefined && keys[0] !== begin) return `begins with the key ${keys[0]}; expected is ${begin}`
  for (const [index, key] of keys.entries()) {
    if (index > 0 && !(keys[index - 1]! < key)) return `has keys that are not in ascending order, at ${key}`
    const begins = rankOf(key, node.fanOut) > node.level && key !== ""
    if (begins !== (index === 0 && first !== "")) return `has a wrong boundary at the key ${key}`
  }
  const last = keys.at(-1)
  return last !== undefined && end !== undefined && !(last < end)
    ? `contains the key ${last}, beyond its end ${end}`
    : undefined
}

const linksOf = (node: Node, { end }: Link): ReadonlyArray<Link> =>
  childrenOf(node).map((hash, index) => ({
    hash,
    first: node.keys[index]!,
    end: node.keys[index + 1] ?? end,
    level: node.level - 1,
    fanOut: node.fanOut
  }))

/** Removes the links that `others` have, too. */
const without = (links: ReadonlyArray<Link>, others: ReadonlyArray<Link>): ReadonlyArray<Link> => {
  const names = new Set(others.map(linkKey))
  return links.filter((link) => !names.has(linkKey(link)))
}

/** Restarts a comparison with an empty predecessor, because the predecessor cannot be read. */
const restartWithoutBefore = (comparison: Comparison): void => {
  comparison.oldLinks = []
  comparison.before = new Map()
  comparison.newLinks = [linkTo(comparison.pair.after)]
  comparison.after.clear()
}

type ReadResults = Effect.Success<ReturnType<NodeReader["readMany"]>>

/** Descends one level: replaces the links to nodes of the highest level with links to their children. */
const descend = (comparison: Comparison, read: ReadResults): void => {
  const oldResults = comparison.oldLinks.map((link) => ({ link, result: read(link.hash) }))
  if (oldResults.some(({ result }) => result._tag !== "Node")) {
    restartWithoutBefore(comparison)
    return
  }
  const newNodes: Array<{ readonly link: Link; readonly node: Node }> = []
  for (const link of comparison.newLinks) {
    const result = read(link.hash)
    if (result._tag === "Missing") comparison.missing.add(link.hash)
    else if (result._tag === "Malformed") comparison.malformed.push(`${link.hash}: ${result.why}`)
    else {
      const flaw = findNodeFlaw(result.node, link)
      if (flaw === undefined) newNodes.push({ link, node: result.node })
      else comparison.malformed.push(`${link.hash} ${flaw}`)
    }
    if (result._tag !== "Missing") comparison.seen.add(link.hash)
  }
  const oldNodes = oldResults.flatMap(({ link, result }) =>
    result._tag === "Node" ? [{ link, node: result.node }] : []
  )
  const level = Math.max(0, ...[...oldNodes, ...newNodes].map(({ node }) => node.level))
  if (level === 0) {
    for (const { node } of oldNodes)
      for (const [index, key] of node.keys.entries()) comparison.before.set(key, node.values[index]!)
    for (const { node } of newNodes)
      for (const [index, key] of node.keys.entries()) comparison.after.set(key, node.values[index]!)
    comparison.oldLinks = []
    comparison.newLinks = []
    return
  }
  const next = (all: typeof newNodes) =>
    all.flatMap(({ link, node }) => (node.level === level ? linksOf(node, link) : [link]))
  const [oldLinks, newLinks] = [next(oldNodes), next(newNodes)]
  comparison.oldLinks = without(oldLinks, newLinks)
  comparison.newLinks = without(newLinks, oldLinks)
}

const entriesOf = ({
  before: entriesBefore,
  after: entriesAfter
}: Comparison): ReadonlyMap<string, EntryChange> => {
  const entries = new Map<string, EntryChange>()
  for (const key of new Set([...entriesBefore.keys(), ...entriesAfter.keys()])) {
    const [before, after] = [entriesBefore.get(key), entriesAfter.get(key)]
    if (before !== after && JSON.stringify(before) !== JSON.stringify(after))
      entries.set(key, { before, after })
  }
  return entries
}

/** Compares pairs of maps, and returns their differences in the same order. */
export const findDifferences = Effect.fnUntraced(function* (
  nodes: NodeReader,
  pairs: ReadonlyArray<RootPair>
): Effect.fn.Return<ReadonlyArray<Differences>, StorageUnavailable> {
  const comparisons = pairs.map(
    (pair): Comparison => ({
      pair,
      oldLinks: pair.before === pair.after || pair.before === emptyRoot ? [] : [linkTo(pair.before)],
      newLinks: pair.before === pair.after ? [] : [linkTo(pair.after)],
      seen: new Set(),
      missing: new Set(),
      malformed: [],
      before: new Map(),
      after: new Map()
    })
  )
  for (
    let open = comparisons;
    open.length > 0;
    open = comparisons.filter(({ oldLinks, newLinks }) => oldLinks.length + newLinks.length > 0)
  ) {
    const read = yield* nodes.readMany(
      new Set(open.flatMap(({ oldLinks, newLinks }) => [...oldLinks, ...newLinks].map(({ hash }) => hash)))
    )
    for (const comparison of open) descend(comparison, read)
  }
  return comparisons.map((comparison) => ({
    newNodes: [...comparison.seen],
    missing: [...comparison.missing],
    malformed: comparison.malformed,
    entries: entriesOf(comparison)
  }))
})
