export {
  GlossaryEntry,
  GlossaryEntryId,
  GlossaryOperation,
  GlossaryTranslations,
  UpdateGlossary
} from "./Glossary.ts"
export {
  CreateTranslation,
  languageName,
  Translation,
  TranslationId,
  TranslationLanguage,
  type TranslationOutcome,
  type TranslationPlan,
  TranslationResult,
  TranslationSource,
  TranslationStats,
  TranslationStatus,
  UpdateTranslation
} from "./Translation.ts"
