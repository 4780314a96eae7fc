import { Effect } from "effect"
import { EventLog } from "../../kernel/events/EventLog.ts"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { housekeepingJob } from "../../kernel/jobs/housekeepingJob.ts"
import { Events } from "./Events.ts"

/** The events of organizations, and the housekeeping job that removes them when their retention expires. */
export const eventsFeature = defineFeature("events", {
  userServices: { events: Events },
  layer: Events.layer,
  jobs: Effect.map(EventLog, (log) => [housekeepingJob("purgeEvents", "1 hour", log.purge)])
})
