/** The wording of the page that ends e-mails, by language. */
import type { MailLanguage } from "@lectern/core"

/** The wording of the page that ends e-mails. */
export interface UnsubscribeTexts {
  readonly title: string
  readonly hint: string
  readonly confirm: string
  readonly done: string
  readonly invalid: string
}

/** The wording of the page that ends e-mails, by language. */
export const unsubscribeTexts: Readonly<Record<MailLanguage, UnsubscribeTexts>> = {
  en: {
    title: "E-mails about notifications",
    hint: "You will receive no more e-mails about notifications of this organization. They remain in the list of the application.",
    confirm: "Send no more e-mails",
    done: "You receive no more e-mails about notifications of this organization.",
    invalid: "The link does not work: it is incomplete, or you are no longer a member of the organization."
  },
  de: {
    title: "E-Mails zu Benachrichtigungen",
    hint: "Du erhältst keine E-Mails zu Benachrichtigungen dieser Organisation mehr. In der Liste der Anwendung bleiben sie.",
    confirm: "Keine E-Mails mehr senden",
    done: "Du erhältst keine E-Mails zu Benachrichtigungen dieser Organisation mehr.",
    invalid:
      "Der Link funktioniert nicht: Er ist unvollständig, oder du bist kein Mitglied der Organisation mehr."
  },
  fr: {
    title: "E-mails de notification",
    hint: "Vous ne recevrez plus d’e-mails sur les notifications de cette organisation. Elles restent dans la liste de l’application.",
    confirm: "Ne plus envoyer d’e-mails",
    done: "Vous ne recevez plus d’e-mails sur les notifications de cette organisation.",
    invalid: "Le lien ne fonctionne pas : il est incomplet, ou vous n’êtes plus membre de l’organisation."
  },
  es: {
    title: "Correos de notificaciones",
    hint: "No recibirás más correos sobre las notificaciones de esta organización. Siguen en la lista de la aplicación.",
    confirm: "No enviar más correos",
    done: "No recibes más correos sobre las notificaciones de esta organización.",
    invalid: "El enlace no funciona: está incompleto, o ya no eres miembro de la organización."
  }
}
