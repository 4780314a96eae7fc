/** The operations on users. */
import type { UsersApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const users = {
  getAuthenticatedUser: { serves: "Users.getCurrent", rule: "anybody", statements: 2 },
  exportOwnData: { serves: "OwnAccount.exportData", rule: "anybody", statements: 17 },
  getUserById: { serves: "Users.get", rule: "user.view", statements: 3 },
  updateUserById: {
    serves: "Users.update",
    rule: "user.change",
    statements: 8,
    body: () => ({ displayName: "Bob" }),
    full: ({ owner }) => ({ params: { userId: owner.id } })
  }
} satisfies RowsOf<typeof UsersApi>
