import { defineFeature, housekeepingJob } from "@lectern/kernel"
import { presences } from "@lectern/kernel/tables"
import { Effect } from "effect"
import { Presence } from "./Presence.ts"

/** Who has a page open. */
export const presenceFeature = defineFeature("presence", {
  uses: ["content"],
  tables: [presences],
  userServices: { presence: Presence },
  layer: Presence.layer,
  jobs: Effect.map(Presence, ({ purge }) => [housekeepingJob("presence.purge", "1 hour", purge)])
})
