/** The results of merging a change request, of previewing the merge, and of updating a change request from its space. */
import * as Schema from "effect/Schema"
import { ChangeRequestStatus } from "../change-requests/ChangeRequest.ts"
import { FailingMergeRule } from "../errors/errors.ts"
import { resource } from "../schema/resource.ts"
import { MergeConflict } from "./MergeConflict.ts"
import { RevisionId } from "./Revision.ts"

const resultOf = <R extends "merge" | "update">(result: R) =>
  Schema.Union([
    Schema.Struct({
      /** The outcome: the changes were applied. */
      result: Schema.Literal(result),
      /** The id of the revision that was created. */
      revision: RevisionId
    }),
    Schema.Struct({
      /** The outcome: the two sides conflict, and nothing was changed. */
      result: Schema.Literal("conflicts"),
      /** The id of the current revision, which is unchanged. */
      revision: RevisionId,
      /** The conflicts to resolve. */
      conflicts: Schema.Array(MergeConflict)
    })
  ])

/** The result of a merge: the new revision of the space, or the conflicts that prevented the merge. */
export const MergeResult = resultOf("merge").annotate({ identifier: "MergeResult" })
/** The result of a merge. */
export type MergeResult = typeof MergeResult.Type

/** The result of an update: the new revision of the change request, or the conflicts that prevented the update. */
export const UpdateResult = resultOf("update").annotate({ identifier: "UpdateResult" })
/** The result of an update from the space. */
export type UpdateResult = typeof UpdateResult.Type

/**
 * The preview of a merge. The merge succeeds if the change request is a draft or open, and both lists are empty. An extension of Lectern.
 */
export class MergePreview extends resource<MergePreview>()(
  Schema.Struct({
    /** The state of the change request. One that is merged or archived cannot be merged, and has no conflicts. */
    status: ChangeRequestStatus,
    /** The id of the revision of the space that the change request would be merged into. */
    revision: RevisionId,
    /** The conflicts to resolve. */
    conflicts: Schema.Array(MergeConflict),
    /** The merge rules that do not pass, and that the caller cannot bypass. */
    failingRules: Schema.Array(FailingMergeRule)
  }).annotate({ identifier: "MergePreview" })
) {}
