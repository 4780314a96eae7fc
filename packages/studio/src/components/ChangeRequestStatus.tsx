/** The status of a change request. */
import type { ChangeRequest } from "@lectern/client/fetch"
import { useStrings } from "../strings/strings.ts"
import { statusStrings } from "./strings.ts"

const classes = {
  draft: "tag",
  open: "tag tag-primary",
  archived: "tag",
  merged: "tag tag-success"
} as const

/** The status of a change request. */
export const ChangeRequestStatus = ({ status }: { readonly status: ChangeRequest["status"] }) => {
  const t = useStrings(statusStrings)
  return <span className={classes[status]}>{t(status)}</span>
}
