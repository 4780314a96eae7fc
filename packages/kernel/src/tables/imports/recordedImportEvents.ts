/** The events that are recorded from changed rows. */

import { ImportRunEventData } from "@lectern/model/imports"
import { resourceEvents } from "../../storage/ResourceEvents.ts"
import { importRuns } from "./importRunTable.ts"

/** The events of import runs, without their URL, which can contain credentials. */
export const importRunEvents = resourceEvents(
  "importRun",
  "An import, without its URL. Its progress changes without events.",
  importRuns,
  { data: ImportRunEventData }
)
