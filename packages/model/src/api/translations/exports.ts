export { GlossaryApi } from "./GlossaryApi.ts"
export { TranslationsApi } from "./TranslationsApi.ts"
