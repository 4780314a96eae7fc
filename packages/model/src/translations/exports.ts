export {
  GlossaryEntry,
  GlossaryEntryId,
  GlossaryOperation,
  GlossaryTranslations,
  UpdateGlossary
} from "./Glossary.ts"
export { PutTranslation, Translation, TranslationId } from "./Translation.ts"
