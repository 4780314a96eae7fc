/** The handlers of the endpoints of translations. */
import { translations } from "./translations.ts"

/** The handlers of each group of endpoints of translations, by the name of the group. */
export const translationsHandlers = { translations }
