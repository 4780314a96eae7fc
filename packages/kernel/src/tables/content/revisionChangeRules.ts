/** Pure rules on the changes of revisions. */
import { type RevisionChanges, SemanticChangeType } from "@lectern/model/content"
import { type FileRecord, type PageRecord, type ReusableContentRecord, recordOf } from "./ContentRecord.ts"

/** An entry of the map of a revision that differs from that of another one. `undefined` where a map does not have the key. */
export interface ChangedEntry {
  /** The key of the entry: see `keys`. */
  readonly key: string
  /** The value in the earlier revision. */
  readonly before: unknown
  /** The value in the later revision. */
  readonly after: unknown
}

type Change = Omit<RevisionChanges, "count">

const kindOfChange = (before: unknown, after: unknown): "created" | "deleted" | "edited" =>
  before === undefined ? "created" : after === undefined ? "deleted" : "edited"

const isMoved = (was: PageRecord | undefined, is: PageRecord | undefined): boolean =>
  was !== undefined && is !== undefined && (was.parent !== is.parent || was.position !== is.position)

/** Returns the change of a record, or `undefined` for an entry of an index and for a file that is not content. */
const changeOf = ({ key, before, after }: ChangedEntry): Change | undefined => {
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

/** Returns the most significant change of a revision and the number of its changes; `undefined` without changes. */
export const summarizeChanges = (differences: ReadonlyArray<ChangedEntry>): RevisionChanges | undefined => {
  const changes = differences.flatMap((difference) => changeOf(difference) ?? [])
  const [first] = changes
  if (first === undefined) return undefined
  const shown = changes.reduce((best, change) => (rankOf(change) < rankOf(best) ? change : best), first)
  return { ...shown, count: changes.length }
}
