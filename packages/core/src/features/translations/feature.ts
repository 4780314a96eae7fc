/** The manifest of the feature `translations`. */

import { defineFeature } from "../../kernel/features/Feature.ts"
import { translations } from "../../model/translations/Translation.ts"
import { translationEvents } from "../../model/translations/translationResources.ts"
import { Translations } from "./Translations.ts"

/** The translation settings of organizations. */
export const translationsFeature = defineFeature("translations", {
  tables: [translations],
  events: [translationEvents],
  userServices: { translations: Translations },
  layer: Translations.layer
})
