/** The names of the areas for administrators, which the frame displays before these areas are loaded. */
import { defineStrings } from "../strings/strings.ts"

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
    export: "Export"
  },
  de: {
    organization: "Organisation",
    openMembers: "Mitglieder öffnen",
    openTokens: "Eigene API-Token öffnen",
    openAudit: "Audit-Protokoll öffnen",
    people: "Personen mit Zugriff",
    import: "Importieren",
    sync: "Git-Synchronisierung",
    export: "Exportieren"
  },
  fr: {
    organization: "Organisation",
    openMembers: "Ouvrir les membres",
    openTokens: "Ouvrir vos jetons d’API",
    openAudit: "Ouvrir le journal d’audit",
    people: "Personnes ayant accès",
    import: "Importer",
    sync: "Synchronisation Git",
    export: "Exporter"
  }
})
