/** Rules on rows: see `ChangeRequestRules` of `@lectern/model`. */

import type { RevisionId } from "@lectern/model/content"
import { Conflict } from "@lectern/model/errors"
import type { SpaceRow } from "../spaces/spaceTable.ts"
import type { ChangeRequestRow } from "./changeRequestTables.ts"

/** Returns the base of a merge: the revision of the space that a change request was created or last updated from. */
export const baseOf = (
  row: Pick<ChangeRequestRow, "revisionInitial" | "revisionMergedAncestor">
): RevisionId => row.revisionMergedAncestor ?? row.revisionInitial

/** Whether the space has a newer revision than the base. A merged change request is never outdated. */
export const isOutdated = (row: ChangeRequestRow, space: Pick<SpaceRow, "revision">): boolean =>
  row.status !== "merged" && baseOf(row) !== space.revision

/** Returns the error of changing or merging a closed change request, or `undefined` if it is not closed. */
export const whyClosed = ({ status }: Pick<ChangeRequestRow, "status">): Conflict | undefined =>
  status === "merged" || status === "archived"
    ? new Conflict({
        reason: "ChangeRequestClosed",
        message:
          status === "merged"
            ? "The change request is merged. Its content is final; create another change request."
            : "The change request is archived. Set its status to `open` to change or merge it."
      })
    : undefined
