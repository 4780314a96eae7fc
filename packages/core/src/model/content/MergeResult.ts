/** What merging a change request, or updating one from its space, returns. */
import { Schema } from "effect"
import { MergeConflict } from "./MergeConflict.ts"
import { RevisionId } from "./Revision.ts"

const resultOf = <R extends "merge" | "update">(result: R) =>
  Schema.Union([
    Schema.Struct({ result: Schema.Literal(result), revision: RevisionId }),
    Schema.Struct({
      result: Schema.Literal("conflicts"),
      revision: RevisionId,
      conflicts: Schema.Array(MergeConflict)
    })
  ])

/** What came of merging: the revision of the space, or what is in the way; nothing is changed then. */
export const MergeResult = resultOf("merge").annotate({ identifier: "MergeResult" })
export type MergeResult = typeof MergeResult.Type

/** What came of updating: the revision of the change request, or what is in the way; nothing is changed then. */
export const UpdateResult = resultOf("update").annotate({ identifier: "UpdateResult" })
export type UpdateResult = typeof UpdateResult.Type
