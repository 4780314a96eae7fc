import { UsersApi } from "@lectern/client"
import { OwnAccount, Users } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for accounts. */
export const users = Effect.map(Effect.zip(Users, OwnAccount), ([users, account]) =>
  implement(UsersApi, {
    exportOwnData: serve(account.exportData, () => ({})),
    getAuthenticatedUser: serve(users.getCurrent, () => ({})),
    getUserById: users.get,
    updateUserById: users.update
  })
)
