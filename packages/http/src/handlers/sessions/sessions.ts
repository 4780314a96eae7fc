import { SessionsApi } from "@lectern/client"
import { Sessions } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

export const sessions = Effect.map(Sessions, (sessions) =>
  implement(SessionsApi, {
    listSessions: sessions.list,
    signOutEverywhere: serve(sessions.signOutEverywhere, () => ({})),
    signOut: serve(sessions.signOut, () => ({})),
    revokeSession: sessions.revoke
  })
)
