/** The wording of the pages on which people authorize programs, by language. */
import type { MailLanguage } from "@lectern/core"

/** The kinds of resources that permissions are about. */
export type PermissionKind =
  | "organization"
  | "member"
  | "team"
  | "collection"
  | "space"
  | "content"
  | "changeRequest"
  | "comment"
  | "site"
  | "integration"
  | "installation"

/** The wording of the pages on which people authorize programs. */
export interface ProgramTexts {
  readonly title: (program: string) => string
  readonly asks: (program: string, account: string) => string
  readonly returnsTo: (host: string) => string
  readonly returnsToMachine: string
  readonly returnsToScheme: (scheme: string) => string
  readonly notVerified: string
  readonly ownCommand: string
  readonly permissions: string
  readonly neverMore: string
  readonly onlySite: (url: string) => string
  readonly allow: string
  readonly deny: string
  readonly signInAgain: string
  readonly signInAgainHint: string
  readonly confirmFactor: string
  readonly returning: string
  readonly continueToProgram: string
  readonly expired: string
  readonly expiredHint: string
  readonly rejected: string
  readonly deviceTitle: string
  readonly deviceHint: string
  readonly deviceCode: string
  readonly next: string
  readonly deviceWarning: (code: string) => string
  readonly deviceUnknown: string
  readonly deviceTooMany: string
  readonly deviceAllowed: string
  readonly deviceDenied: string
  readonly kinds: Readonly<Record<PermissionKind, string>>
}

const en: ProgramTexts = {
  title: (program) => `Authorize ${program}`,
  asks: (program, account) => `${program} requests to act as ${account}.`,
  returnsTo: (host) => `It returns to ${host}.`,
  returnsToMachine: "It returns to a program on this computer.",
  returnsToScheme: (scheme) => `It returns to the program on this computer that opens ${scheme}`,
  notVerified:
    "Lectern has not verified this program. Anyone can choose this name: continue only if you started the program yourself and trust it.",
  ownCommand: "This is the command-line program of Lectern.",
  permissions: "It will be allowed to use these permissions:",
  neverMore: "It can never do more than you can. You can end its access at any time in your settings.",
  onlySite: (url) => `Its access is limited to the site ${url}.`,
  allow: "Authorize",
  deny: "Cancel",
  signInAgain: "Sign in again",
  signInAgainHint: "Authorizing a program requires a sign-in in the last 10 minutes.",
  confirmFactor: "Confirm the sign-in",
  returning: "Returning to the program",
  continueToProgram: "Continue",
  expired: "The request has expired",
  expiredHint:
    "Start again in the program. The request belongs to the browser that opened it, for 15 minutes.",
  rejected: "The program has sent an invalid request",
  deviceTitle: "Connect a device",
  deviceHint: "Enter the code that your device displays.",
  deviceCode: "Code",
  next: "Continue",
  deviceWarning: (code) =>
    `Continue only if your own device displays the code ${code} now. If another person has sent you the code or this link, cancel: they would receive access to your account.`,
  deviceUnknown: "The code is unknown, has expired or was used before.",
  deviceTooMany: "Too many codes. Wait ten minutes, and try again.",
  deviceAllowed: "The device is connected. You can close this page.",
  deviceDenied: "The device is not connected. You can close this page.",
  kinds: {
    organization: "Organizations",
    member: "Members",
    team: "Teams",
    collection: "Collections",
    space: "Spaces",
    content: "Content",
    changeRequest: "Change requests",
    comment: "Comments",
    site: "Sites",
    integration: "Integrations",
    installation: "Installations of integrations"
  }
}

const de: ProgramTexts = {
  title: (program) => `${program} autorisieren`,
  asks: (program, account) => `${program} möchte als ${account} handeln.`,
  returnsTo: (host) => `Das Programm kehrt zu ${host} zurück.`,
  returnsToMachine: "Das Programm läuft auf diesem Computer.",
  returnsToScheme: (scheme) => `Das Programm auf diesem Computer öffnet ${scheme}`,
  notVerified:
    "Lectern hat dieses Programm nicht geprüft. Jeder kann diesen Namen wählen: Fahre nur fort, wenn du das Programm selbst gestartet hast und ihm vertraust.",
  ownCommand: "Das ist das Kommandozeilenprogramm von Lectern.",
  permissions: "Es darf diese Berechtigungen verwenden:",
  neverMore:
    "Es kann nie mehr als du selbst. Du kannst seinen Zugriff jederzeit in deinen Einstellungen beenden.",
  onlySite: (url) => `Sein Zugriff ist auf die Website ${url} beschränkt.`,
  allow: "Autorisieren",
  deny: "Abbrechen",
  signInAgain: "Erneut anmelden",
  signInAgainHint:
    "Um ein Programm zu autorisieren, musst du dich in den letzten 10 Minuten angemeldet haben.",
  confirmFactor: "Anmeldung bestätigen",
  returning: "Zurück zum Programm",
  continueToProgram: "Weiter",
  expired: "Die Anfrage ist abgelaufen",
  expiredHint:
    "Beginne im Programm von vorn. Die Anfrage gehört 15 Minuten lang dem Browser, der sie geöffnet hat.",
  rejected: "Das Programm hat eine ungültige Anfrage gesendet",
  deviceTitle: "Gerät verbinden",
  deviceHint: "Gib den Code ein, den dein Gerät anzeigt.",
  deviceCode: "Code",
  next: "Weiter",
  deviceWarning: (code) =>
    `Fahre nur fort, wenn dein eigenes Gerät jetzt den Code ${code} anzeigt. Hat dir jemand den Code oder diesen Link gesendet, brich ab: Diese Person erhielte Zugriff auf dein Konto.`,
  deviceUnknown: "Der Code ist unbekannt, abgelaufen oder wurde schon verwendet.",
  deviceTooMany: "Zu viele Codes. Warte zehn Minuten, und versuche es erneut.",
  deviceAllowed: "Das Gerät ist verbunden. Du kannst diese Seite schließen.",
  deviceDenied: "Das Gerät ist nicht verbunden. Du kannst diese Seite schließen.",
  kinds: {
    organization: "Organisationen",
    member: "Mitglieder",
    team: "Teams",
    collection: "Sammlungen",
    space: "Bereiche",
    content: "Inhalte",
    changeRequest: "Änderungsanfragen",
    comment: "Kommentare",
    site: "Websites",
    integration: "Integrationen",
    installation: "Installationen von Integrationen"
  }
}

const fr: ProgramTexts = {
  title: (program) => `Autoriser ${program}`,
  asks: (program, account) => `${program} demande à agir en tant que ${account}.`,
  returnsTo: (host) => `Il renvoie à ${host}.`,
  returnsToMachine: "Il renvoie à un programme de cet ordinateur.",
  returnsToScheme: (scheme) => `Il renvoie au programme de cet ordinateur qui ouvre ${scheme}`,
  notVerified:
    "Lectern n’a pas vérifié ce programme. N’importe qui peut choisir ce nom : continuez seulement si vous avez lancé ce programme vous-même et si vous lui faites confiance.",
  ownCommand: "C’est le programme en ligne de commande de Lectern.",
  permissions: "Il pourra utiliser ces permissions :",
  neverMore:
    "Il ne peut jamais faire plus que vous. Vous pouvez mettre fin à son accès quand vous voulez dans vos réglages.",
  onlySite: (url) => `Son accès est limité au site ${url}.`,
  allow: "Autoriser",
  deny: "Annuler",
  signInAgain: "Se reconnecter",
  signInAgainHint: "Autoriser un programme exige une connexion dans les 10 dernières minutes.",
  confirmFactor: "Confirmer la connexion",
  returning: "Retour au programme",
  continueToProgram: "Continuer",
  expired: "La demande a expiré",
  expiredHint:
    "Recommencez dans le programme. La demande appartient pendant 15 minutes au navigateur qui l’a ouverte.",
  rejected: "Le programme a envoyé une demande non valide",
  deviceTitle: "Connecter un appareil",
  deviceHint: "Saisissez le code que votre appareil affiche.",
  deviceCode: "Code",
  next: "Continuer",
  deviceWarning: (code) =>
    `Continuez seulement si votre propre appareil affiche maintenant le code ${code}. Si quelqu’un vous a envoyé le code ou ce lien, annulez : cette personne accéderait à votre compte.`,
  deviceUnknown: "Le code est inconnu, a expiré ou a déjà été utilisé.",
  deviceTooMany: "Trop de codes. Attendez dix minutes, puis réessayez.",
  deviceAllowed: "L’appareil est connecté. Vous pouvez fermer cette page.",
  deviceDenied: "L’appareil n’est pas connecté. Vous pouvez fermer cette page.",
  kinds: {
    organization: "Organisations",
    member: "Membres",
    team: "Équipes",
    collection: "Collections",
    space: "Espaces",
    content: "Contenus",
    changeRequest: "Demandes de modification",
    comment: "Commentaires",
    site: "Sites",
    integration: "Intégrations",
    installation: "Installations d’intégrations"
  }
}

const es: ProgramTexts = {
  title: (program) => `Autorizar ${program}`,
  asks: (program, account) => `${program} pide actuar como ${account}.`,
  returnsTo: (host) => `Vuelve a ${host}.`,
  returnsToMachine: "Vuelve a un programa de este equipo.",
  returnsToScheme: (scheme) => `Vuelve al programa de este equipo que abre ${scheme}`,
  notVerified:
    "Lectern no ha verificado este programa. Cualquiera puede elegir este nombre: continúa solo si iniciaste el programa y confías en él.",
  ownCommand: "Es el programa de línea de comandos de Lectern.",
  permissions: "Podrá usar estos permisos:",
  neverMore: "Nunca puede hacer más que tú. Puedes terminar su acceso en cualquier momento en tus ajustes.",
  onlySite: (url) => `Su acceso se limita al sitio ${url}.`,
  allow: "Autorizar",
  deny: "Cancelar",
  signInAgain: "Volver a iniciar sesión",
  signInAgainHint: "Autorizar un programa requiere un inicio de sesión en los últimos 10 minutos.",
  confirmFactor: "Confirmar el inicio de sesión",
  returning: "Volviendo al programa",
  continueToProgram: "Continuar",
  expired: "La solicitud caducó",
  expiredHint:
    "Empieza de nuevo en el programa. La solicitud pertenece durante 15 minutos al navegador que la abrió.",
  rejected: "El programa envió una solicitud no válida",
  deviceTitle: "Conectar un dispositivo",
  deviceHint: "Escribe el código que muestra tu dispositivo.",
  deviceCode: "Código",
  next: "Continuar",
  deviceWarning: (code) =>
    `Continúa solo si tu propio dispositivo muestra ahora el código ${code}. Si alguien te envió el código o este enlace, cancela: esa persona tendría acceso a tu cuenta.`,
  deviceUnknown: "El código es desconocido, caducó o ya se usó.",
  deviceTooMany: "Demasiados códigos. Espera diez minutos e inténtalo de nuevo.",
  deviceAllowed: "El dispositivo está conectado. Puedes cerrar esta página.",
  deviceDenied: "El dispositivo no está conectado. Puedes cerrar esta página.",
  kinds: {
    organization: "Organizaciones",
    member: "Miembros",
    team: "Equipos",
    collection: "Colecciones",
    space: "Espacios",
    content: "Contenido",
    changeRequest: "Solicitudes de cambio",
    comment: "Comentarios",
    site: "Sitios",
    integration: "Integraciones",
    installation: "Instalaciones de integraciones"
  }
}

/** The wording of the pages on which people authorize programs, by language. */
export const programTexts: Readonly<Record<MailLanguage, ProgramTexts>> = { en, de, fr, es }
