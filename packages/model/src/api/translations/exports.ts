export { TranslationsApi } from "./TranslationsApi.ts"
