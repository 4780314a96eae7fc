/** The strings of the access to sites. */
import { defineStrings } from "../../strings/strings.ts"

/** The strings of the access to sites. */
export const siteAccessStrings = defineStrings({
  en: {
    why: "Why can this person see it?",
    "app-disabled": "{name} is blocked in the organization, and does not see the site in the application.",
    "app-guest": "{name} is a guest, and does not see the site in the application.",
    "app-views": "{name} sees the site in the application, like every member of the organization.",
    "app-edits": "{name} can change the site, by the role {role} in the organization.",
    "app-granted": "{name} has the role {role} on the site, granted to them or to one of their teams.",
    "app-administers": "{name} can do everything with the site, as an administrator of the organization.",
    "pages-unpublished": "The site is not published: its pages have no readers.",
    "pages-public": "Anyone can read its pages, which are public.",
    "pages-unlisted": "Anyone who has the URL can read its pages.",
    "pages-shareLink": "Anyone with an active share link can read its pages.",
    "pages-visitorAuth": "Visitors who have signed in can read its pages.",
    "pages-memberVisit": "As a member, this person also opens its pages from the application.",
    "pages-conditions":
      "Pages with a condition are displayed to visitors who fulfill it: see the preview as a given visitor."
  },
  de: {
    why: "Warum kann diese Person sie sehen?",
    "app-disabled": "{name} ist in der Organisation gesperrt und sieht die Website nicht in der Anwendung.",
    "app-guest": "{name} ist Gast und sieht die Website nicht in der Anwendung.",
    "app-views": "{name} sieht die Website in der Anwendung wie alle Mitglieder der Organisation.",
    "app-edits": "{name} kann die Website ändern, durch die Rolle {role} in der Organisation.",
    "app-granted": "{name} hat die Rolle {role} auf der Website, selbst oder durch ein Team.",
    "app-administers": "{name} kann alles mit der Website tun, als Administrator der Organisation.",
    "pages-unpublished": "Die Website ist nicht veröffentlicht: Niemand sonst sieht ihre Seiten.",
    "pages-public": "Alle können ihre Seiten lesen, sie sind öffentlich.",
    "pages-unlisted": "Alle, die die URL haben, können ihre Seiten lesen.",
    "pages-shareLink": "Alle mit einem aktiven Freigabelink können ihre Seiten lesen.",
    "pages-visitorAuth": "Angemeldete Besucher können ihre Seiten lesen.",
    "pages-memberVisit": "Als Mitglied öffnet diese Person ihre Seiten auch aus der Anwendung.",
    "pages-conditions":
      "Seiten mit einer Bedingung sehen Besucher, die sie erfüllen: siehe die Vorschau als bestimmter Besucher."
  },
  fr: {
    why: "Pourquoi cette personne peut-elle le voir ?",
    "app-disabled": "{name} est bloqué dans l’organisation et ne voit pas le site dans l’application.",
    "app-guest": "{name} est invité et ne voit pas le site dans l’application.",
    "app-views": "{name} voit le site dans l’application, comme chaque membre de l’organisation.",
    "app-edits": "{name} peut modifier le site, par le rôle {role} dans l’organisation.",
    "app-granted": "{name} a le rôle {role} sur le site, directement ou par une équipe.",
    "app-administers": "{name} peut tout faire avec le site, comme administrateur de l’organisation.",
    "pages-unpublished": "Le site n’est pas publié : personne d’autre ne voit ses pages.",
    "pages-public": "Tout le monde peut lire ses pages, qui sont publiques.",
    "pages-unlisted": "Toute personne qui a l’URL peut lire ses pages.",
    "pages-shareLink": "Toute personne qui a un lien de partage actif peut lire ses pages.",
    "pages-visitorAuth": "Les visiteurs connectés peuvent lire ses pages.",
    "pages-memberVisit": "Comme membre, cette personne ouvre aussi ses pages depuis l’application.",
    "pages-conditions":
      "Les pages avec une condition sont affichées aux visiteurs qui la remplissent : voir l’aperçu comme un visiteur donné."
  }
})
