/** Handlers of the operations on accounts. */

import { UsersApi } from "@lectern/client"
import { Users } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The operations on accounts, implemented. */
export const users = Effect.map(Users, (users) =>
  implement(UsersApi, {
    getAuthenticatedUser: () => users.me(),
    getUserById: ({ params }) => users.get(params.userId),
    updateUserById: ({ params, payload }) => users.update(params.userId, payload)
  })
)
