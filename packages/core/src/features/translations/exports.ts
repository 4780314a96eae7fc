export { Glossary } from "./Glossary.ts"
export { Translations } from "./Translations.ts"
