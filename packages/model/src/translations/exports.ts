/** The public names of translations in `@lectern/model`. */
export { PutTranslation, Translation, TranslationId } from "./Translation.ts"
