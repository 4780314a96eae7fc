import { defineFeature, housekeepingJob } from "@lectern/kernel"
import {
  glossaryEntries,
  glossaryEntryEvents,
  translatedPages,
  translationEvents,
  translationRuns,
  translations
} from "@lectern/kernel/tables"
import { Effect, Layer } from "effect"
import { Glossary } from "./Glossary.ts"
import { Translations } from "./Translations.ts"
import { makeTranslationRunEnds } from "./translationRunEnds.ts"

/** The translation settings and the glossaries of organizations. */
export const translationsFeature = defineFeature("translations", {
  tables: [translations, glossaryEntries, translationRuns, translatedPages],
  events: [translationEvents, glossaryEntryEvents],
  userServices: { translations: Translations, glossary: Glossary },
  layer: Layer.mergeAll(Translations.layer, Glossary.layer),
  jobs: Effect.map(makeTranslationRunEnds, ({ endInterrupted }) => [
    housekeepingJob("translations.endInterrupted", "1 minute", endInterrupted())
  ])
})
