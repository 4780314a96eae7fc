import { EventsApi } from "@lectern/client"
import { Events } from "@lectern/core"
import { Effect } from "effect"
import { implement } from "../shared/Handlers.ts"

export const events = Effect.map(Events, (events) =>
  implement(EventsApi, {
    listEvents: events.list
  })
)
