import { defineFeature } from "../../kernel/features/Feature.ts"
import { translationEvents } from "../../tables/translations/recordedTranslationEvents.ts"
import { translations } from "../../tables/translations/translationTable.ts"
import { Translations } from "./Translations.ts"

/** The translation settings of organizations. */
export const translationsFeature = defineFeature("translations", {
  tables: [translations],
  events: [translationEvents],
  userServices: { translations: Translations },
  layer: Translations.layer
})
