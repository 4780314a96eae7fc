/** Makes the rows of revisions. */
import { Effect } from "effect"
import type { Ids } from "../../kernel/ids/Ids.ts"
import { RevisionId, type RevisionRow } from "../../model/content/Revision.ts"
import { emptyRoot } from "./MerkleMap.ts"

/** What a revision is, where it is not as most are: without a change request, a message, or a commit. */
export type NewRevision = Pick<RevisionRow, "space" | "type" | "root" | "parents" | "author" | "createdAt"> &
  Partial<RevisionRow>

/** A revision with an id of its own. */
export const newRevision = (
  ids: Ids["Service"],
  revision: Omit<NewRevision, "id">
): Effect.Effect<RevisionRow> =>
  Effect.map(ids.next, (id) => ({
    changeRequest: null,
    mergedFrom: null,
    message: null,
    git: null,
    ...revision,
    id: RevisionId.make(id)
  }))

/** The first revision of a space: it has no content. */
export const firstRevision = (
  ids: Ids["Service"],
  of: Pick<RevisionRow, "space" | "author" | "createdAt">
): Effect.Effect<RevisionRow> => newRevision(ids, { ...of, type: "edits", root: emptyRoot, parents: [] })
