/** The public names of translations in `@lectern/model/api`. */
export { TranslationsApi } from "./TranslationsApi.ts"
