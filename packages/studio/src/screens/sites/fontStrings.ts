import { defineStrings } from "../../strings/strings.ts"

/** The strings of the fonts of an organization. */
export const fontStrings = defineStrings({
  en: {
    newFont: "Upload font",
    ifInstalled: "{name} (if the reader has it installed)",
    fontFamily: "Name of the font",
    fontFiles: "Files",
    fontFilesHint: "WOFF2 or WOFF. One of them must have the weight 400, which is regular.",
    chooseFiles: "Choose files",
    weightOf: "Weight of {name}",
    noLicense: "Upload only fonts whose license allows you to serve them.",
    fontDeleted: "“{name}” was deleted",
    fontNotDeleted: "The font was not deleted",
    deleteFont: "Delete “{name}”",
    deleteFontBody: "Sites that use the font display the default font."
  },
  de: {
    newFont: "Schrift hochladen",
    ifInstalled: "{name} (falls auf dem Gerät installiert)",
    fontFamily: "Name der Schrift",
    fontFiles: "Dateien",
    fontFilesHint: "WOFF2 oder WOFF. Eine davon muss die Stärke 400 haben, die normale.",
    chooseFiles: "Dateien auswählen",
    weightOf: "Stärke von {name}",
    noLicense: "Laden Sie nur Schriften hoch, deren Lizenz die Auslieferung erlaubt.",
    fontDeleted: "„{name}“ wurde gelöscht",
    fontNotDeleted: "Die Schrift wurde nicht gelöscht",
    deleteFont: "„{name}“ löschen",
    deleteFontBody: "Websites mit dieser Schrift zeigen die Standardschrift."
  },
  fr: {
    newFont: "Importer une police",
    ifInstalled: "{name} (si elle est installée chez le lecteur)",
    fontFamily: "Nom de la police",
    fontFiles: "Fichiers",
    fontFilesHint: "WOFF2 ou WOFF. L’un d’eux doit avoir la graisse 400, la normale.",
    chooseFiles: "Choisir des fichiers",
    weightOf: "Graisse de {name}",
    noLicense: "N’importez que des polices dont la licence permet la diffusion.",
    fontDeleted: "« {name} » a été supprimée",
    fontNotDeleted: "La police n’a pas été supprimée",
    deleteFont: "Supprimer « {name} »",
    deleteFontBody: "Les sites qui utilisent la police affichent la police par défaut."
  }
})
