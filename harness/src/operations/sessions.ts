/** The operations on sessions. */
import type { SessionsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const sessions = {
  listSessions: { serves: "Sessions.list", rule: "anybody", statements: 3 },
  signOutEverywhere: { serves: "Sessions.signOutEverywhere", rule: "anybody", statements: 4 },
  // The requests have a token, which has no session to end.
  signOut: { serves: "Sessions.signOut", rule: "anybody", statements: 3 },
  revokeSession: { serves: "Sessions.revoke", rule: "token.own", statements: 5, repeated: "404" }
} satisfies RowsOf<typeof SessionsApi>
