/** The operations on translation settings. */
import type { TranslationsApi } from "@lectern/client"
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
