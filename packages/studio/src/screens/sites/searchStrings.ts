/** The strings of the search of a site. */
import { defineStrings } from "../../strings/strings.ts"

/** The strings of the search of a site. */
export const searchStrings = defineStrings({
  en: {
    search: "Search",
    searchBody: "Pages that visitors find first, and words that mean the same.",
    synonyms: "Synonyms",
    synonymsHint: "One group per line, with commas between the words: k8s, kubernetes",
    pins: "Pinned results",
    pinsHint: "The page is the first result of these queries.",
    queries: "Queries, with commas between them",
    boosts: "Weights",
    boostsHint: "The score of a page is multiplied by its weight, from 0.1 to 10.",
    weight: "Weight",
    space: "Space",
    page: "Page",
    allPages: "All pages",
    pin: "Pinned result {number}",
    boost: "Weight {number}",
    addPin: "Pin a result",
    addBoost: "Add a weight",
    remove: "Remove"
  },
  de: {
    search: "Suche",
    searchBody: "Seiten, die Besucher zuerst finden, und Wörter mit derselben Bedeutung.",
    synonyms: "Synonyme",
    synonymsHint: "Eine Gruppe pro Zeile, mit Kommas zwischen den Wörtern: k8s, kubernetes",
    pins: "Angeheftete Ergebnisse",
    pinsHint: "Die Seite ist das erste Ergebnis dieser Suchanfragen.",
    queries: "Suchanfragen, durch Kommas getrennt",
    boosts: "Gewichte",
    boostsHint: "Die Bewertung einer Seite wird mit ihrem Gewicht multipliziert, von 0,1 bis 10.",
    weight: "Gewicht",
    space: "Bereich",
    page: "Seite",
    allPages: "Alle Seiten",
    pin: "Angeheftetes Ergebnis {number}",
    boost: "Gewicht {number}",
    addPin: "Ergebnis anheften",
    addBoost: "Gewicht hinzufügen",
    remove: "Entfernen"
  },
  fr: {
    search: "Recherche",
    searchBody: "Les pages que les visiteurs trouvent en premier, et les mots de même sens.",
    synonyms: "Synonymes",
    synonymsHint: "Un groupe par ligne, avec des virgules entre les mots : k8s, kubernetes",
    pins: "Résultats épinglés",
    pinsHint: "La page est le premier résultat de ces requêtes.",
    queries: "Requêtes, séparées par des virgules",
    boosts: "Poids",
    boostsHint: "Le score d’une page est multiplié par son poids, de 0,1 à 10.",
    weight: "Poids",
    space: "Espace",
    page: "Page",
    allPages: "Toutes les pages",
    pin: "Résultat épinglé {number}",
    boost: "Poids {number}",
    addPin: "Épingler un résultat",
    addBoost: "Ajouter un poids",
    remove: "Supprimer"
  }
})
