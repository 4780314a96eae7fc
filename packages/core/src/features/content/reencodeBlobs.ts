/**
 * Stores blobs again, which were stored before compression or restored from a backup: old versions as the difference from an
 * earlier version, everything else compressed. It is safe while servers run. Every batch is a transaction, and blobs that are
 * encoded already are skipped, so that a repetition continues where an attempt ended.
 */

import type { GrantedReader } from "@lectern/access"
import { childrenOf, emptyRoot, type Node } from "@lectern/content"
import { type BlobHash, type StorageUnavailable, Where } from "@lectern/kernel"
import { changeRequests, type RevisionRow, revisions, spaces } from "@lectern/kernel/tables"
import type { SpaceId } from "@lectern/model/spaces"
import { Context, Effect } from "effect"
import type { ContentStore } from "./ContentStore.ts"
import { markReachable } from "./collectGarbage.ts"
import { referencesOf } from "./contentBytes.ts"

/** Progress of {@link reencodeBlobs}, and its result. */
export interface ReencodedBlobs {
  /** The number of blobs that were compared with their earlier version or with their compressed form. */
  readonly examined: number
  /** The number of blobs that were stored again. */
  readonly encoded: number
  /** The number of bytes by which the stored blobs became smaller. */
  readonly savedBytes: number
}

/** Receives the progress of `Content.reencodeBlobs`; it is ignored by default. */
export const OnReencodeProgress = Context.Reference<(progress: ReencodedBlobs) => Effect.Effect<void>>(
  "@lectern/core/OnReencodeProgress",
  { defaultValue: () => () => Effect.void }
)

/** The number of blobs per transaction. */
const batchSize = 200

/** A blob, and the blob that it replaced. */
type Version = readonly [hash: BlobHash, previous: BlobHash]

/** Returns the nodes of a map that another map replaces, by their level and their first key. */
const pairNodes = Effect.fnUntraced(function* (
  content: ContentStore["Service"],
  before: BlobHash,
  after: BlobHash
): Effect.fn.Return<ReadonlyArray<Version>, StorageUnavailable> {
  const pairs: Array<Version> = []
  if (before === emptyRoot || after === emptyRoot) return pairs
  type Placed = ReadonlyMap<string, BlobHash>
  let [old, fresh]: [Placed, Placed] = [new Map([["", before]]), new Map([["", after]])]
  const childrenIn = (placed: Placed, nodes: ReadonlyMap<BlobHash, Node>, level: number): Placed =>
    new Map(
      [...placed].flatMap(([first, hash]) => {
        const node = nodes.get(hash)!
        if (node.level !== level) return [[first, hash] as const]
        return childrenOf(node).map((child, at) => [at === 0 ? first : node.keys[at]!, child] as const)
      })
    )
  for (;;) {
    const hashes = [...new Set([...old.values(), ...fresh.values()])]
    const found = yield* content.nodes.getMany(hashes)
    const nodes = new Map(hashes.map((hash, at) => [hash, found[at]!]))
    const level = Math.max(0, ...found.map((node) => node.level))
    for (const [first, hash] of fresh) {
      const previous = old.get(first)
      if (previous === undefined || previous === hash) continue
      const levels = [nodes.get(hash)!.level, nodes.get(previous)!.level]
      if (levels[0] === level && levels[1] === level) pairs.push([hash, previous])
    }
    if (level === 0) return pairs
    const [olds, freshs] = [childrenIn(old, nodes, level), childrenIn(fresh, nodes, level)]
    const [oldHashes, freshHashes] = [new Set(olds.values()), new Set(freshs.values())]
    old = new Map([...olds].filter(([, hash]) => !freshHashes.has(hash)))
    fresh = new Map([...freshs].filter(([, hash]) => !oldHashes.has(hash)))
  }
})

/** Returns the Markdown and the nodes of a revision that replace Markdown and nodes of its parent. */
const versionsBetween = Effect.fnUntraced(function* (
  content: ContentStore["Service"],
  before: BlobHash,
  after: BlobHash
): Effect.fn.Return<ReadonlyArray<Version>, StorageUnavailable> {
  const versions = [...(yield* pairNodes(content, before, after))]
  for (const change of yield* content.maps.diff(before, after)) {
    const [old, fresh] = [referencesOf(change.key, change.before), referencesOf(change.key, change.after)]
    const [previous, hash] = [old.blobs[0], fresh.blobs[0]]
    if (previous !== undefined && hash !== undefined && previous !== hash) versions.push([hash, previous])
  }
  return versions
})

/** Stores the old versions of all blobs as differences, and compresses all others. */
export const reencodeBlobs = Effect.fnUntraced(function* (
  records: GrantedReader,
  content: ContentStore["Service"]
): Effect.fn.Return<ReencodedBlobs, StorageUnavailable> {
  const onProgress = yield* OnReencodeProgress
  let total: ReencodedBlobs = { examined: 0, encoded: 0, savedBytes: 0 }
  const add = ({ examined, encoded, savedBytes }: ReencodedBlobs) => {
    total = {
      examined: total.examined + examined,
      encoded: total.encoded + encoded,
      savedBytes: total.savedBytes + savedBytes
    }
    return onProgress(total)
  }
  if (!content.blobs.compresses) return total

  // The next edit uses the current version as its dictionary, which must not become a difference at the same time.
  const heads = yield* Effect.all([
    records.find(spaces, { select: ["revision"] }),
    records.find(changeRequests, { select: ["revision"] })
  ])
  const current = new Set(heads.flat().map(({ revision }) => revision))
  const all = yield* records.find(revisions, { select: ["id", "root"] })
  const protectedHashes = yield* markReachable(
    all.filter(({ id }) => current.has(id)).map(({ root }) => root),
    content.nodes.getMany
  )
  const reencoder = yield* content.blobs.makeReencoder(protectedHashes)

  for (const { id: space } of yield* records.find(spaces, { select: ["id"] })) {
    let pending: Array<Version> = []
    const rows = yield* records.find(revisions, {
      select: ["id", "parents", "root"],
      where: Where.eq<RevisionRow, "space">("space", space as SpaceId)
    })
    const roots = new Map(rows.map(({ id, root }) => [id, root]))
    for (const { parents, root } of rows) {
      const before = roots.get(parents[0]!)
      if (before === undefined || before === root) continue
      pending.push(...(yield* versionsBetween(content, before, root)))
      if (pending.length < batchSize) continue
      yield* add(yield* reencoder.storeVersions(pending))
      pending = []
      yield* Effect.yieldNow
    }
    if (pending.length > 0) yield* add(yield* reencoder.storeVersions(pending))
  }
  let last: BlobHash | undefined
  do {
    const { next, ...counts } = yield* reencoder.compress(last, batchSize)
    yield* add(counts)
    last = next
  } while (last !== undefined)
  return total
})
