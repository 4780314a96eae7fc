/** What a workspace takes from the feature `spaces`. */

import { Effect } from "effect"
import { feature } from "../../kernel/features/Feature.ts"
import { housekeeping } from "../../kernel/jobs/housekeeping.ts"
import { spaces } from "../../model/spaces/Space.ts"
import { Spaces } from "./Spaces.ts"
import { spaceExaminations } from "./spaceChecks.ts"

/** Spaces, which hold content. */
export const spacesFeature = feature("spaces", {
  tables: [spaces],
  userServices: { spaces: Spaces },
  layer: Spaces.layer,
  examinations: spaceExaminations,
  jobs: Effect.map(Spaces, (spaces) => [housekeeping("purge", "1 hour", spaces.purge)])
})
