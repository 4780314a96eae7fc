/** What `@lectern/client` exports of translations. */
export { TranslationsApi } from "./TranslationsApi.ts"
