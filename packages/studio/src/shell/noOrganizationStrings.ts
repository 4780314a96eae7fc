/** The strings of a person who is in no organization. */
import { defineStrings } from "../strings/strings.ts"

/** The strings of a person who is in no organization. */
export const noOrganizationStrings = defineStrings({
  en: {
    title: "You are in no organization",
    body: "Open the invitation link that an administrator has sent you. A new organization is created on the server, with {command}.",
    trash: "Open the trash"
  },
  de: {
    title: "Sie sind in keiner Organisation",
    body: "Öffnen Sie den Einladungslink, den Ihnen Administratoren geschickt haben. Eine neue Organisation wird auf dem Server angelegt, mit {command}.",
    trash: "Papierkorb öffnen"
  },
  fr: {
    title: "Vous n’appartenez à aucune organisation",
    body: "Ouvrez le lien d’invitation qu’un administrateur vous a envoyé. Une nouvelle organisation se crée sur le serveur, avec {command}.",
    trash: "Ouvrir la corbeille"
  }
})
