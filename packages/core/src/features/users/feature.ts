import { Layer } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { userEvents } from "../../tables/users/recordedUserEvents.ts"
import { users } from "../../tables/users/userTable.ts"
import { Accounts } from "./Accounts.ts"
import { OwnAccount } from "./OwnAccount.ts"
import { Users } from "./Users.ts"

/** Users: their accounts, which exist in no organization or in several. */
export const usersFeature = defineFeature("users", {
  uses: ["organizations", "sessions"],
  tables: [users],
  events: [userEvents],
  userServices: { users: Users, account: OwnAccount },
  layer: Layer.mergeAll(Users.layer, OwnAccount.layer, Accounts.layer)
})
