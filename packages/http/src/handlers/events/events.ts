/** Handlers of the endpoints for events. */
import { EventsApi } from "@lectern/client"
import { Events } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

/** The handlers of the endpoints for events. */
export const events = Effect.map(Events, (events) =>
  implement(EventsApi, {
    listEvents: events.list
  })
)
