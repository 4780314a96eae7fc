/** The strings of documents. */
import { defineStrings } from "../strings/strings.ts"

/** The strings of documents. */
export const documentStrings = defineStrings({
  en: {
    tab: "Tab {number}",
    condition: "if {expression}",
    image: "Image",
    embed: "Embedded page",
    missingFile: "File that no longer exists",
    link: "Page",
    reusable: "Reusable content",
    integration: "Integration",
    specification: "OpenAPI",
    apiFailed: "The display of this API could not be loaded.",
    retry: "Try again",
    empty: "This page is empty."
  },
  de: {
    tab: "Reiter {number}",
    condition: "wenn {expression}",
    image: "Bild",
    embed: "Eingebettete Seite",
    missingFile: "Nicht mehr vorhandene Datei",
    link: "Seite",
    reusable: "Wiederverwendbarer Inhalt",
    integration: "Integration",
    specification: "OpenAPI",
    apiFailed: "Die Darstellung dieser API konnte nicht geladen werden.",
    retry: "Erneut versuchen",
    empty: "Diese Seite hat noch keinen Text."
  },
  fr: {
    tab: "Onglet {number}",
    condition: "si {expression}",
    image: "Image",
    embed: "Page intégrée",
    missingFile: "Fichier qui n’existe plus",
    link: "Page",
    reusable: "Contenu réutilisable",
    integration: "Intégration",
    specification: "OpenAPI",
    apiFailed: "L’affichage de cette API n’a pas pu être chargé.",
    retry: "Réessayer",
    empty: "Cette page n’a pas encore de texte."
  }
})
