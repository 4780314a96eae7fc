/** The strings of the link to a site that has no URL for the person yet. */
import { defineStrings } from "../../strings/strings.ts"

/** The strings of the link to a site that has no URL for the person yet. */
export const visitStrings = defineStrings({
  en: {
    byLink: "Open by a share link…",
    asVisitor: "Open as a visitor…"
  },
  de: {
    byLink: "Über einen Link öffnen …",
    asVisitor: "Als Besucher öffnen …"
  },
  fr: {
    byLink: "Ouvrir par un lien de partage…",
    asVisitor: "Ouvrir en tant que visiteur…"
  }
})
