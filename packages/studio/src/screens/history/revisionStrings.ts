/** The names of revisions, by their changes. */
import { defineStrings } from "../../strings/strings.ts"

/** The names of revisions, by the type of their most significant change. `count` is the number of all changes. */
export const revisionStrings = defineStrings({
  en: {
    empty: "Space created",
    page_created: {
      one: "Page “{title}” created",
      other: "Page “{title}” created, {count} changes in all"
    },
    page_deleted: {
      one: "Page “{title}” deleted",
      other: "Page “{title}” deleted, {count} changes in all"
    },
    page_moved: { one: "Page “{title}” moved", other: "Page “{title}” moved, {count} changes in all" },
    page_edited: { one: "Page “{title}” edited", other: "Page “{title}” edited, {count} changes in all" },
    reusable_content_created: {
      one: "Reusable content “{title}” created",
      other: "Reusable content “{title}” created, {count} changes in all"
    },
    reusable_content_deleted: {
      one: "Reusable content “{title}” deleted",
      other: "Reusable content “{title}” deleted, {count} changes in all"
    },
    reusable_content_edited: {
      one: "Reusable content “{title}” edited",
      other: "Reusable content “{title}” edited, {count} changes in all"
    },
    file_created: { one: "File “{title}” added", other: "File “{title}” added, {count} changes in all" },
    file_deleted: { one: "File “{title}” deleted", other: "File “{title}” deleted, {count} changes in all" },
    file_edited: { one: "File “{title}” changed", other: "File “{title}” changed, {count} changes in all" },
    restored: { one: "“{title}” restored", other: "“{title}” restored, {count} changes in all" }
  },
  de: {
    empty: "Bereich angelegt",
    page_created: {
      one: "Seite „{title}“ angelegt",
      other: "Seite „{title}“ angelegt, insgesamt {count} Änderungen"
    },
    page_deleted: {
      one: "Seite „{title}“ gelöscht",
      other: "Seite „{title}“ gelöscht, insgesamt {count} Änderungen"
    },
    page_moved: {
      one: "Seite „{title}“ verschoben",
      other: "Seite „{title}“ verschoben, insgesamt {count} Änderungen"
    },
    page_edited: {
      one: "Seite „{title}“ bearbeitet",
      other: "Seite „{title}“ bearbeitet, insgesamt {count} Änderungen"
    },
    reusable_content_created: {
      one: "Baustein „{title}“ angelegt",
      other: "Baustein „{title}“ angelegt, insgesamt {count} Änderungen"
    },
    reusable_content_deleted: {
      one: "Baustein „{title}“ gelöscht",
      other: "Baustein „{title}“ gelöscht, insgesamt {count} Änderungen"
    },
    reusable_content_edited: {
      one: "Baustein „{title}“ bearbeitet",
      other: "Baustein „{title}“ bearbeitet, insgesamt {count} Änderungen"
    },
    file_created: {
      one: "Datei „{title}“ hinzugefügt",
      other: "Datei „{title}“ hinzugefügt, insgesamt {count} Änderungen"
    },
    file_deleted: {
      one: "Datei „{title}“ gelöscht",
      other: "Datei „{title}“ gelöscht, insgesamt {count} Änderungen"
    },
    file_edited: {
      one: "Datei „{title}“ geändert",
      other: "Datei „{title}“ geändert, insgesamt {count} Änderungen"
    },
    restored: {
      one: "„{title}“ wiederhergestellt",
      other: "„{title}“ wiederhergestellt, insgesamt {count} Änderungen"
    }
  },
  fr: {
    empty: "Espace créé",
    page_created: {
      one: "Page « {title} » créée",
      other: "Page « {title} » créée, {count} modifications en tout"
    },
    page_deleted: {
      one: "Page « {title} » supprimée",
      other: "Page « {title} » supprimée, {count} modifications en tout"
    },
    page_moved: {
      one: "Page « {title} » déplacée",
      other: "Page « {title} » déplacée, {count} modifications en tout"
    },
    page_edited: {
      one: "Page « {title} » modifiée",
      other: "Page « {title} » modifiée, {count} modifications en tout"
    },
    reusable_content_created: {
      one: "Contenu réutilisable « {title} » créé",
      other: "Contenu réutilisable « {title} » créé, {count} modifications en tout"
    },
    reusable_content_deleted: {
      one: "Contenu réutilisable « {title} » supprimé",
      other: "Contenu réutilisable « {title} » supprimé, {count} modifications en tout"
    },
    reusable_content_edited: {
      one: "Contenu réutilisable « {title} » modifié",
      other: "Contenu réutilisable « {title} » modifié, {count} modifications en tout"
    },
    file_created: {
      one: "Fichier « {title} » ajouté",
      other: "Fichier « {title} » ajouté, {count} modifications en tout"
    },
    file_deleted: {
      one: "Fichier « {title} » supprimé",
      other: "Fichier « {title} » supprimé, {count} modifications en tout"
    },
    file_edited: {
      one: "Fichier « {title} » modifié",
      other: "Fichier « {title} » modifié, {count} modifications en tout"
    },
    restored: {
      one: "« {title} » restauré",
      other: "« {title} » restauré, {count} modifications en tout"
    }
  }
})
