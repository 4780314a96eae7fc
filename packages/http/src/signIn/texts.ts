/** The wording of the pages for signing in, by language. */
import type { MailLanguage } from "@lectern/core"

/** The wording of the pages for signing in. */
export interface SignInTexts {
  readonly signIn: string
  readonly emailAddress: string
  readonly sendLink: string
  readonly checkMail: string
  readonly linkSent: (email: string) => string
  readonly joinLinkSent: (email: string) => string
  readonly anotherAddress: string
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
  readonly limitedAccount: string
  readonly eraseHint: string
  readonly eraseConfirmation: string
  readonly eraseMismatch: string
  readonly erase: string
  readonly failed: string
  readonly usePasskey: string
  readonly passkeyFailed: string
  readonly secondFactor: string
  readonly secondFactorHint: string
  readonly recoveryCode: string
  readonly useRecoveryCode: string
  readonly wrongRecoveryCode: string
  readonly addPasskeyHint: string
  readonly addPasskey: string
  readonly passkeysNeedHostName: string
}

const en: SignInTexts = {
  signIn: "Sign in",
  emailAddress: "E-mail address",
  sendLink: "Send a sign-in link",
  checkMail: "Check your e-mail",
  linkSent: (email) =>
    `If an account has the address ${email}, it receives a link that signs you in. The link works once, within 15 minutes.`,
  joinLinkSent: (email) =>
    `If the link that you have opened is valid, ${email} receives a link, with which you join. It works once, within 15 minutes.`,
  anotherAddress: "Use another address",
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
  limitedAccount:
    "This session is limited to one organization, so that it neither exports nor erases the account. Sign in by a link in an e-mail.",
  eraseHint:
    "Erasing the account removes your name, address, memberships and sessions. What you have written remains, by a former user.",
  eraseConfirmation: "Type your e-mail address",
  eraseMismatch: "The address is not that of your account. Nothing was erased.",
  erase: "Erase the account",
  failed: "The sign-in failed",
  usePasskey: "Sign in with a passkey",
  passkeyFailed: "The passkey was not accepted. Try again, or continue another way.",
  secondFactor: "Confirm the sign-in",
  secondFactorHint:
    "Your organization requires a second factor. Use one of your passkeys, or a recovery code.",
  recoveryCode: "Recovery code",
  useRecoveryCode: "Use the recovery code",
  wrongRecoveryCode: "The code is unknown or was used before.",
  addPasskeyHint: "Your organization requires a second factor. Add a passkey to continue.",
  addPasskey: "Add a passkey",
  passkeysNeedHostName:
    "Passkeys are off, because this server is opened by an IP address or without https. Use a recovery code, or ask the operator of the server."
}

const de: SignInTexts = {
  signIn: "Anmelden",
  emailAddress: "E-Mail-Adresse",
  sendLink: "Anmelde-Link senden",
  checkMail: "Sieh in deinen E-Mails nach",
  linkSent: (email) =>
    `Falls ein Konto die Adresse ${email} hat, erhält es einen Link, der dich anmeldet. Der Link funktioniert einmal, innerhalb von 15 Minuten.`,
  joinLinkSent: (email) =>
    `Falls der geöffnete Link gültig ist, erhält ${email} einen Link, mit dem du beitrittst. Er funktioniert einmal, innerhalb von 15 Minuten.`,
  anotherAddress: "Eine andere Adresse verwenden",
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
  limitedAccount:
    "Diese Sitzung ist auf eine Organisation beschränkt und kann das Konto weder exportieren noch löschen. Melde dich über einen Link in einer E-Mail an.",
  eraseHint:
    "Das Löschen des Kontos entfernt deinen Namen, deine Adresse, deine Mitgliedschaften und deine Sitzungen. Was du geschrieben hast, bleibt ohne deinen Namen erhalten.",
  eraseConfirmation: "Gib deine E-Mail-Adresse ein",
  eraseMismatch: "Die Adresse ist nicht die deines Kontos. Nichts wurde gelöscht.",
  erase: "Konto löschen",
  failed: "Die Anmeldung ist fehlgeschlagen",
  usePasskey: "Mit einem Passkey anmelden",
  passkeyFailed: "Der Passkey wurde nicht angenommen. Versuche es erneut oder auf einem anderen Weg.",
  secondFactor: "Anmeldung bestätigen",
  secondFactorHint:
    "Deine Organisation verlangt einen zweiten Faktor. Verwende einen deiner Passkeys oder einen Wiederherstellungscode.",
  recoveryCode: "Wiederherstellungscode",
  useRecoveryCode: "Wiederherstellungscode verwenden",
  wrongRecoveryCode: "Der Code ist unbekannt oder wurde schon verwendet.",
  addPasskeyHint:
    "Deine Organisation verlangt einen zweiten Faktor, und dein Konto hat keinen. Füge einen Passkey hinzu, um fortzufahren.",
  addPasskey: "Passkey hinzufügen",
  passkeysNeedHostName:
    "Passkeys sind aus, weil dieser Server über eine IP-Adresse oder ohne https geöffnet wird. Verwende einen Wiederherstellungscode, oder frage den Betreiber des Servers."
}

const fr: SignInTexts = {
  signIn: "Se connecter",
  emailAddress: "Adresse e-mail",
  sendLink: "Envoyer un lien de connexion",
  checkMail: "Consultez votre messagerie",
  linkSent: (email) =>
    `Si un compte a l’adresse ${email}, il reçoit un lien de connexion. Le lien fonctionne une seule fois, pendant 15 minutes.`,
  joinLinkSent: (email) =>
    `Si le lien que vous avez ouvert est valide, ${email} reçoit un lien pour rejoindre l’organisation. Il fonctionne une seule fois, pendant 15 minutes.`,
  anotherAddress: "Utiliser une autre adresse",
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
  limitedAccount:
    "Cette session est limitée à une organisation : elle ne peut ni exporter ni effacer le compte. Connectez-vous avec un lien reçu par e-mail.",
  eraseHint:
    "La suppression du compte retire votre nom, votre adresse, vos appartenances et vos sessions. Vos textes restent, sans votre nom.",
  eraseConfirmation: "Saisissez votre adresse e-mail",
  eraseMismatch: "L’adresse n’est pas celle de votre compte. Rien n’a été supprimé.",
  erase: "Supprimer le compte",
  failed: "La connexion a échoué",
  usePasskey: "Se connecter avec une clé d’accès",
  passkeyFailed: "La clé d’accès n’a pas été acceptée. Réessayez, ou continuez autrement.",
  secondFactor: "Confirmer la connexion",
  secondFactorHint:
    "Votre organisation exige un second facteur. Utilisez une de vos clés d’accès ou un code de récupération.",
  recoveryCode: "Code de récupération",
  useRecoveryCode: "Utiliser le code de récupération",
  wrongRecoveryCode: "Le code est inconnu ou a déjà été utilisé.",
  addPasskeyHint:
    "Votre organisation exige un second facteur, et votre compte n’en a pas. Ajoutez une clé d’accès pour continuer.",
  addPasskey: "Ajouter une clé d’accès",
  passkeysNeedHostName:
    "Les clés d’accès sont désactivées, car ce serveur est ouvert par une adresse IP ou sans https. Utilisez un code de récupération, ou demandez à l’opérateur du serveur."
}

const es: SignInTexts = {
  signIn: "Iniciar sesión",
  emailAddress: "Correo electrónico",
  sendLink: "Enviar un enlace",
  checkMail: "Revisa tu correo",
  linkSent: (email) =>
    `Si una cuenta tiene la dirección ${email}, recibe un enlace para iniciar sesión. El enlace funciona una vez, durante 15 minutos.`,
  joinLinkSent: (email) =>
    `Si el enlace que has abierto es válido, ${email} recibe un enlace para unirse. Funciona una vez, durante 15 minutos.`,
  anotherAddress: "Usar otra dirección",
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
  limitedAccount:
    "Esta sesión está limitada a una organización: no puede exportar ni borrar la cuenta. Inicia sesión con un enlace recibido por correo.",
  eraseHint:
    "Al borrar la cuenta se eliminan tu nombre, tu dirección, tus membresías y tus sesiones. Lo que escribiste permanece, sin tu nombre.",
  eraseConfirmation: "Escribe tu correo",
  eraseMismatch: "La dirección no es la de tu cuenta. No se borró nada.",
  erase: "Borrar la cuenta",
  failed: "No se pudo iniciar sesión",
  usePasskey: "Iniciar sesión con una clave de acceso",
  passkeyFailed: "La clave de acceso no se aceptó. Inténtalo de nuevo o de otra manera.",
  secondFactor: "Confirmar el inicio de sesión",
  secondFactorHint:
    "Tu organización exige un segundo factor. Usa una de tus claves de acceso o un código de recuperación.",
  recoveryCode: "Código de recuperación",
  useRecoveryCode: "Usar el código de recuperación",
  wrongRecoveryCode: "El código es desconocido o ya se usó.",
  addPasskeyHint:
    "Tu organización exige un segundo factor y tu cuenta no tiene ninguno. Añade una clave de acceso para continuar.",
  addPasskey: "Añadir una clave de acceso",
  passkeysNeedHostName:
    "Las claves de acceso están desactivadas, porque este servidor se abre por una dirección IP o sin https. Usa un código de recuperación o pregunta al operador del servidor."
}

/** The wording of the pages for signing in, by language. */
export const signInTexts: Readonly<Record<MailLanguage, SignInTexts>> = { en, de, fr, es }
