/** The strings of components. */
import { defineStrings } from "../strings/strings.ts"

/** The statuses of change requests. */
export const statusStrings = defineStrings({
  en: { draft: "Draft", open: "In review", archived: "Archived", merged: "Merged", undone: "Merged, undone" },
  de: {
    draft: "Entwurf",
    open: "In Prüfung",
    archived: "Archiviert",
    merged: "Übernommen",
    undone: "Übernommen, rückgängig gemacht"
  },
  fr: {
    draft: "Brouillon",
    open: "En relecture",
    archived: "Archivée",
    merged: "Fusionnée",
    undone: "Fusionnée, annulée"
  }
})
