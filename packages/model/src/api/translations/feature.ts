/** The endpoints of translations. */
import { TranslationsApi } from "./TranslationsApi.ts"

/** The groups of endpoints of translations, in the order of the OpenAPI document. */
export const groups: readonly [typeof TranslationsApi] = [TranslationsApi]
