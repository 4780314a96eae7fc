/** The manifest of the feature `users`. */
import { defineFeature } from "../../kernel/features/Feature.ts"
import { users } from "../../model/users/User.ts"
import { Users } from "./Users.ts"

/** The accounts of people. */
export const usersFeature = defineFeature("users", {
  tables: [users],
  userServices: { users: Users },
  layer: Users.layer
})
