import { translations } from "./translations.ts"

export const translationsHandlers = { translations }
