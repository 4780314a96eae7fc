import { TranslationsApi } from "./TranslationsApi.ts"

export const groups: readonly [typeof TranslationsApi] = [TranslationsApi]
