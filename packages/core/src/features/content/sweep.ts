/**
 * Removes the content that nothing reaches any more: of spaces that were purged, and of edits that were undone. It is
 * housekeeping, and acts for nobody.
 *
 * What is reached is found from the roots of all revisions, each node once. What was put within a day is left alone:
 * an edit that is under way may be about to name it.
 */
import { Clock, Effect } from "effect"
import type { GrantedReader } from "../../access/grants/Grant.ts"
import type { BlobHash, StorageUnavailable } from "../../kernel/storage/index.ts"
import { toTimestamp } from "../../kernel/time.ts"
import type { FileRecord, PageRecord } from "../../model/content/ContentRecord.ts"
import { revisions } from "../../model/content/Revision.ts"
import type { ContentStore } from "./ContentStore.ts"
import { emptyRoot } from "./MerkleMap.ts"
import { childrenOf } from "./MerkleNode.ts"

/** How long content is kept that nothing reaches, in milliseconds: a day. */
const graceMillis = 24 * 60 * 60 * 1000

/** How many blobs are looked at together. */
const sweepBatchSize = 500

/** Every hash that is reached from a revision. */
const reached = Effect.fnUntraced(function* (
  records: GrantedReader,
  content: ContentStore["Service"]
): Effect.fn.Return<ReadonlySet<BlobHash>, StorageUnavailable> {
  const rows = yield* records.find(revisions, { select: ["root"] })
  const found = new Set<BlobHash>()
  let pending = [...new Set(rows.map(({ root }) => root))].filter((root) => root !== emptyRoot)
  for (const root of pending) found.add(root)
  while (pending.length > 0) {
    const nodes = yield* content.nodes.getMany(pending.slice(0, sweepBatchSize))
    pending = pending.slice(sweepBatchSize)
    for (const node of nodes) {
      if (node.level === 0) {
        for (const value of node.values as ReadonlyArray<unknown>) {
          const { body, hash } = (value ?? {}) as Partial<PageRecord & FileRecord>
          if (body !== undefined) found.add(body)
          if (hash !== undefined) found.add(hash)
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

/** Removes what nothing reaches, and answers how many blobs that were. */
export const sweep = Effect.fnUntraced(function* (
  records: GrantedReader,
  content: ContentStore["Service"]
): Effect.fn.Return<number, StorageUnavailable> {
  const moment = toTimestamp((yield* Clock.currentTimeMillis) - graceMillis)
  const kept = yield* reached(records, content)
  let removed = 0
  let last: BlobHash | undefined
  for (;;) {
    const some: ReadonlyArray<BlobHash> = yield* content.blobs.unusedSince(moment, last, sweepBatchSize)
    const garbage = some.filter((hash) => !kept.has(hash))
    if (garbage.length > 0) removed += yield* content.blobs.remove(garbage, moment)
    if (some.length < sweepBatchSize) return removed
    last = some.at(-1)
  }
})
