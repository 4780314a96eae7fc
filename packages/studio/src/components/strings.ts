/** The strings of components. */
import { defineStrings } from "../strings/strings.ts"

/** The statuses of change requests. */
export const statusStrings = defineStrings({
  en: { draft: "Draft", open: "In review", archived: "Archived", merged: "Merged" },
  de: { draft: "Entwurf", open: "In Prüfung", archived: "Archiviert", merged: "Übernommen" },
  fr: { draft: "Brouillon", open: "En relecture", archived: "Archivée", merged: "Fusionnée" }
})

/** The progress of downloads. */
export const downloadStrings = defineStrings({
  en: {
    preparing: "The server prepares the file",
    received: "{size} received",
    downloaded: "{name} ({size}) is downloaded.",
    downloadFailed: "The file was not downloaded."
  },
  de: {
    preparing: "Der Server bereitet die Datei vor",
    received: "{size} empfangen",
    downloaded: "{name} ({size}) ist geladen.",
    downloadFailed: "Die Datei wurde nicht geladen."
  },
  fr: {
    preparing: "Le serveur prépare le fichier",
    received: "{size} reçus",
    downloaded: "{name} ({size}) est téléchargé.",
    downloadFailed: "Le fichier n’a pas été téléchargé."
  }
})
