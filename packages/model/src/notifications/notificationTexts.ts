/** The wording of notifications in e-mails, by language. */

import type { MailLanguage } from "../mail/mailTexts.ts"
import type { Notification, NotificationKind } from "./Notification.ts"

/** The values of a sentence. */
interface SentenceValues {
  /** The name of the user who caused it. */
  readonly actor: string
  /** The change request, or else the space. */
  readonly about: string
}

type Sentences = Readonly<Record<NotificationKind, (values: SentenceValues) => string>>

interface Texts {
  readonly sentences: Sentences
  /** The name of an actor who is unknown, because a background job acted. */
  readonly somebody: string
}

const en: Texts = {
  somebody: "Somebody",
  sentences: {
    mention: ({ actor, about }) => `${actor} mentioned you: ${about}`,
    reply: ({ actor, about }) => `${actor} replied: ${about}`,
    comment: ({ actor, about }) => `${actor} commented: ${about}`,
    reviewRequested: ({ actor, about }) => `${actor} requests your review: ${about}`,
    review: ({ actor, about }) => `${actor} reviewed: ${about}`,
    merged: ({ actor, about }) => `${actor} merged: ${about}`,
    conflict: ({ about }) => `A merge conflicts with a change request: ${about}`,
    added: ({ actor }) => `${actor} added you to the organization.`,
    importFailed: ({ about }) => `An import has failed: ${about}`,
    synchronizationFailed: ({ about }) => `The Git synchronization has failed: ${about}`,
    webhookDisabled: ({ actor }) => `${actor} disabled a webhook that you created.`
  }
}

const de: Texts = {
  somebody: "Jemand",
  sentences: {
    mention: ({ actor, about }) => `${actor} hat dich erwähnt: ${about}`,
    reply: ({ actor, about }) => `${actor} hat geantwortet: ${about}`,
    comment: ({ actor, about }) => `${actor} hat kommentiert: ${about}`,
    reviewRequested: ({ actor, about }) => `${actor} bittet dich um ein Review: ${about}`,
    review: ({ actor, about }) => `${actor} hat ein Review abgegeben: ${about}`,
    merged: ({ actor, about }) => `${actor} hat zusammengeführt: ${about}`,
    conflict: ({ about }) => `Eine Zusammenführung steht im Konflikt mit einer Änderungsanfrage: ${about}`,
    added: ({ actor }) => `${actor} hat dich zur Organisation hinzugefügt.`,
    importFailed: ({ about }) => `Ein Import ist fehlgeschlagen: ${about}`,
    synchronizationFailed: ({ about }) => `Die Git-Synchronisierung ist fehlgeschlagen: ${about}`,
    webhookDisabled: ({ actor }) => `${actor} hat einen Webhook deaktiviert, den du erstellt hast.`
  }
}

const fr: Texts = {
  somebody: "Quelqu’un",
  sentences: {
    mention: ({ actor, about }) => `${actor} vous a mentionné : ${about}`,
    reply: ({ actor, about }) => `${actor} a répondu : ${about}`,
    comment: ({ actor, about }) => `${actor} a commenté : ${about}`,
    reviewRequested: ({ actor, about }) => `${actor} demande votre relecture : ${about}`,
    review: ({ actor, about }) => `${actor} a relu : ${about}`,
    merged: ({ actor, about }) => `${actor} a fusionné : ${about}`,
    conflict: ({ about }) => `Une fusion est en conflit avec une demande de modification : ${about}`,
    added: ({ actor }) => `${actor} vous a ajouté à l’organisation.`,
    importFailed: ({ about }) => `Une importation a échoué : ${about}`,
    synchronizationFailed: ({ about }) => `La synchronisation Git a échoué : ${about}`,
    webhookDisabled: ({ actor }) => `${actor} a désactivé un webhook que vous avez créé.`
  }
}

const es: Texts = {
  somebody: "Alguien",
  sentences: {
    mention: ({ actor, about }) => `${actor} te mencionó: ${about}`,
    reply: ({ actor, about }) => `${actor} respondió: ${about}`,
    comment: ({ actor, about }) => `${actor} comentó: ${about}`,
    reviewRequested: ({ actor, about }) => `${actor} pide tu revisión: ${about}`,
    review: ({ actor, about }) => `${actor} revisó: ${about}`,
    merged: ({ actor, about }) => `${actor} fusionó: ${about}`,
    conflict: ({ about }) => `Una fusión está en conflicto con una solicitud de cambios: ${about}`,
    added: ({ actor }) => `${actor} te agregó a la organización.`,
    importFailed: ({ about }) => `Falló una importación: ${about}`,
    synchronizationFailed: ({ about }) => `Falló la sincronización con Git: ${about}`,
    webhookDisabled: ({ actor }) => `${actor} desactivó un webhook que creaste.`
  }
}

const textsOf: Readonly<Record<MailLanguage, Texts>> = { en, de, fr, es }

/** Returns the text that describes a notification in a language. */
export const notificationText = (
  language: MailLanguage,
  { kind, actor, changeRequest, space }: Notification
): string => {
  const { sentences, somebody } = textsOf[language]
  const about =
    changeRequest === undefined ? (space?.title ?? "") : `#${changeRequest.number} ${changeRequest.subject}`
  return sentences[kind]({ actor: actor?.displayName ?? somebody, about: about.trim() })
}
