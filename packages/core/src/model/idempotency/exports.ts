/** The public names of idempotency keys in the model. */
export { type IdempotencyKeyRow, idempotencyKeys } from "./IdempotencyKey.ts"
