/** The strings of the choice of a change request. */
import { defineStrings } from "../strings/strings.ts"

/** The strings of the choice of a change request. */
export const choiceStrings = defineStrings({
  en: {
    title: "Where do you want to edit?",
    label: "You have change requests that are not merged.",
    new: "In a new change request",
    continue: "Continue #{number} “{subject}”",
    unnamed: "Continue #{number}",
    inReview: "Continue #{number} “{subject}”, which is in review",
    missingTitle: "The page is not in #{number}",
    newerPage: "The page is newer than change request #{number}.",
    deletedPage: "Change request #{number} deletes the page.",
    update: "Update #{number} from the space, and edit the page there",
    updateConflicts: "#{number} was not updated: it has conflicts with the space",
    edit: "Edit",
    cancel: "Cancel"
  },
  de: {
    title: "Wo möchten Sie bearbeiten?",
    label: "Sie haben Änderungsanträge, die nicht zusammengeführt sind.",
    new: "In einem neuen Änderungsantrag",
    continue: "#{number} „{subject}“ fortsetzen",
    unnamed: "#{number} fortsetzen",
    inReview: "#{number} „{subject}“ fortsetzen, der in Prüfung ist",
    missingTitle: "Die Seite fehlt in #{number}",
    newerPage: "Die Seite ist neuer als der Änderungsantrag #{number}.",
    deletedPage: "Der Änderungsantrag #{number} löscht die Seite.",
    update: "#{number} aus dem Bereich aktualisieren und die Seite dort bearbeiten",
    updateConflicts: "#{number} wurde nicht aktualisiert: Es gibt Konflikte mit dem Bereich",
    edit: "Bearbeiten",
    cancel: "Abbrechen"
  },
  fr: {
    title: "Où voulez-vous modifier ?",
    label: "Vous avez des demandes de modification qui ne sont pas fusionnées.",
    new: "Dans une nouvelle demande",
    continue: "Continuer #{number} « {subject} »",
    unnamed: "Continuer #{number}",
    inReview: "Continuer #{number} « {subject} », en cours de relecture",
    missingTitle: "La page n’est pas dans #{number}",
    newerPage: "La page est plus récente que la demande de modification #{number}.",
    deletedPage: "La demande de modification #{number} supprime la page.",
    update: "Mettre à jour #{number} depuis l’espace et y modifier la page",
    updateConflicts: "#{number} n’a pas été mise à jour : elle est en conflit avec l’espace",
    edit: "Modifier",
    cancel: "Annuler"
  }
})
