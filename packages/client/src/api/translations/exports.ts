/** The public names of translations in `@lectern/client`. */
export { TranslationsApi } from "./TranslationsApi.ts"
