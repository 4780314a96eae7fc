/** The operations on users. */
import type { UsersApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const users = {
  getAuthenticatedUser: { serves: "Users.getCurrent", rule: "anybody" },
  exportOwnData: { serves: "OwnAccount.exportData", rule: "anybody" },
  getUserById: { serves: "Users.get", rule: "user.view" },
  updateUserById: {
    serves: "Users.update",
    rule: "user.change",
    body: () => ({ displayName: "Bob" }),
    full: ({ owner }) => ({ params: { userId: owner.id } })
  }
} satisfies RowsOf<typeof UsersApi>
