/** The operations on translation settings and on glossaries. */
import type { GlossaryApi, TranslationsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const translations = {
  listTranslations: { serves: "Translations.list", rule: "organization.listTranslations" },
  createTranslation: {
    serves: "Translations.create",
    rule: "organization.create",
    repeated: "another",
    body: () => ({ title: "New" })
  },
  getTranslation: { serves: "Translations.get", rule: "organization.listTranslations" },
  updateTranslation: {
    serves: "Translations.update",
    rule: "organization.create",
    body: () => ({ title: "New" })
  },
  deleteTranslation: {
    serves: "Translations.remove",
    rule: "organization.create",
    repeated: "404"
  }
} satisfies RowsOf<typeof TranslationsApi>

export const glossary = {
  listGlossaryEntries: { serves: "Glossary.list", rule: "organization.listTranslations" },
  updateGlossaryEntries: {
    serves: "Glossary.update",
    rule: "organization.create",
    repeated: "another",
    body: () => ({ operations: [{ type: "insert", translations: { en: "space", fr: "espace" } }] })
  },
  getGlossaryEntry: { serves: "Glossary.get", rule: "organization.listTranslations" }
} satisfies RowsOf<typeof GlossaryApi>
