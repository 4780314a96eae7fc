/** Summarizes what revisions changed, at a cost proportional to what differs. */

import { type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type FileRecord,
  type PageRecord,
  type ReusableContentRecord,
  type RevisionRow,
  recordOf,
  revisions
} from "@lectern/kernel/tables"
import { type RevisionChanges, type RevisionId, SemanticChangeType } from "@lectern/model/content"
import { Effect } from "effect"
import type { GrantedReader } from "../../access/grants/Grant.ts"
import type { ContentStore } from "./ContentStore.ts"
import type { Difference } from "./MerkleMap.ts"

type Change = Omit<RevisionChanges, "count">

const kindOfChange = (before: unknown, after: unknown): "created" | "deleted" | "edited" =>
  before === undefined ? "created" : after === undefined ? "deleted" : "edited"

const isMoved = (was: PageRecord | undefined, is: PageRecord | undefined): boolean =>
  was !== undefined && is !== undefined && (was.parent !== is.parent || was.position !== is.position)

/** Returns the change of a record, or `undefined` for an entry of an index and for a file that is not content. */
const changeOf = ({ key, before, after }: Difference): Change | undefined => {
  const shown = (after ?? before) as unknown
  const kind = kindOfChange(before, after)
  switch (recordOf(key)?.kind) {
    case "page": {
      const [was, is] = [before, after] as ReadonlyArray<unknown> as [PageRecord?, PageRecord?]
      return { type: isMoved(was, is) ? "page_moved" : `page_${kind}`, title: (shown as PageRecord).title }
    }
    case "file":
      return { type: `file_${kind}`, title: (shown as FileRecord).name }
    case "reusableContent":
      return { type: `reusable_content_${kind}`, title: (shown as ReusableContentRecord).title }
    default:
      return undefined
  }
}

const rankOf = ({ type }: Change): number => SemanticChangeType.literals.indexOf(type)

const summarize = (differences: ReadonlyArray<Difference>): RevisionChanges | undefined => {
  const changes = differences.flatMap((difference) => changeOf(difference) ?? [])
  const [first] = changes
  if (first === undefined) return undefined
  const shown = changes.reduce((best, change) => (rankOf(change) < rankOf(best) ? change : best), first)
  return { ...shown, count: changes.length }
}

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
    const changes = summarize(yield* content.maps.diff(before, root))
    if (changes !== undefined) found.set(id, changes)
  }
  return found
})
