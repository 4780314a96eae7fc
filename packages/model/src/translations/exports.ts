export { PutTranslation, Translation, TranslationId } from "./Translation.ts"
