/** Executes requests with an `Idempotency-Key` at most once, and replays their results. */
import { createHash } from "node:crypto"
import { ReturnsSecret } from "@lectern/client"
import {
  CurrentUser,
  type IdempotencyKeysService,
  type IdempotentResult,
  InvalidInput,
  type LecternError
} from "@lectern/core"
import { Context, Effect } from "effect"
import type { ServedOperation } from "../handlers/shared/Handlers.ts"
import type { ApiRequest } from "./messages/Message.ts"

/** The header that names a request. */
const keyHeader = "idempotency-key"

const keyPattern = /^[\x21-\x7e]{1,255}$/

/** The idempotency key of a request: the request to decode, and how to execute it. */
export interface Idempotency {
  /** The request. Its body is digested while it is read. */
  readonly request: ApiRequest
  /** Runs the operation, or authorizes again and returns the result of an earlier execution. Fails with `InvalidInput` if the key is malformed. */
  readonly execute: <A>(
    operation: Effect.Effect<A, LecternError, CurrentUser>,
    authorizeAgain: ServedOperation["authorizeAgain"] extends (
      request: never,
      check: infer Check
    ) => infer Result
      ? (check: Check) => Result
      : never
  ) => Effect.Effect<IdempotentResult<A>, LecternError, CurrentUser>
  /** The error of a malformed key. */
  readonly error: InvalidInput | undefined
}

/** The methods of the requests that can have a key. A repeated PUT or PATCH request has no further effect without one. */
const methods: ReadonlySet<string> = new Set(["POST", "DELETE"])

/** Returns the idempotency of a POST or DELETE request with an `Idempotency-Key`; undefined for others, which are always executed. */
export const idempotencyOf = (
  keys: IdempotencyKeysService,
  request: ApiRequest,
  { endpoint }: ServedOperation
): Idempotency | undefined => {
  const key = methods.has(request.method) ? request.header(keyHeader) : undefined
  if (key === undefined) return undefined
  const digest = createHash("sha256").update(`${request.url}\n`)
  return {
    request: {
      ...request,
      body: Effect.tap(request.body, (bytes) => Effect.sync(() => digest.update(bytes)))
    },
    error: keyPattern.test(key)
      ? undefined
      : InvalidInput.at("Idempotency-Key", "must be 1 to 255 visible ASCII characters"),
    execute: (operation, authorizeAgain) =>
      Effect.flatMap(CurrentUser, ({ id, organization, visitor }) => {
        // Visitors share one id, and must not receive results of each other.
        if (visitor !== undefined) return Effect.map(operation, (value) => ({ value, isReplayed: false }))
        return keys.execute(
          {
            scope: [id, organization ?? "", endpoint.identifier, key],
            fingerprint: digest.digest("base64url"),
            returnsSecret: Context.get(endpoint.annotations, ReturnsSecret),
            authorizeAgain
          },
          operation
        )
      })
  }
}
