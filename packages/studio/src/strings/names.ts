/** The names of areas, which the frame and other areas display before these areas are loaded. */
import { defineStrings } from "./strings.ts"

/** The names of the screens for administrators. */
export const administrationNames = defineStrings({
  en: {
    organization: "Organization",
    openMembers: "Open the members",
    openTokens: "Open your API tokens",
    openAudit: "Open the audit log",
    people: "People with access",
    import: "Import",
    sync: "Git synchronization",
    export: "Export",
    manage: "Manage"
  },
  de: {
    organization: "Organisation",
    openMembers: "Mitglieder öffnen",
    openTokens: "Eigene API-Token öffnen",
    openAudit: "Audit-Protokoll öffnen",
    people: "Personen mit Zugriff",
    import: "Importieren",
    sync: "Git-Synchronisierung",
    export: "Exportieren",
    manage: "Verwalten"
  },
  fr: {
    organization: "Organisation",
    openMembers: "Ouvrir les membres",
    openTokens: "Ouvrir vos jetons d’API",
    openAudit: "Ouvrir le journal d’audit",
    people: "Personnes ayant accès",
    import: "Importer",
    sync: "Synchronisation Git",
    export: "Exporter",
    manage: "Gérer"
  }
})

/** The names of the area of sites. */
export const siteNames = defineStrings({
  en: { sites: "Sites", openSites: "Open the sites" },
  de: { sites: "Websites", openSites: "Websites öffnen" },
  fr: { sites: "Sites", openSites: "Ouvrir les sites" }
})

/** The names of the area of API specifications. */
export const specNames = defineStrings({
  en: { specs: "API specifications", openSpecs: "Open the API specifications" },
  de: { specs: "API-Spezifikationen", openSpecs: "API-Spezifikationen öffnen" },
  fr: { specs: "Spécifications d’API", openSpecs: "Ouvrir les spécifications d’API" }
})
