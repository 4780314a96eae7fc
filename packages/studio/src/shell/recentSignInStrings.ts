/** The strings of the dialog that requests a recent sign-in. */
import { defineStrings } from "../strings/strings.ts"

/** The strings of the dialog that requests a recent sign-in. */
export const recentSignInStrings = defineStrings({
  en: {
    title: "This action needs a recent sign-in",
    body: "Your last sign-in is too long ago for it. Sign in again, and the action continues here with all that you have entered.",
    newTab: "The sign-in opens in a new tab. Return to this tab when it is done.",
    command: "Without a mail server, this command on the server prints a link: {command}",
    passkeyFailed: "The passkey was not accepted. Try again, or sign in in a new tab.",
    usePasskey: "Use the passkey",
    signInTab: "Sign in in a new tab",
    cancel: "Cancel"
  },
  de: {
    title: "Diese Aktion braucht eine aktuelle Anmeldung",
    body: "Ihre letzte Anmeldung liegt dafür zu lange zurück. Melden Sie sich erneut an. Danach läuft die Aktion hier weiter, mit allen Ihren Eingaben.",
    newTab: "Die Anmeldung öffnet sich in einem neuen Tab. Kehren Sie danach in diesen Tab zurück.",
    command: "Ohne Mailserver gibt dieser Befehl auf dem Server einen Link aus: {command}",
    passkeyFailed:
      "Der Passkey wurde nicht angenommen. Versuchen Sie es erneut, oder melden Sie sich in einem neuen Tab an.",
    usePasskey: "Passkey verwenden",
    signInTab: "In neuem Tab anmelden",
    cancel: "Abbrechen"
  },
  fr: {
    title: "Cette action exige une connexion récente",
    body: "Votre dernière connexion est trop ancienne pour cela. Reconnectez-vous : l’action continue ensuite ici, avec tout ce que vous avez saisi.",
    newTab: "La connexion s’ouvre dans un nouvel onglet. Revenez ensuite dans cet onglet.",
    command: "Sans serveur de messagerie, cette commande sur le serveur affiche un lien : {command}",
    passkeyFailed: "La clé d’accès n’a pas été acceptée. Réessayez, ou connectez-vous dans un nouvel onglet.",
    usePasskey: "Utiliser la clé d’accès",
    signInTab: "Se connecter dans un nouvel onglet",
    cancel: "Annuler"
  }
})
