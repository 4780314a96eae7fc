/** The rules of change requests and of their status, as pure functions. */
import { Conflict } from "../../kernel/errors.ts"
import type { RevisionId } from "../content/Revision.ts"
import type { SpaceRow } from "../spaces/Space.ts"
import type { ChangeRequestRow, ChangeRequestStatus } from "./ChangeRequest.ts"

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

/**
 * Returns the error of an invalid status transition, or `undefined` if the transition is valid. Only the merge
 * operation sets `merged`, which is final.
 */
export const statusConflict = (from: ChangeRequestStatus, to: ChangeRequestStatus): Conflict | undefined => {
  if (from === to) return undefined
  if (from === "merged")
    return new Conflict({
      reason: "ChangeRequestMerged",
      message: "The change request is merged. Its status is final."
    })
  if (to === "merged")
    return new Conflict({
      reason: "StatusNotSettable",
      message: "The status cannot be set to `merged`. Use the merge operation."
    })
  return undefined
}

/**
 * Returns the increments of the counters of a space for a status transition. `from` is null for a new change request.
 */
export const countsOf = (
  from: ChangeRequestStatus | null,
  to: ChangeRequestStatus
): Partial<Record<"changeRequestsOpen" | "changeRequestsDraft", number>> => {
  const by = (status: ChangeRequestStatus) => Number(to === status) - Number(from === status)
  return {
    ...(by("open") === 0 ? {} : { changeRequestsOpen: by("open") }),
    ...(by("draft") === 0 ? {} : { changeRequestsDraft: by("draft") })
  }
}

/** The subject of a change request that is created without one. */
export const defaultSubject = ""
