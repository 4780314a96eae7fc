import { GlossaryApi } from "./GlossaryApi.ts"
import { TranslationsApi } from "./TranslationsApi.ts"

export const groups: readonly [typeof TranslationsApi, typeof GlossaryApi] = [TranslationsApi, GlossaryApi]
