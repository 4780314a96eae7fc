/** The strings of the screens of the person. */
import { defineStrings } from "../../strings/strings.ts"

/** The strings of the screens of the person. */
export const personStrings = defineStrings({
  en: {
    name: "Name",
    nameHint: "How others see you in comments, reviews and the history.",
    email: "E-mail address",
    emailHint: "It identifies your account. The operator of the server can change it.",
    photo: "URL of your image",
    photoHint: "It starts with https:// and is displayed to the members of your organizations.",
    profileSaved: "Profile saved",
    sessionsHint: "The browsers that are signed in to your account. End the ones that you do not recognize.",
    noSessions: "No browser is signed in",
    noSessionsBody: "You use an API token here. Sign in with your account to see the browser in this list.",
    unknownDevice: "Unknown browser",
    current: "This browser",
    byEmail: "Signed in by e-mail",
    byLink: "Signed in by a link",
    bySaml: "Signed in by SAML",
    byOidc: "Signed in by OpenID Connect",
    lastUsed: "Last used {time}",
    signedIn: "Since {time}",
    end: "Sign out",
    endTitle: "Sign out {device}?",
    endBody:
      "The browser must sign in again. What was typed there and not saved yet remains in that browser.",
    ended: "{device} is signed out",
    notEnded: "{device} was not signed out",
    everywhere: "Sign out everywhere",
    everywhereTitle: "Sign out everywhere?",
    everywhereBody: "All browsers, also this one, must sign in again. API tokens remain valid.",
    everywhereFailed: "The browsers were not signed out"
  },
  de: {
    name: "Name",
    nameHint: "So sehen andere Sie in Kommentaren, Prüfungen und im Verlauf.",
    email: "E-Mail-Adresse",
    emailHint: "Sie bezeichnet Ihr Konto. Der Betreiber des Servers kann sie ändern.",
    photo: "URL Ihres Bildes",
    photoHint: "Sie beginnt mit https:// und wird den Mitgliedern Ihrer Organisationen angezeigt.",
    profileSaved: "Profil gespeichert",
    sessionsHint: "Die Browser, die in Ihrem Konto angemeldet sind. Melden Sie die ab, die Sie nicht kennen.",
    noSessions: "Kein Browser ist angemeldet",
    noSessionsBody:
      "Sie verwenden hier ein API-Token. Melden Sie sich mit Ihrem Konto an, um den Browser in dieser Liste zu sehen.",
    unknownDevice: "Unbekannter Browser",
    current: "Dieser Browser",
    byEmail: "Per E-Mail angemeldet",
    byLink: "Über einen Link angemeldet",
    bySaml: "Über SAML angemeldet",
    byOidc: "Über OpenID Connect angemeldet",
    lastUsed: "Zuletzt benutzt {time}",
    signedIn: "Seit {time}",
    end: "Abmelden",
    endTitle: "{device} abmelden?",
    endBody:
      "Der Browser muss sich neu anmelden. Was dort getippt und noch nicht gespeichert wurde, bleibt in diesem Browser.",
    ended: "{device} ist abgemeldet",
    notEnded: "{device} wurde nicht abgemeldet",
    everywhere: "Überall abmelden",
    everywhereTitle: "Überall abmelden?",
    everywhereBody: "Alle Browser, auch dieser, müssen sich neu anmelden. API-Token bleiben gültig.",
    everywhereFailed: "Die Browser wurden nicht abgemeldet"
  },
  fr: {
    name: "Nom",
    nameHint: "C’est ainsi que les autres vous voient dans les commentaires, les relectures et l’historique.",
    email: "Adresse e-mail",
    emailHint: "Elle identifie votre compte. L’opérateur du serveur peut la modifier.",
    photo: "URL de votre image",
    photoHint: "Elle commence par https:// et s’affiche pour les membres de vos organisations.",
    profileSaved: "Profil enregistré",
    sessionsHint: "Les navigateurs connectés à votre compte. Déconnectez ceux que vous ne reconnaissez pas.",
    noSessions: "Aucun navigateur n’est connecté",
    noSessionsBody:
      "Vous utilisez ici un jeton d’API. Connectez-vous avec votre compte pour voir le navigateur dans cette liste.",
    unknownDevice: "Navigateur inconnu",
    current: "Ce navigateur",
    byEmail: "Connecté par e-mail",
    byLink: "Connecté par un lien",
    bySaml: "Connecté par SAML",
    byOidc: "Connecté par OpenID Connect",
    lastUsed: "Dernière utilisation {time}",
    signedIn: "Depuis {time}",
    end: "Déconnecter",
    endTitle: "Déconnecter {device} ?",
    endBody:
      "Le navigateur devra se reconnecter. Le texte saisi et pas encore enregistré reste dans ce navigateur.",
    ended: "{device} est déconnecté",
    notEnded: "{device} n’a pas été déconnecté",
    everywhere: "Déconnecter partout",
    everywhereTitle: "Déconnecter partout ?",
    everywhereBody:
      "Tous les navigateurs, y compris celui-ci, devront se reconnecter. Les jetons d’API restent valides.",
    everywhereFailed: "Les navigateurs n’ont pas été déconnectés"
  }
})
