/** Creates the rows of revisions. */

import type { Ids } from "@lectern/kernel"
import type { RevisionRow } from "@lectern/kernel/tables"
import { RevisionId } from "@lectern/model/content"
import { Effect } from "effect"
import { emptyRoot } from "./MerkleNode.ts"

/** The columns of a new revision. Columns for change requests, messages, commits and automatic saves are null by default. */
export type NewRevision = Pick<
  RevisionRow,
  "organization" | "space" | "type" | "root" | "parents" | "author" | "createdAt"
> &
  Partial<RevisionRow>

/** Creates the row of a revision with a new id. */
export const newRevision = (
  ids: Ids["Service"],
  revision: Omit<NewRevision, "id">
): Effect.Effect<RevisionRow> =>
  Effect.map(ids.next, (id) => ({
    changeRequest: null,
    mergedFrom: null,
    message: null,
    git: null,
    automaticSince: null,
    replaces: null,
    replacedAt: null,
    ...revision,
    id: RevisionId.make(id)
  }))

/** Creates the first revision of a space, which is empty. */
export const firstRevision = (
  ids: Ids["Service"],
  columns: Pick<RevisionRow, "organization" | "space" | "author" | "createdAt">
): Effect.Effect<RevisionRow> => newRevision(ids, { ...columns, type: "edits", root: emptyRoot, parents: [] })
