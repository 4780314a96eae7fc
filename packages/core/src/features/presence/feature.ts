import { Effect } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { housekeepingJob } from "../../kernel/jobs/housekeepingJob.ts"
import { presences } from "../../tables/presence/presenceTable.ts"
import { Presence } from "./Presence.ts"

/** Who has a page open. */
export const presenceFeature = defineFeature("presence", {
  uses: ["content"],
  tables: [presences],
  userServices: { presence: Presence },
  layer: Presence.layer,
  jobs: Effect.map(Presence, ({ purge }) => [housekeepingJob("presence.purge", "1 hour", purge)])
})
