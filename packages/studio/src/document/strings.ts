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
    empty: "Cette page n’a pas encore de texte."
  }
})
