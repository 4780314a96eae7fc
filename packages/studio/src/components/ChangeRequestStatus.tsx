/** The status of a change request. */
import type { ChangeRequest } from "@lectern/client/fetch"
import { defineStrings, useStrings } from "../strings/strings.ts"

const statusStrings = defineStrings({
  en: { draft: "Draft", open: "In review", archived: "Archived", merged: "Merged" },
  de: { draft: "Entwurf", open: "In Prüfung", archived: "Archiviert", merged: "Übernommen" },
  fr: { draft: "Brouillon", open: "En relecture", archived: "Archivée", merged: "Fusionnée" }
})

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
