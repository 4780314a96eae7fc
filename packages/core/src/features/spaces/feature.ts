import { defineFeature, housekeepingJob } from "@lectern/kernel"
import { spaceEvents, spaces } from "@lectern/kernel/tables"
import { Effect, Layer } from "effect"
import { SpaceCopies } from "./SpaceCopies.ts"
import { Spaces } from "./Spaces.ts"
import { spaceExaminations } from "./spaceChecks.ts"

/** Spaces, and the housekeeping job that purges the trash. */
export const spacesFeature = defineFeature("spaces", {
  uses: ["collections"],
  tables: [spaces],
  events: [spaceEvents],
  userServices: { spaces: Spaces },
  layer: Spaces.layer.pipe(Layer.provideMerge(SpaceCopies.layer)),
  examinations: spaceExaminations,
  jobs: Effect.map(Spaces, (spaces) => [housekeepingJob("purge", "1 hour", spaces.purge)])
})
