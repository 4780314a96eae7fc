/**
 * Garbage collection of content: deletes blobs that no revision references, such as the content of purged spaces. It
 * runs as a periodic job, without a user.
 *
 * It marks everything that is reachable from the roots of all revisions, visiting each node once, and sweeps the rest.
 * Blobs that were stored within the last day are exempt: the transaction that references them may not have committed
 * yet, or they are the chunks of an upload in progress.
 */

import type { GrantedReader } from "@lectern/access"
import { childrenOf, emptyRoot, type Node } from "@lectern/content"
import {
  type BlobHash,
  type ChunkedBlobRow,
  isUnusedBefore,
  type StorageUnavailable,
  toTimestamp,
  Where
} from "@lectern/kernel"
import {
  type FileRecord,
  type ImportRunRow,
  importRuns,
  type PageRecord,
  revisions,
  stagedUploads
} from "@lectern/kernel/tables"
import { Clock, Context, Effect } from "effect"
import type { ContentStore } from "./ContentStore.ts"

/** The age at which unreachable blobs are deleted: a day. */
const gracePeriodMillis = 24 * 60 * 60 * 1000

/** Progress of garbage collection. */
export interface SweepProgress {
  /** `mark` visits the nodes of the content of all revisions, and `sweep` the blobs that were not stored recently. */
  readonly phase: "mark" | "sweep"
  /** The number of nodes that were visited, or of blobs that were examined. */
  readonly examined: number
  /** The number of blobs that were deleted. */
  readonly removed: number
}

/** Receives the progress of `Content.sweep`; it is ignored by default. */
export const OnSweepProgress = Context.Reference<(progress: SweepProgress) => Effect.Effect<void>>(
  "@lectern/core/OnSweepProgress",
  { defaultValue: () => () => Effect.void }
)

/** The number of blobs per query. */
const sweepBatchSize = 500

/** The number of files of several chunks per query. Each lists a hash per megabyte. */
const fileBatchSize = 50

/**
 * Returns the hashes that are reachable from the roots of revisions: nodes, bodies and files. `readNodes` returns the nodes
 * at hashes, in any order.
 */
export const markReachable = Effect.fnUntraced(function* <E>(
  roots: Iterable<BlobHash>,
  readNodes: (hashes: ReadonlyArray<BlobHash>) => Effect.Effect<ReadonlyArray<Node>, E>
): Effect.fn.Return<Set<BlobHash>, E> {
  const found = new Set(roots)
  found.delete(emptyRoot)
  let pending = [...found]
  while (pending.length > 0) {
    const nodes = yield* readNodes(pending.slice(0, sweepBatchSize))
    pending = pending.slice(sweepBatchSize)
    for (const node of nodes) {
      if (node.level === 0) {
        for (const value of node.values as ReadonlyArray<unknown>) {
          const { body, hash, source } = (value ?? {}) as Partial<PageRecord & FileRecord>
          for (const reference of [body, hash, source]) if (reference !== undefined) found.add(reference)
        }
        continue
      }
      for (const child of childrenOf(node)) {
        if (!found.has(child)) pending.push(child)
        found.add(child)
      }
    }
  }
  return found
})

/** Returns the hashes that uploads and import runs in progress reference, which can be older than the grace period. */
const findTemporaryReferences = Effect.fnUntraced(function* (
  records: GrantedReader
): Effect.fn.Return<ReadonlyArray<BlobHash>, StorageUnavailable> {
  const uploads = yield* records.find(stagedUploads, { select: ["hash"] })
  const runs = yield* records.find(importRuns, {
    where: Where.isIn<ImportRunRow, "status">("status", ["pending", "in-progress"]),
    select: ["files", "checkpoint"]
  })
  return [
    ...uploads.flatMap(({ hash }) => hash ?? []),
    ...runs.flatMap(({ files, checkpoint: { archive, batches } }) => [
      ...(files ?? []).map(({ hash }) => hash),
      ...(archive === undefined ? [] : [archive]),
      ...batches
    ])
  ]
})

/** Marks the hashes that are reachable from any revision, from an upload, or from an import run in progress. */
const findReachable = Effect.fnUntraced(function* (
  records: GrantedReader,
  content: ContentStore["Service"]
): Effect.fn.Return<Set<BlobHash>, StorageUnavailable> {
  const rows = yield* records.find(revisions, { select: ["root"] })
  const others = yield* findTemporaryReferences(records)
  const onProgress = yield* OnSweepProgress
  let examined = 0
  const reachable = yield* markReachable(
    rows.map(({ root }) => root),
    (hashes) =>
      Effect.tap(content.nodes.getMany(hashes), () => {
        examined += hashes.length
        return onProgress({ phase: "mark", examined, removed: 0 })
      })
  )
  for (const hash of others) reachable.add(hash)
  return reachable
})

/** Adds the dictionaries of reachable and of recently stored blobs to the reachable hashes. */
const markBases = Effect.fnUntraced(function* (
  content: ContentStore["Service"],
  reachable: Set<BlobHash>,
  deadline: string
): Effect.fn.Return<void, StorageUnavailable> {
  // A dictionary can have a dictionary, whose place in the order of the hashes is before or after its own.
  let size: number
  do {
    size = reachable.size
    yield* markBasesOnce(content, reachable, deadline)
  } while (reachable.size > size)
})

/** Adds the dictionaries of blobs that are marked, or were stored recently. */
const markBasesOnce = Effect.fnUntraced(function* (
  content: ContentStore["Service"],
  reachable: Set<BlobHash>,
  deadline: string
): Effect.fn.Return<void, StorageUnavailable> {
  let last: BlobHash | undefined
  for (;;) {
    const deltas: ReadonlyArray<{ hash: BlobHash; base: BlobHash | null; usedAt: string }> =
      yield* content.blobs.deltas(last, sweepBatchSize)
    for (const { hash, base, usedAt } of deltas) {
      if (base !== null && (!isUnusedBefore({ usedAt }, deadline) || reachable.has(hash))) reachable.add(base)
    }
    if (deltas.length < sweepBatchSize) return
    last = deltas.at(-1)!.hash
  }
})

/** Deletes unreachable files of several chunks, and adds the chunks of all others to the reachable hashes. */
const collectFiles = Effect.fnUntraced(function* (
  content: ContentStore["Service"],
  reachable: Set<BlobHash>,
  deadline: string
): Effect.fn.Return<void, StorageUnavailable> {
  let last: BlobHash | undefined
  for (;;) {
    const files: ReadonlyArray<ChunkedBlobRow> = yield* content.files.list(last, fileBatchSize)
    const garbage: Array<BlobHash> = []
    for (const { hash, usedAt, chunks } of files) {
      if (isUnusedBefore({ usedAt }, deadline) && !reachable.has(hash)) garbage.push(hash)
      else for (const chunk of chunks) reachable.add(chunk)
    }
    if (garbage.length > 0) yield* content.files.remove(garbage, deadline)
    if (files.length < fileBatchSize) return
    last = files.at(-1)!.hash
  }
})

/** Deletes unreachable blobs, and returns their number. */
export const collectGarbage = Effect.fnUntraced(function* (
  records: GrantedReader,
  content: ContentStore["Service"]
): Effect.fn.Return<number, StorageUnavailable> {
  const deadline = toTimestamp((yield* Clock.currentTimeMillis) - gracePeriodMillis)
  const reachable = yield* findReachable(records, content)
  yield* collectFiles(content, reachable, deadline)
  yield* markBases(content, reachable, deadline)
  const onProgress = yield* OnSweepProgress
  let examined = 0
  let removed = 0
  let last: BlobHash | undefined
  for (;;) {
    const unused: ReadonlyArray<BlobHash> = yield* content.blobs.unusedSince(deadline, last, sweepBatchSize)
    const garbage = unused.filter((hash) => !reachable.has(hash))
    if (garbage.length > 0) removed += yield* content.blobs.remove(garbage, deadline)
    examined += unused.length
    yield* onProgress({ phase: "sweep", examined, removed })
    if (unused.length < sweepBatchSize) return removed
    last = unused.at(-1)
  }
})
