/** The public names of idempotency keys in `@lectern/core`, besides the model. */
export {
  IdempotencyKeys,
  type IdempotencyKeysService,
  type IdempotentRequest,
  type IdempotentResult,
  replayPeriodMillis
} from "./IdempotencyKeys.ts"
