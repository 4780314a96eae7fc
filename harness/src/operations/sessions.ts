/** The operations on sessions. */
import type { SessionsApi } from "@lectern/client"
import type { RowsOf } from "./OperationRow.ts"

export const sessions = {
  listSessions: { serves: "Sessions.list", rule: "anybody" },
  signOutEverywhere: { serves: "Sessions.signOutEverywhere", rule: "anybody" },
  // The requests have a token, which has no session to end.
  signOut: { serves: "Sessions.signOut", rule: "anybody" },
  revokeSession: { serves: "Sessions.revoke", rule: "token.own", repeated: "404" }
} satisfies RowsOf<typeof SessionsApi>
