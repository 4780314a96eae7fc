/**
 * Counts the bytes of spaces that are not counted: spaces that were created before bytes were counted, copies, and spaces whose
 * revisions retention has removed. Each version of Markdown or of a file counts once per space.
 */

import { type GrantedRecords, Locks } from "@lectern/access"
import { type BlobHash, type Records, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type ChangeRequestRow,
  changeRequests,
  type RevisionRow,
  revisions,
  type SpaceRow,
  spaces
} from "@lectern/kernel/tables"
import type { SpaceId } from "@lectern/model/spaces"
import { Effect } from "effect"
import type { ContentStore } from "./ContentStore.ts"
import { markReachable } from "./collectGarbage.ts"
import { referencesOf } from "./contentBytes.ts"

/** Returns the bytes of all versions of the Markdown and the files that the revisions of a space have. */
const countVersions = Effect.fnUntraced(function* (
  content: ContentStore["Service"],
  roots: Iterable<BlobHash>
): Effect.fn.Return<number, StorageUnavailable> {
  const texts = new Set<BlobHash>()
  const files = new Map<BlobHash, number>()
  yield* markReachable(roots, (hashes) =>
    Effect.map(content.nodes.getMany(hashes), (nodes) => {
      for (const { level, keys, values } of nodes) {
        for (let at = 0; level === 0 && at < keys.length; at++) {
          const { blobs, file } = referencesOf(keys[at]!, values[at])
          for (const hash of blobs) texts.add(hash)
          if (file !== undefined) files.set(file.hash, file.size)
        }
      }
      return nodes
    })
  )
  let bytes = 0
  for (const size of files.values()) bytes += size
  for (const size of (yield* content.blobs.sizes(texts)).values()) bytes += size
  return bytes
})

/** Counts a space. Returns whether it did: it does not if a revision was added in the meantime. */
const countSpace = Effect.fnUntraced(function* (
  store: Records["Service"],
  records: GrantedRecords,
  content: ContentStore["Service"],
  space: SpaceId
): Effect.fn.Return<boolean, StorageUnavailable> {
  const isOfSpace = Where.eq<RevisionRow, "space">("space", space)
  const rows = yield* records.find(revisions, { select: ["id", "root"], where: isOfSpace })
  const contentBytes = yield* countVersions(
    content,
    rows.map(({ root }) => root)
  )
  return yield* store.lockedTransaction(
    Locks.space({ space }),
    Effect.gen(function* () {
      if ((yield* records.count(revisions, isOfSpace)) !== rows.length) return false
      yield* records.update(changeRequests, Where.eq<ChangeRequestRow, "space">("space", space), {
        contentBytes: 0
      })
      const set = { contentBytes, isCounted: true }
      return (yield* records.update(spaces, Where.eq<SpaceRow, "id">("id", space), set)) === 1
    })
  )
})

/** Counts the spaces that are not counted, and returns their number. */
export const countSpaces = Effect.fnUntraced(function* (
  store: Records["Service"],
  records: GrantedRecords,
  content: ContentStore["Service"]
): Effect.fn.Return<number, StorageUnavailable> {
  const pending = yield* records.find(spaces, {
    select: ["id"],
    where: Where.eq<SpaceRow, "isCounted">("isCounted", false)
  })
  let counted = 0
  for (const { id } of pending) {
    if (yield* countSpace(store, records, content, id)) counted++
    yield* Effect.yieldNow
  }
  return counted
})
