/** The manifest of the feature `users`. */

import { defineFeature } from "../../kernel/features/Feature.ts"
import { users } from "../../model/users/User.ts"
import { userEvents } from "../../model/users/userResources.ts"
import { Users } from "./Users.ts"

/** Users: their accounts, which exist in no organization or in several. */
export const usersFeature = defineFeature("users", {
  tables: [users],
  events: [userEvents],
  userServices: { users: Users },
  layer: Users.layer
})
