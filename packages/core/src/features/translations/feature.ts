import { defineFeature } from "@lectern/kernel"
import { translationEvents, translations } from "@lectern/kernel/tables"
import { Translations } from "./Translations.ts"

/** The translation settings of organizations. */
export const translationsFeature = defineFeature("translations", {
  tables: [translations],
  events: [translationEvents],
  userServices: { translations: Translations },
  layer: Translations.layer
})
