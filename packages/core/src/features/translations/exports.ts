/** What `@lectern/core` exports of translations, beside its model. */
export { Translations } from "./Translations.ts"
