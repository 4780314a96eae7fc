import { glossary } from "./glossary.ts"
import { translations } from "./translations.ts"

export const translationsHandlers = { translations, glossary }
