/** Summarizes what revisions changed, at a cost proportional to what differs. */

import type { GrantedReader } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type RevisionRow, revisions, summarizeChanges } from "@lectern/kernel/tables"
import type { RevisionChanges, RevisionId } from "@lectern/model/content"
import { Effect } from "effect"
import type { ContentStore } from "./ContentStore.ts"

/** Whether a revision is named by its changes: merges have a subject, and imported commits and some edits a message. */
const isSummarized = ({ parents, message, git, mergedFrom }: RevisionRow): boolean =>
  parents.length > 0 && message === null && git === null && mergedFrom === null

/** Returns what revisions of a space changed, by their ids. */
export const summarizeRevisions = Effect.fnUntraced(function* (
  content: ContentStore["Service"],
  records: GrantedReader,
  rows: ReadonlyArray<RevisionRow>
): Effect.fn.Return<ReadonlyMap<RevisionId, RevisionChanges>, StorageUnavailable> {
  const summarized = rows.filter(isSummarized)
  const found = new Map<RevisionId, RevisionChanges>()
  if (summarized.length === 0) return found
  const parents = yield* records.find(revisions, {
    select: ["id", "root"],
    where: Where.isIn("id", [...new Set(summarized.map(({ parents }) => parents[0]!))])
  })
  const roots = new Map(parents.map(({ id, root }) => [id, root]))
  for (const { id, root, parents } of summarized) {
    const before = roots.get(parents[0]!)
    if (before === undefined) continue
    const changes = summarizeChanges(yield* content.maps.diff(before, root))
    if (changes !== undefined) found.set(id, changes)
  }
  return found
})
