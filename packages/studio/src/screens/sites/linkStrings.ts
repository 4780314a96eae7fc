/** The strings of links in the structure of a site. */
import { defineStrings } from "../../strings/strings.ts"

/** The strings of links in the structure of a site. */
export const linkStrings = defineStrings({
  en: {
    addLink: "Add a link",
    editLink: "Edit link",
    url: "URL",
    isDraft: "Draft",
    draft: "Draft: visitors do not see it yet",
    condition: "Condition",
    conditionHint: 'Visitors see the link if it is true, such as visitor.claims.plan == "pro".',
    removeBody: "The link is no longer in the navigation of the site."
  },
  de: {
    addLink: "Link hinzufügen",
    editLink: "Link bearbeiten",
    url: "URL",
    isDraft: "Entwurf",
    draft: "Entwurf: Besucher sehen ihn noch nicht",
    condition: "Bedingung",
    conditionHint: 'Besucher sehen den Link, wenn sie zutrifft, etwa visitor.claims.plan == "pro".',
    removeBody: "Der Link ist nicht mehr in der Navigation der Website."
  },
  fr: {
    addLink: "Ajouter un lien",
    editLink: "Modifier le lien",
    url: "URL",
    isDraft: "Brouillon",
    draft: "Brouillon : les visiteurs ne le voient pas encore",
    condition: "Condition",
    conditionHint:
      'Les visiteurs voient le lien si elle est vraie, par exemple visitor.claims.plan == "pro".',
    removeBody: "Le lien n’est plus dans la navigation du site."
  }
})
