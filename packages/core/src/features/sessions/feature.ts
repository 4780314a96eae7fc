import { defineFeature, housekeepingJob } from "@lectern/kernel"
import { sessions, signedInUsers, signInLinks } from "@lectern/kernel/tables"
import { Effect, Layer } from "effect"
import { Sessions } from "./Sessions.ts"
import { SignIns } from "./SignIns.ts"

/** Sessions of people who have signed in, and links that sign them in. */
export const sessionsFeature = defineFeature("sessions", {
  uses: ["mail", "tokens"],
  tables: [sessions, signInLinks, signedInUsers],
  userServices: { sessions: Sessions },
  layer: Layer.merge(Sessions.layer, SignIns.layer),
  jobs: Effect.map(SignIns, ({ purge }) => [housekeepingJob("sessions.purge", "1 hour", purge)])
})
