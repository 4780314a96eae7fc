/** The strings of invitations by e-mail address. */
import { defineStrings } from "../../strings/strings.ts"

/** The strings of invitations by e-mail address. */
export const invitationStrings = defineStrings({
  en: {
    invitations: "Open invitations",
    noInvitations: "All invited people have signed in. Invite people on the list of members.",
    invitedAt: "Invited {time}",
    newLink: "Create a new link…",
    createLink: "Create link",
    linkTitle: "Invitation of {email}",
    linkBody:
      "The former link stops working. If the server sends mail, the new one is sent; you can also copy it.",
    linkUse: "Send this link to {email}. It signs in once, and is not displayed again.",
    linkLabel: "Link of the invitation",
    linkCreated: "{email} has a new link",
    linkFailed: "The link was not created",
    revoke: "Revoke",
    revokeTitle: "Revoke the invitation of {email}?",
    revokeBody: "The link stops working, and the person is no longer a member of {organization}.",
    revoked: "The invitation of {email} is revoked",
    notRevoked: "The invitation of {email} was not revoked"
  },
  de: {
    invitations: "Offene Einladungen",
    noInvitations:
      "Niemand ist eingeladen, der sich noch nicht angemeldet hat. Laden Sie in der Liste der Mitglieder ein.",
    invitedAt: "Eingeladen {time}",
    newLink: "Neuen Link erzeugen …",
    createLink: "Link erzeugen",
    linkTitle: "Einladung von {email}",
    linkBody:
      "Der bisherige Link funktioniert dann nicht mehr. Versendet der Server E-Mails, wird der neue gesendet; Sie können ihn auch kopieren.",
    linkUse: "Senden Sie diesen Link an {email}. Er meldet einmal an und wird nicht noch einmal angezeigt.",
    linkLabel: "Link der Einladung",
    linkCreated: "{email} hat einen neuen Link",
    linkFailed: "Der Link wurde nicht erzeugt",
    revoke: "Widerrufen",
    revokeTitle: "Einladung von {email} widerrufen?",
    revokeBody: "Der Link funktioniert nicht mehr, und die Person ist kein Mitglied von {organization} mehr.",
    revoked: "Die Einladung von {email} ist widerrufen",
    notRevoked: "Die Einladung von {email} wurde nicht widerrufen"
  },
  fr: {
    invitations: "Invitations en cours",
    noInvitations:
      "Aucune personne invitée ne doit encore se connecter. Invitez des personnes depuis la liste des membres.",
    invitedAt: "Invitation envoyée {time}",
    newLink: "Créer un nouveau lien…",
    createLink: "Créer le lien",
    linkTitle: "Invitation de {email}",
    linkBody:
      "L’ancien lien ne fonctionnera plus. Si le serveur envoie des e-mails, le nouveau est envoyé ; vous pouvez aussi le copier.",
    linkUse: "Envoyez ce lien à {email}. Il connecte une seule fois et ne s’affichera plus.",
    linkLabel: "Lien de l’invitation",
    linkCreated: "{email} a un nouveau lien",
    linkFailed: "Le lien n’a pas été créé",
    revoke: "Révoquer",
    revokeTitle: "Révoquer l’invitation de {email} ?",
    revokeBody: "Le lien ne fonctionnera plus et la personne ne sera plus membre de {organization}.",
    revoked: "L’invitation de {email} est révoquée",
    notRevoked: "L’invitation de {email} n’a pas été révoquée"
  }
})
