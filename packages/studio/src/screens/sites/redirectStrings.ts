/** The strings of redirects of a site. */
import { defineStrings } from "../../strings/strings.ts"

/** The strings of redirects of a site. */
export const redirectStrings = defineStrings({
  en: {
    wildcardHint:
      "Such as /old/page, without the URL of the site. /old/* redirects all pages below /old, but not /old.",
    anotherWebsite: "Another website",
    url: "URL",
    captureWildcard: "Append the part of the path that * represents",
    permanent: "Permanent: browsers and search engines may remember it",
    draft: "Draft: visitors do not follow it yet",
    isDraft: "Draft",
    isPermanent: "Permanent",
    live: "Live",
    drafts: "Drafts",
    list: "List",
    publish: "Publish",
    published: "Redirect from {source} published",
    noDrafts: "No drafts"
  },
  de: {
    wildcardHint:
      "Etwa /alt/seite, ohne die Adresse der Website. /alt/* leitet alle Seiten unterhalb von /alt um, /alt nicht.",
    anotherWebsite: "Eine andere Website",
    url: "URL",
    captureWildcard: "Den Teil des Pfads anhängen, für den * steht",
    permanent: "Dauerhaft: Browser und Suchmaschinen dürfen sie sich merken",
    draft: "Entwurf: Besucher folgen ihr noch nicht",
    isDraft: "Entwurf",
    isPermanent: "Dauerhaft",
    live: "Aktiv",
    drafts: "Entwürfe",
    list: "Liste",
    publish: "Veröffentlichen",
    published: "Weiterleitung von {source} veröffentlicht",
    noDrafts: "Keine Entwürfe"
  },
  fr: {
    wildcardHint:
      "Par exemple /ancienne/page, sans l’adresse du site. /ancien/* redirige toutes les pages sous /ancien, mais pas /ancien.",
    anotherWebsite: "Un autre site web",
    url: "URL",
    captureWildcard: "Ajouter la partie du chemin que * remplace",
    permanent: "Permanente : les navigateurs et les moteurs de recherche peuvent la retenir",
    draft: "Brouillon : les visiteurs ne la suivent pas encore",
    isDraft: "Brouillon",
    isPermanent: "Permanente",
    live: "Actives",
    drafts: "Brouillons",
    list: "Liste",
    publish: "Publier",
    published: "Redirection de {source} publiée",
    noDrafts: "Aucun brouillon"
  }
})
