/** The rules of change requests and of their status, as pure functions. */
import { Conflict } from "../errors/errors.ts"
import type { ChangeRequestStatus } from "./ChangeRequest.ts"

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
