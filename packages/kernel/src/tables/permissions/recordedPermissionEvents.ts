/** The events that are recorded from changed rows. */

import { PermissionEventData } from "@lectern/model/permissions"
import { resourceEvents } from "../../storage/ResourceEvents.ts"
import { grants } from "./permissionTable.ts"

/** The events of permissions. */
export const permissionEvents = resourceEvents(
  "permission",
  "The role of a user or a team on a space, a collection or a site.",
  grants,
  {
    data: PermissionEventData
  }
)
