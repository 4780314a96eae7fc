/** The strings of deleting an organization. */
import { defineStrings } from "../../strings/strings.ts"

/** The strings of deleting an organization. */
export const removalStrings = defineStrings({
  en: {
    heading: "Delete",
    effects:
      "No member can use the organization from then on, its sites are no longer published, and its webhooks and synchronizations stop. Administrators can restore it for 30 days. After that, it is removed permanently, with its spaces, sites and history.",
    remove: "Delete the organization",
    title: "Delete {organization}",
    name: "Name of the organization",
    nameHint: "Type {organization} to confirm.",
    confirm: "Delete",
    removed: "“{organization}” is in the trash for 30 days",
    notRemoved: "“{organization}” was not deleted"
  },
  de: {
    heading: "Löschen",
    effects:
      "Danach kann niemand die Organisation verwenden, ihre Sites sind nicht mehr veröffentlicht, und ihre Webhooks und Synchronisierungen enden. Administratoren können sie 30 Tage lang wiederherstellen. Danach wird sie endgültig entfernt, mit ihren Bereichen, ihren Sites und ihrem Verlauf.",
    remove: "Organisation löschen",
    title: "{organization} löschen",
    name: "Name der Organisation",
    nameHint: "Zum Bestätigen {organization} eingeben.",
    confirm: "Löschen",
    removed: "„{organization}“ liegt 30 Tage im Papierkorb",
    notRemoved: "„{organization}“ wurde nicht gelöscht"
  },
  fr: {
    heading: "Supprimer",
    effects:
      "Ensuite, personne ne peut utiliser l’organisation, ses sites ne sont plus publiés, et ses webhooks et synchronisations s’arrêtent. Les administrateurs peuvent la restaurer pendant 30 jours. Après cela, elle est supprimée définitivement, avec ses espaces, ses sites et son historique.",
    remove: "Supprimer l’organisation",
    title: "Supprimer {organization}",
    name: "Nom de l’organisation",
    nameHint: "Saisir {organization} pour confirmer.",
    confirm: "Supprimer",
    removed: "« {organization} » reste 30 jours dans la corbeille",
    notRemoved: "« {organization} » n’a pas été supprimée"
  }
})
