/** The events that are recorded from changed rows. */

import { GitSyncEventData } from "@lectern/model/git"
import { resourceEvents } from "../../storage/ResourceEvents.ts"
import { gitSyncs } from "./gitSyncTable.ts"

/** The events of the Git synchronization of spaces, without URLs and credentials. */
export const gitSyncEvents = resourceEvents(
  "gitSync",
  "The Git synchronization of a space, without its URL and its credentials.",
  gitSyncs,
  { data: GitSyncEventData }
)
