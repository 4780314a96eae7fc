import { defineFeature } from "@lectern/kernel"
import {
  glossaryEntries,
  glossaryEntryEvents,
  translatedPages,
  translationEvents,
  translationRuns,
  translations
} from "@lectern/kernel/tables"
import { Layer } from "effect"
import { Glossary } from "./Glossary.ts"
import { Translations } from "./Translations.ts"

/** The translation settings and the glossaries of organizations. */
export const translationsFeature = defineFeature("translations", {
  tables: [translations, glossaryEntries, translationRuns, translatedPages],
  events: [translationEvents, glossaryEntryEvents],
  userServices: { translations: Translations, glossary: Glossary },
  layer: Layer.mergeAll(Translations.layer, Glossary.layer)
})
