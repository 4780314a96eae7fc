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
    edit: "Edit",
    cancel: "Cancel"
  },
  de: {
    title: "Wo möchten Sie bearbeiten?",
    label: "Sie haben Änderungsanträge, die nicht zusammengeführt sind.",
    new: "In einem neuen Änderungsantrag",
    continue: "#{number} „{subject}“ fortsetzen",
    unnamed: "#{number} fortsetzen",
    edit: "Bearbeiten",
    cancel: "Abbrechen"
  },
  fr: {
    title: "Où voulez-vous modifier ?",
    label: "Vous avez des demandes de modification qui ne sont pas fusionnées.",
    new: "Dans une nouvelle demande",
    continue: "Continuer #{number} « {subject} »",
    unnamed: "Continuer #{number}",
    edit: "Modifier",
    cancel: "Annuler"
  }
})
