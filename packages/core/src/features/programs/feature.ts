import { defineFeature, housekeepingJob, oauthRecords } from "@lectern/kernel"
import { Effect, Layer } from "effect"
import { ProgramGrants } from "./ProgramGrants.ts"
import { Programs } from "./Programs.ts"

/** Programs of others that people authorize by OAuth. */
export const programsFeature = defineFeature("programs", {
  uses: ["tokens"],
  tables: [oauthRecords],
  userServices: { programs: Programs },
  layer: Layer.merge(Programs.layer, ProgramGrants.layer),
  jobs: Effect.map(ProgramGrants, ({ records }) => [
    housekeepingJob("programs.purge", "1 hour", records.purge)
  ])
})
