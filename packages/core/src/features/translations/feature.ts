import { Layer } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { glossaryEntries } from "../../tables/translations/glossaryTable.ts"
import {
  glossaryEntryEvents,
  translationEvents
} from "../../tables/translations/recordedTranslationEvents.ts"
import { translations } from "../../tables/translations/translationTable.ts"
import { Glossary } from "./Glossary.ts"
import { Translations } from "./Translations.ts"

/** The translation settings and the glossaries of organizations. */
export const translationsFeature = defineFeature("translations", {
  tables: [translations, glossaryEntries],
  events: [translationEvents, glossaryEntryEvents],
  userServices: { translations: Translations, glossary: Glossary },
  layer: Layer.mergeAll(Translations.layer, Glossary.layer)
})
