/** The strings of favorites and recent pages. */
import { defineStrings } from "./strings.ts"

/** The strings of favorites and recent pages. */
export const placesStrings = defineStrings({
  en: {
    favorites: "Favorites",
    add: "Add to favorites",
    addPage: "Add this page to favorites",
    remove: "Remove from favorites",
    removePage: "Remove this page from favorites",
    added: "“{title}” is a favorite",
    removed: "“{title}” is no longer a favorite",
    notChanged: "The favorites were not changed",
    untitled: "Untitled"
  },
  de: {
    favorites: "Favoriten",
    add: "Zu den Favoriten",
    addPage: "Diese Seite zu den Favoriten",
    remove: "Aus den Favoriten entfernen",
    removePage: "Diese Seite aus den Favoriten entfernen",
    added: "„{title}“ ist ein Favorit",
    removed: "„{title}“ ist kein Favorit mehr",
    notChanged: "Die Favoriten wurden nicht geändert",
    untitled: "Ohne Titel"
  },
  fr: {
    favorites: "Favoris",
    add: "Ajouter aux favoris",
    addPage: "Ajouter cette page aux favoris",
    remove: "Retirer des favoris",
    removePage: "Retirer cette page des favoris",
    added: "« {title} » est un favori",
    removed: "« {title} » n’est plus un favori",
    notChanged: "Les favoris n’ont pas été modifiés",
    untitled: "Sans titre"
  }
})
