export {
  type TranslatedPageRow,
  type TranslatedText,
  type TranslationProgress,
  type TranslationRow,
  type TranslationRunRow,
  translatedPages,
  translationRuns,
  translations,
  type UntranslatedText
} from "@lectern/kernel/tables"
export { Glossary } from "./Glossary.ts"
export { Translations } from "./Translations.ts"
export {
  makeTranslationRunEnds,
  type TranslationRunEnd,
  type TranslationRunEnds
} from "./translationRunEnds.ts"
