import { defineFeature, EventLog, housekeepingJob } from "@lectern/kernel"
import { Effect } from "effect"
import { Events } from "./Events.ts"

/** The events of organizations, and the housekeeping job that removes them when their retention expires. */
export const eventsFeature = defineFeature("events", {
  userServices: { events: Events },
  layer: Events.layer,
  jobs: Effect.map(EventLog, (log) => [housekeepingJob("purgeEvents", "1 hour", log.purge)])
})
