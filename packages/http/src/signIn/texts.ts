/** The wording of the pages for signing in, by language. */
import type { MailLanguage } from "@lectern/core"

/** The wording of the pages for signing in. */
export interface SignInTexts {
  readonly signIn: string
  readonly emailAddress: string
  readonly sendLink: string
  readonly checkMail: string
  readonly linkSent: (email: string) => string
  readonly mailIsOff: string
  readonly linkOfOperator: string
  readonly linkOfAdministrator: string
  readonly signInAs: (email: string) => string
  readonly replaces: string
  readonly linkInvalid: string
  readonly linkInvalidHint: string
  readonly requestAnother: string
  readonly otherWebsite: string
  readonly insecure: string
  readonly invalidAddress: string
  readonly continueWith: (provider: string) => string
  readonly signOut: string
  readonly signedOut: string
  readonly signOutAtProvider: string
  readonly join: (organization: string) => string
  readonly joinAs: (email: string) => string
  readonly joinIsOff: string
  readonly joinHint: string
  readonly backToLectern: string
  readonly ownAccount: string
  readonly exportData: string
  readonly eraseHint: string
  readonly eraseConfirmation: string
  readonly eraseMismatch: string
  readonly erase: string
  readonly failed: string
}

const en: SignInTexts = {
  signIn: "Sign in",
  emailAddress: "E-mail address",
  sendLink: "Send a sign-in link",
  checkMail: "Check your e-mail",
  linkSent: (email) =>
    `If an account has the address ${email}, it receives a link that signs you in. The link works once, within 15 minutes.`,
  mailIsOff: "This server cannot send e-mail, because no mail server is configured.",
  linkOfAdministrator: "Ask an administrator for a sign-in link.",
  linkOfOperator: "On the machine of the server, this command prints one: lectern sign-in <e-mail address>",
  signInAs: (email) => `Sign in as ${email}`,
  replaces: "You are signed in already. Signing in ends that session in this browser.",
  linkInvalid: "The link does not work anymore",
  linkInvalidHint: "The sign-in link has expired or was used before.",
  requestAnother: "Request another link",
  otherWebsite: "The form was sent by another website. Try again.",
  insecure:
    "Sign-in requires https, or an address of this machine such as localhost. The operator can set LECTERN_PUBLIC_URL to an https URL.",
  invalidAddress: "Enter an e-mail address.",
  continueWith: (provider) => `Continue with ${provider}`,
  signOut: "Sign out",
  signedOut: "You are signed out.",
  signOutAtProvider: "Sign out at your identity provider too",
  join: (organization) => `Join ${organization}`,
  joinAs: (email) => `Join as ${email}`,
  joinIsOff: "The link to join does not work anymore",
  joinHint: "Enter your e-mail address. You receive a link, with which you join.",
  backToLectern: "Open Lectern",
  ownAccount: "Your account",
  exportData: "Download your data",
  eraseHint:
    "Erasing the account removes your name, address, memberships and sessions. What you have written remains, by a former user.",
  eraseConfirmation: "Type your e-mail address",
  eraseMismatch: "The address is not that of your account. Nothing was erased.",
  erase: "Erase the account",
  failed: "The sign-in failed"
}

const de: SignInTexts = {
  signIn: "Anmelden",
  emailAddress: "E-Mail-Adresse",
  sendLink: "Anmelde-Link senden",
  checkMail: "Sieh in deinen E-Mails nach",
  linkSent: (email) =>
    `Falls ein Konto die Adresse ${email} hat, erhält es einen Link, der dich anmeldet. Der Link funktioniert einmal, innerhalb von 15 Minuten.`,
  mailIsOff: "Dieser Server kann keine E-Mails senden, weil kein Mailserver konfiguriert ist.",
  linkOfAdministrator: "Bitte eine Administratorin oder einen Administrator um einen Anmelde-Link.",
  linkOfOperator: "Auf dem Rechner des Servers gibt ihn dieser Befehl aus: lectern sign-in <E-Mail-Adresse>",
  signInAs: (email) => `Als ${email} anmelden`,
  replaces: "Du bist bereits angemeldet. Die Anmeldung beendet diese Sitzung in diesem Browser.",
  linkInvalid: "Der Link funktioniert nicht mehr",
  linkInvalidHint: "Der Anmelde-Link ist abgelaufen oder wurde schon verwendet.",
  requestAnother: "Neuen Link anfordern",
  otherWebsite: "Das Formular wurde von einer anderen Website gesendet. Versuche es erneut.",
  insecure:
    "Die Anmeldung erfordert https oder eine Adresse dieses Rechners wie localhost. Der Betreiber kann LECTERN_PUBLIC_URL auf eine https-URL setzen.",
  invalidAddress: "Gib eine E-Mail-Adresse ein.",
  continueWith: (provider) => `Weiter mit ${provider}`,
  signOut: "Abmelden",
  signedOut: "Du bist abgemeldet.",
  signOutAtProvider: "Auch beim Identitätsanbieter abmelden",
  join: (organization) => `${organization} beitreten`,
  joinAs: (email) => `Als ${email} beitreten`,
  joinIsOff: "Der Link zum Beitreten funktioniert nicht mehr",
  joinHint: "Gib deine E-Mail-Adresse ein. Du erhältst einen Link, mit dem du beitrittst.",
  backToLectern: "Lectern öffnen",
  ownAccount: "Dein Konto",
  exportData: "Deine Daten herunterladen",
  eraseHint:
    "Das Löschen des Kontos entfernt deinen Namen, deine Adresse, deine Mitgliedschaften und deine Sitzungen. Was du geschrieben hast, bleibt ohne deinen Namen erhalten.",
  eraseConfirmation: "Gib deine E-Mail-Adresse ein",
  eraseMismatch: "Die Adresse ist nicht die deines Kontos. Nichts wurde gelöscht.",
  erase: "Konto löschen",
  failed: "Die Anmeldung ist fehlgeschlagen"
}

const fr: SignInTexts = {
  signIn: "Se connecter",
  emailAddress: "Adresse e-mail",
  sendLink: "Envoyer un lien de connexion",
  checkMail: "Consultez votre messagerie",
  linkSent: (email) =>
    `Si un compte a l’adresse ${email}, il reçoit un lien de connexion. Le lien fonctionne une seule fois, pendant 15 minutes.`,
  mailIsOff: "Ce serveur ne peut pas envoyer d’e-mails, car aucun serveur de messagerie n’est configuré.",
  linkOfAdministrator: "Demandez un lien de connexion à un administrateur.",
  linkOfOperator:
    "Sur la machine du serveur, cette commande en affiche un : lectern sign-in <adresse e-mail>",
  signInAs: (email) => `Se connecter en tant que ${email}`,
  replaces: "Vous êtes déjà connecté. La connexion met fin à cette session dans ce navigateur.",
  linkInvalid: "Le lien ne fonctionne plus",
  linkInvalidHint: "Le lien de connexion a expiré ou a déjà été utilisé.",
  requestAnother: "Demander un autre lien",
  otherWebsite: "Le formulaire a été envoyé par un autre site web. Réessayez.",
  insecure:
    "La connexion exige https, ou une adresse de cette machine telle que localhost. L’opérateur peut définir LECTERN_PUBLIC_URL avec une URL https.",
  invalidAddress: "Saisissez une adresse e-mail.",
  continueWith: (provider) => `Continuer avec ${provider}`,
  signOut: "Se déconnecter",
  signedOut: "Vous êtes déconnecté.",
  signOutAtProvider: "Se déconnecter aussi du fournisseur d’identité",
  join: (organization) => `Rejoindre ${organization}`,
  joinAs: (email) => `Rejoindre en tant que ${email}`,
  joinIsOff: "Le lien d’invitation ne fonctionne plus",
  joinHint: "Saisissez votre adresse e-mail. Vous recevez un lien avec lequel vous rejoignez l’organisation.",
  backToLectern: "Ouvrir Lectern",
  ownAccount: "Votre compte",
  exportData: "Télécharger vos données",
  eraseHint:
    "La suppression du compte retire votre nom, votre adresse, vos appartenances et vos sessions. Vos textes restent, sans votre nom.",
  eraseConfirmation: "Saisissez votre adresse e-mail",
  eraseMismatch: "L’adresse n’est pas celle de votre compte. Rien n’a été supprimé.",
  erase: "Supprimer le compte",
  failed: "La connexion a échoué"
}

const es: SignInTexts = {
  signIn: "Iniciar sesión",
  emailAddress: "Correo electrónico",
  sendLink: "Enviar un enlace",
  checkMail: "Revisa tu correo",
  linkSent: (email) =>
    `Si una cuenta tiene la dirección ${email}, recibe un enlace para iniciar sesión. El enlace funciona una vez, durante 15 minutos.`,
  mailIsOff: "Este servidor no puede enviar correo, porque no hay un servidor de correo configurado.",
  linkOfAdministrator: "Pide un enlace de inicio de sesión a un administrador.",
  linkOfOperator: "En el equipo del servidor, este comando muestra uno: lectern sign-in <correo electrónico>",
  signInAs: (email) => `Iniciar sesión como ${email}`,
  replaces: "Ya iniciaste sesión. Un nuevo inicio termina esa sesión en este navegador.",
  linkInvalid: "El enlace ya no funciona",
  linkInvalidHint: "El enlace de inicio de sesión caducó o ya se usó.",
  requestAnother: "Pedir otro enlace",
  otherWebsite: "Otro sitio web envió el formulario. Inténtalo de nuevo.",
  insecure:
    "El inicio de sesión requiere https, o una dirección de esta máquina como localhost. El operador puede definir LECTERN_PUBLIC_URL con una URL https.",
  invalidAddress: "Escribe un correo electrónico.",
  continueWith: (provider) => `Continuar con ${provider}`,
  signOut: "Cerrar sesión",
  signedOut: "Cerraste la sesión.",
  signOutAtProvider: "Cerrar sesión también en el proveedor de identidad",
  join: (organization) => `Unirse a ${organization}`,
  joinAs: (email) => `Unirse como ${email}`,
  joinIsOff: "El enlace para unirse ya no funciona",
  joinHint: "Escribe tu correo. Recibes un enlace con el que te unes.",
  backToLectern: "Abrir Lectern",
  ownAccount: "Tu cuenta",
  exportData: "Descargar tus datos",
  eraseHint:
    "Al borrar la cuenta se eliminan tu nombre, tu dirección, tus membresías y tus sesiones. Lo que escribiste permanece, sin tu nombre.",
  eraseConfirmation: "Escribe tu correo",
  eraseMismatch: "La dirección no es la de tu cuenta. No se borró nada.",
  erase: "Borrar la cuenta",
  failed: "No se pudo iniciar sesión"
}

/** The wording of the pages for signing in, by language. */
export const signInTexts: Readonly<Record<MailLanguage, SignInTexts>> = { en, de, fr, es }
