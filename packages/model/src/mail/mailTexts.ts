/** The wording of e-mails, by language. */

/** The wording of an e-mail, before its values are inserted. */
export interface MailText {
  /** The subject. */
  readonly subject: string
  /** The paragraphs above the link. */
  readonly paragraphs: ReadonlyArray<string>
  /** The text of the link. */
  readonly action: string
  /** The paragraph below the link. */
  readonly footnote: string
}

/** The values of every e-mail. */
export interface MailValues {
  /** The URL that the e-mail is about. */
  readonly url: string
  /** The host name of the server. */
  readonly host: string
  /** The title of the organization; empty if the mail is about none. */
  readonly organization: string
  /** The name of the user who caused the mail; empty if the recipient did. */
  readonly inviter: string
}

/** The e-mails that Lectern sends. */
export type MailTemplate = "signIn" | "invitation" | "notifications"

type Texts = Readonly<Record<MailTemplate, (values: MailValues) => MailText>>

const en: Texts = {
  signIn: ({ host }) => ({
    subject: `Sign in to ${host}`,
    paragraphs: [`Someone requested a link to sign in to ${host} with this e-mail address.`],
    action: "Sign in",
    footnote: "The link works once, within 15 minutes. If you did not request it, ignore this e-mail."
  }),
  invitation: ({ host, organization, inviter }) => ({
    subject: `${inviter} invites you to ${organization}`,
    paragraphs: [`${inviter} has added you to the organization ${organization} on ${host}.`],
    action: "Accept the invitation",
    footnote: "The link works once, within 7 days. If you did not expect the invitation, ignore this e-mail."
  }),
  notifications: ({ host, organization }) => ({
    subject: `News from ${organization}`,
    paragraphs: [`This happened in ${organization} on ${host}, and you have not read it yet:`],
    action: "Open all notifications",
    footnote:
      "You receive this e-mail because of your notification settings. With this link you receive no more:"
  })
}

const de: Texts = {
  signIn: ({ host }) => ({
    subject: `Bei ${host} anmelden`,
    paragraphs: [`Für diese E-Mail-Adresse wurde ein Link zur Anmeldung bei ${host} angefordert.`],
    action: "Anmelden",
    footnote:
      "Der Link funktioniert einmal, innerhalb von 15 Minuten. Falls du ihn nicht angefordert hast, ignoriere diese E-Mail."
  }),
  invitation: ({ host, organization, inviter }) => ({
    subject: `${inviter} lädt dich zu ${organization} ein`,
    paragraphs: [`${inviter} hat dich zur Organisation ${organization} auf ${host} hinzugefügt.`],
    action: "Einladung annehmen",
    footnote:
      "Der Link funktioniert einmal, innerhalb von 7 Tagen. Falls du die Einladung nicht erwartest, ignoriere diese E-Mail."
  }),
  notifications: ({ host, organization }) => ({
    subject: `Neues aus ${organization}`,
    paragraphs: [`Das ist in ${organization} auf ${host} passiert, und du hast es noch nicht gelesen:`],
    action: "Alle Benachrichtigungen öffnen",
    footnote:
      "Du erhältst diese E-Mail wegen deiner Einstellungen für Benachrichtigungen. Mit diesem Link erhältst du keine weiteren:"
  })
}

const fr: Texts = {
  signIn: ({ host }) => ({
    subject: `Se connecter à ${host}`,
    paragraphs: [`Un lien de connexion à ${host} a été demandé pour cette adresse e-mail.`],
    action: "Se connecter",
    footnote:
      "Le lien fonctionne une seule fois, pendant 15 minutes. Si vous ne l’avez pas demandé, ignorez cet e-mail."
  }),
  invitation: ({ host, organization, inviter }) => ({
    subject: `${inviter} vous invite à rejoindre ${organization}`,
    paragraphs: [`${inviter} vous a ajouté à l’organisation ${organization} sur ${host}.`],
    action: "Accepter l’invitation",
    footnote:
      "Le lien fonctionne une seule fois, pendant 7 jours. Si vous n’attendiez pas cette invitation, ignorez cet e-mail."
  }),
  notifications: ({ host, organization }) => ({
    subject: `Nouveautés de ${organization}`,
    paragraphs: [`Ceci s’est passé dans ${organization} sur ${host}, et vous ne l’avez pas encore lu :`],
    action: "Ouvrir toutes les notifications",
    footnote:
      "Vous recevez cet e-mail en raison de vos paramètres de notification. Avec ce lien, vous n’en recevrez plus :"
  })
}

const es: Texts = {
  signIn: ({ host }) => ({
    subject: `Iniciar sesión en ${host}`,
    paragraphs: [`Se solicitó un enlace para iniciar sesión en ${host} con esta dirección de correo.`],
    action: "Iniciar sesión",
    footnote: "El enlace funciona una vez, durante 15 minutos. Si no lo solicitaste, ignora este correo."
  }),
  invitation: ({ host, organization, inviter }) => ({
    subject: `${inviter} te invita a ${organization}`,
    paragraphs: [`${inviter} te agregó a la organización ${organization} en ${host}.`],
    action: "Aceptar la invitación",
    footnote: "El enlace funciona una vez, durante 7 días. Si no esperabas la invitación, ignora este correo."
  }),
  notifications: ({ host, organization }) => ({
    subject: `Novedades de ${organization}`,
    paragraphs: [`Esto ocurrió en ${organization} en ${host}, y aún no lo has leído:`],
    action: "Abrir todas las notificaciones",
    footnote: "Recibes este correo por tus ajustes de notificaciones. Con este enlace no recibirás más:"
  })
}

/** The languages of e-mails and of the pages for signing in. */
export const mailLanguages = ["en", "de", "fr", "es"] as const

/** A language of e-mails. */
export type MailLanguage = (typeof mailLanguages)[number]

/** The wording of e-mails by language. */
export const mailTexts: Readonly<Record<MailLanguage, Texts>> = { en, de, fr, es }

/** Returns the first supported language of an `Accept-Language` header; English without one. */
export const languageOf = (acceptLanguage: string | undefined): MailLanguage => {
  const ranges = (acceptLanguage ?? "")
    .slice(0, 500)
    .split(",")
    .map((range, position) => {
      const [tag = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
      const quality = Number(parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? 1)
      return { language: tag.split("-")[0]!, quality: quality >= 0 ? quality : 0, position }
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality || one.position - other.position)
  const found = ranges.find(({ language }) => (mailLanguages as ReadonlyArray<string>).includes(language))
  return (found?.language ?? "en") as MailLanguage
}
