/** What `@lectern/core/model` exports of translations. */
export { PutTranslation, Translation, TranslationId } from "./Translation.ts"
