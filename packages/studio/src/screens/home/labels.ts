/** The names of the actions of the start page. They are loaded with the application, apart from the other strings. */
import { defineStrings } from "../../strings/strings.ts"

/** The names of the actions of the start page. */
export const homeLabels = defineStrings({
  en: { openHome: "Go to the start page", openSearch: "Search all pages", openTrash: "Open the trash" },
  de: { openHome: "Zur Startseite", openSearch: "Alle Seiten durchsuchen", openTrash: "Papierkorb öffnen" },
  fr: {
    openHome: "Aller à l’accueil",
    openSearch: "Rechercher dans toutes les pages",
    openTrash: "Ouvrir la corbeille"
  }
})
