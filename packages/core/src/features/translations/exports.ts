export { Translations } from "./Translations.ts"
