/** The status of a change request. */
import type { ChangeRequest } from "@lectern/client/fetch"
import { useStrings } from "../strings/strings.ts"
import { statusStrings } from "./strings.ts"

const classes = {
  draft: "tag",
  open: "tag tag-primary",
  archived: "tag",
  merged: "tag tag-success",
  undone: "tag tag-warning"
} as const

/** The status of a change request, and whether its merge is undone. */
export const ChangeRequestStatus = ({
  request
}: {
  readonly request: Pick<ChangeRequest, "status" | "undoneBy">
}) => {
  const t = useStrings(statusStrings)
  const status = request.undoneBy === undefined ? request.status : "undone"
  return <span className={classes[status]}>{t(status)}</span>
}
