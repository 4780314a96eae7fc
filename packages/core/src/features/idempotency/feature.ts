import { defineFeature, housekeepingJob } from "@lectern/kernel"
import { idempotencyKeys } from "@lectern/kernel/tables"
import { Effect } from "effect"
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
