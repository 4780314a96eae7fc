/** The events that are recorded from changed rows. */

import { GlossaryEntryEventData, TranslationEventData } from "@lectern/model/translations"
import { resourceEvents } from "../../storage/ResourceEvents.ts"
import { glossaryEntries } from "./glossaryTable.ts"
import { translations } from "./translationTable.ts"

/** The events of translation settings. */
export const translationEvents = resourceEvents("translation", "Translation settings.", translations, {
  data: TranslationEventData
})

/** The events of entries of glossaries. */
export const glossaryEntryEvents = resourceEvents(
  "glossaryEntry",
  "An entry of the glossary of an organization.",
  glossaryEntries,
  { data: GlossaryEntryEventData }
)
