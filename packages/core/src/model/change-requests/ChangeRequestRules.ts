/** What is true of a change request, and how its status changes (decision D8), as pure functions. */

import { Conflict } from "../../kernel/errors.ts"
import type { RevisionId } from "../content/Revision.ts"
import type { SpaceRow } from "../spaces/Space.ts"
import type { ChangeRequestRow, ChangeRequestStatus } from "./ChangeRequest.ts"

/** The revision of the space that a merge compares with: the one it was made from, or last updated with. */
export const baseOf = (
  row: Pick<ChangeRequestRow, "revisionInitial" | "revisionMergedAncestor">
): RevisionId => row.revisionMergedAncestor ?? row.revisionInitial

/** Whether the content of the space has moved on since. One that is merged is a part of it. */
export const isOutdated = (row: ChangeRequestRow, space: Pick<SpaceRow, "revision">): boolean =>
  row.status !== "merged" && baseOf(row) !== space.revision

/** Whether its content can still change, and be merged: `undefined`, or why not. */
export const whyClosed = ({ status }: Pick<ChangeRequestRow, "status">): Conflict | undefined =>
  status === "merged" || status === "archived"
    ? new Conflict({ message: `The change request is ${status}: its content cannot change any more.` })
    : undefined

/** Why a status cannot be set, `undefined` where it can: nothing leads to merged but merging, and nothing from it. */
export const whyNotTo = (from: ChangeRequestStatus, to: ChangeRequestStatus): Conflict | undefined => {
  if (from === to) return undefined
  if (from === "merged")
    return new Conflict({ message: "The change request is merged: its status is final." })
  if (to === "merged")
    return new Conflict({ message: "A change request is merged by merging it, not by its status." })
  return undefined
}

/** What the counts of a space change by when a change request goes from one status to another; null is none. */
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

/** The subject of a change request that was made without one. */
export const defaultSubject = ""
