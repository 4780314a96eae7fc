/** The public names of translations in `@lectern/core/model`. */
export { PutTranslation, Translation, TranslationId } from "./Translation.ts"
