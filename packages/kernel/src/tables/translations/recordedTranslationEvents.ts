/** The events that are recorded from changed rows. */

import { TranslationEventData } from "@lectern/model/translations"
import { resourceEvents } from "../../storage/ResourceEvents.ts"
import { translations } from "./translationTable.ts"

/** The events of translation settings. */
export const translationEvents = resourceEvents("translation", "Translation settings.", translations, {
  data: TranslationEventData
})
