/** The events that are recorded from changed rows. */

import { UserEventData } from "@lectern/model/users"
import { resourceEvents } from "../../storage/ResourceEvents.ts"
import { users } from "./userTable.ts"

/** The events of user accounts, which belong to no organization. */
export const userEvents = resourceEvents(
  "user",
  "A user account. Only the host receives its events.",
  users,
  {
    data: UserEventData
  }
)
