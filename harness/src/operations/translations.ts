/** The operations on translation settings. */
import type { TranslationsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const translations = {
  listTranslations: { serves: "Translations.list", rule: "organization.listTranslations", statements: 5 },
  createTranslation: {
    serves: "Translations.create",
    rule: "organization.create",
    statements: 6,
    repeated: "another",
    body: () => ({ title: "New" })
  },
  getTranslation: { serves: "Translations.get", rule: "organization.listTranslations", statements: 4 },
  updateTranslation: {
    serves: "Translations.update",
    rule: "organization.create",
    statements: 8,
    body: () => ({ title: "New" })
  },
  deleteTranslation: {
    serves: "Translations.remove",
    rule: "organization.create",
    statements: 8,
    repeated: "404"
  }
} satisfies RowsOf<typeof TranslationsApi>
