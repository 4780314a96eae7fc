import { defineFeature } from "@lectern/kernel"
import { userEvents, users } from "@lectern/kernel/tables"
import { Layer } from "effect"
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
