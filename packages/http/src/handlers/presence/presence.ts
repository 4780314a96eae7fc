/** Handlers of the endpoints for presence. */
import { PresenceApi } from "@lectern/client"
import { Presence } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

/** The handlers of the endpoints for presence. */
export const presence = Effect.map(Presence, ({ announce }) =>
  implement(PresenceApi, {
    announcePresence: serve(announce, ({ params, payload: { changeRequest, ...input } }) => ({
      content: { space: params.spaceId, ...(changeRequest === undefined ? {} : { changeRequest }) },
      input
    }))
  })
)
