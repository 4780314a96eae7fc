/** The strings of change requests. */
import { defineStrings } from "../../strings/strings.ts"

/** The strings of change requests. */
export const changesStrings = defineStrings({
  en: { draft: "Draft", open: "In review", archived: "Archived", merged: "Merged" },
  de: { draft: "Entwurf", open: "In Prüfung", archived: "Archiviert", merged: "Übernommen" },
  fr: { draft: "Brouillon", open: "En relecture", archived: "Archivée", merged: "Fusionnée" }
})
