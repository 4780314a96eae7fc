import { PresenceApi } from "@lectern/client"
import { Presence } from "@lectern/core"
import { Effect } from "effect"
import { implement, serve } from "../shared/Handlers.ts"

export const presence = Effect.map(Presence, ({ announce }) =>
  implement(PresenceApi, {
    announcePresenceInSpace: serve(announce, ({ params, payload }) => ({
      content: { space: params.spaceId },
      input: payload
    })),
    announcePresenceInChangeRequest: serve(announce, ({ params, payload }) => ({
      content: { space: params.spaceId, changeRequest: params.changeRequestId },
      input: payload
    }))
  })
)
