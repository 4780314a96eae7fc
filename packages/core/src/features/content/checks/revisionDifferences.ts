/**
 * What revisions made new: the nodes of their maps that those before them have not got, read with mistrust, and the
 * entries that differ. What a revision shares with the one before was looked at there, so all revisions of a space
 * together cost what was ever written. Several are read side by side: a look-up for each level of the deepest.
 */
import { Effect } from "effect"
import type { BlobHash, StorageUnavailable } from "../../../kernel/storage/index.ts"
import { emptyRoot } from "../MerkleMap.ts"
import { childrenOf, type Json, type Node, rankOf } from "../MerkleNode.ts"
import type { NodeReader } from "./NodeReader.ts"

/** The content of a revision, and of the one before; nothing where there is none before. */
export interface Step {
  readonly before: BlobHash
  readonly after: BlobHash
}

/** An entry that differs. */
export interface Changed {
  readonly before: Json | undefined
  readonly after: Json | undefined
}

/** What a step made new. */
export interface Differences {
  /** The nodes that are in the content after, and not in the one before. */
  readonly fresh: ReadonlyArray<BlobHash>
  /** What is wrong with the map; nothing else can be told of a content then. */
  readonly missing: ReadonlyArray<BlobHash>
  readonly malformed: ReadonlyArray<string>
  readonly entries: ReadonlyMap<string, Changed>
}

/** A node as another names it: by its first key, and by the key that it ends before. */
interface Link {
  readonly hash: BlobHash
  readonly first: string
  readonly end: string | undefined
  /** The level that it has to be of; any for a root. */
  readonly level: number | undefined
}

interface Walk {
  readonly step: Step
  old: ReadonlyArray<Link>
  fresh: ReadonlyArray<Link>
  readonly seen: Set<BlobHash>
  readonly missing: Set<BlobHash>
  readonly malformed: Array<string>
  was: Map<string, Json>
  readonly is: Map<string, Json>
}

const linkTo = (hash: BlobHash): Link => ({ hash, first: "", end: undefined, level: undefined })

const linkKey = ({ hash, first, end }: Link): string => `${hash} ${end ?? ""}\0${first}`

/** Why a node cannot stand where it is named; undefined where it can. */
const flawOf = (node: Node, { first, end, level }: Link): string | undefined => {
  const { keys } = node
  if (level !== undefined && node.level !== level)
    return `is of the level ${node.level}, in the place of one of ${level}`
  if (level === undefined && node.level > 0 && keys.length < 2) return "is a root over a single node"
  const begin = node.level === 0 && first === "" ? undefined : first
  if (begin !== undefined && keys[0] !== begin) return `begins with ${keys[0]}, in the place of ${begin}`
  for (const [index, key] of keys.entries()) {
    if (index > 0 && !(keys[index - 1]! < key)) return `has its keys out of order, at ${key}`
    const begins = rankOf(key) > node.level && key !== ""
    if (begins !== (index === 0 && first !== "")) return `is divided at another key than ${key}`
  }
  const last = keys.at(-1)
  return last !== undefined && end !== undefined && !(last < end)
    ? `goes on to ${last}, beyond ${end}`
    : undefined
}

const linksOf = (node: Node, { end }: Link): ReadonlyArray<Link> =>
  childrenOf(node).map((hash, index) => ({
    hash,
    first: node.keys[index]!,
    end: node.keys[index + 1] ?? end,
    level: node.level - 1
  }))

const without = (links: ReadonlyArray<Link>, others: ReadonlyArray<Link>): ReadonlyArray<Link> => {
  const names = new Set(others.map(linkKey))
  return links.filter((link) => !names.has(linkKey(link)))
}

/** Begins anew, with nothing before: for what was before cannot be read. */
const forget = (walk: Walk): void => {
  walk.old = []
  walk.was = new Map()
  walk.fresh = [linkTo(walk.step.after)]
  walk.is.clear()
}

type Reading = Effect.Success<ReturnType<NodeReader["at"]>>

/** One round: nodes of the highest level give way to those below them; those of a lower tree wait. */
const descend = (walk: Walk, read: Reading): void => {
  const olds = walk.old.map((link) => ({ link, there: read(link.hash) }))
  if (olds.some(({ there }) => there._tag !== "Node")) {
    forget(walk)
    return
  }
  const freshs: Array<{ readonly link: Link; readonly node: Node }> = []
  for (const link of walk.fresh) {
    const there = read(link.hash)
    if (there._tag === "Missing") walk.missing.add(link.hash)
    else if (there._tag === "Malformed") walk.malformed.push(`${link.hash}: ${there.why}`)
    else {
      const flaw = flawOf(there.node, link)
      if (flaw === undefined) freshs.push({ link, node: there.node })
      else walk.malformed.push(`${link.hash} ${flaw}`)
    }
    if (there._tag !== "Missing") walk.seen.add(link.hash)
  }
  const nodes = olds.flatMap(({ link, there }) => (there._tag === "Node" ? [{ link, node: there.node }] : []))
  const level = Math.max(0, ...[...nodes, ...freshs].map(({ node }) => node.level))
  if (level === 0) {
    for (const { node } of nodes)
      for (const [index, key] of node.keys.entries()) walk.was.set(key, node.values[index]!)
    for (const { node } of freshs)
      for (const [index, key] of node.keys.entries()) walk.is.set(key, node.values[index]!)
    walk.old = []
    walk.fresh = []
    return
  }
  const next = (all: typeof freshs) =>
    all.flatMap(({ link, node }) => (node.level === level ? linksOf(node, link) : [link]))
  const [old, fresh] = [next(nodes), next(freshs)]
  walk.old = without(old, fresh)
  walk.fresh = without(fresh, old)
}

const entriesOf = ({ was, is }: Walk): ReadonlyMap<string, Changed> => {
  const entries = new Map<string, Changed>()
  for (const key of new Set([...was.keys(), ...is.keys()])) {
    const [before, after] = [was.get(key), is.get(key)]
    if (before !== after && JSON.stringify(before) !== JSON.stringify(after))
      entries.set(key, { before, after })
  }
  return entries
}

/** What steps made new, in their order. */
export const differences = Effect.fnUntraced(function* (
  nodes: NodeReader,
  steps: ReadonlyArray<Step>
): Effect.fn.Return<ReadonlyArray<Differences>, StorageUnavailable> {
  const walks = steps.map(
    (step): Walk => ({
      step,
      old: step.before === step.after || step.before === emptyRoot ? [] : [linkTo(step.before)],
      fresh: step.before === step.after ? [] : [linkTo(step.after)],
      seen: new Set(),
      missing: new Set(),
      malformed: [],
      was: new Map(),
      is: new Map()
    })
  )
  for (
    let open = walks;
    open.length > 0;
    open = walks.filter(({ old, fresh }) => old.length + fresh.length > 0)
  ) {
    const read = yield* nodes.at(
      new Set(open.flatMap(({ old, fresh }) => [...old, ...fresh].map(({ hash }) => hash)))
    )
    for (const walk of open) descend(walk, read)
  }
  return walks.map((walk) => ({
    fresh: [...walk.seen],
    missing: [...walk.missing],
    malformed: walk.malformed,
    entries: entriesOf(walk)
  }))
})
