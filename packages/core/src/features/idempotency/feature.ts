import { Effect } from "effect"
import { defineFeature } from "../../kernel/features/Feature.ts"
import { housekeepingJob } from "../../kernel/jobs/housekeepingJob.ts"
import { idempotencyKeys } from "../../tables/idempotency/IdempotencyKey.ts"
import { IdempotencyKeys } from "./IdempotencyKeys.ts"

/** Idempotency keys, with which clients repeat requests safely. */
export const idempotencyFeature = defineFeature("idempotency", {
  tables: [idempotencyKeys],
  userServices: {},
  layer: IdempotencyKeys.layer,
  jobs: Effect.map(IdempotencyKeys, (keys) => [
    housekeepingJob("purge-idempotency-keys", "1 hour", keys.purge)
  ])
})
