export {
  IdempotencyKeys,
  type IdempotencyKeysService,
  type IdempotentRequest,
  type IdempotentResult,
  replayPeriodMillis
} from "./IdempotencyKeys.ts"
