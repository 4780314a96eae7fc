/** The public names of translations in `@lectern/core`, besides the model. */
export { Translations } from "./Translations.ts"
