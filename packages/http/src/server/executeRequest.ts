/** Executes an operation under the conditions of its request: preconditions and an idempotency key. */
import {
  type CurrentUser,
  type IdempotencyKeysService,
  type IdempotentResult,
  InvalidInput,
  type LecternError
} from "@lectern/core"
import { Effect } from "effect"
import type { DecodedRequest } from "../handlers/shared/Handlers.ts"
import { InvalidRequest } from "./decode.ts"
import { idempotencyOf } from "./idempotency.ts"
import type { Failure } from "./messages/failures.ts"
import type { ApiRequest } from "./messages/Message.ts"
import { withPreconditions } from "./preconditions.ts"
import type { Match, Route } from "./routeTable.ts"
import { executeUpload, isUpload, type UploadStore } from "./uploads.ts"

const unsupportedCondition = InvalidInput.at(
  "If-Match",
  "is not supported by this operation, because it changes no resource that has an entity tag"
)

/** The error of a precondition that the operation cannot check. To ignore it would change the resource unconditionally. */
const conditionError = (request: ApiRequest, { isWrite, readCurrent }: Route): InvalidInput | undefined =>
  isWrite && readCurrent === undefined && request.header("if-match") !== undefined
    ? unsupportedCondition
    : undefined

/** Decodes a request and executes its operation for the current user. */
export const executeRequest = (
  keys: IdempotencyKeysService,
  request: ApiRequest,
  match: Extract<Match, { _tag: "Found" }>,
  uploads: UploadStore
): Effect.Effect<IdempotentResult<unknown>, Failure, CurrentUser> => {
  if (!isUpload(request, match.route)) return executeJson(keys, request, match, (decoded) => decoded)
  const { route, params, query } = match
  const headerError = idempotencyOf(keys, request, route.operation)?.error ?? conditionError(request, route)
  return executeUpload({ request, route, params, query, headerError }, uploads, (upload) =>
    executeJson(keys, upload.request, match, upload.complete)
  )
}

const executeJson = (
  keys: IdempotencyKeysService,
  request: ApiRequest,
  { route, params, query }: Extract<Match, { _tag: "Found" }>,
  complete: (decoded: DecodedRequest) => DecodedRequest
): Effect.Effect<IdempotentResult<unknown>, Failure, CurrentUser> => {
  const { operation, readCurrent } = route
  const idempotency = idempotencyOf(keys, request, operation)
  const error = idempotency?.error ?? conditionError(request, route)
  return route.decode(idempotency?.request ?? request, params, query).pipe(
    Effect.flatMap((decoded) =>
      error === undefined
        ? Effect.succeed(complete(decoded))
        : Effect.fail(new InvalidRequest({ error, target: decoded }))
    ),
    Effect.catchTag("InvalidRequest", (invalid) =>
      // Authorization errors take precedence, so that an invalid request does not reveal a hidden resource.
      Effect.andThen(
        invalid.target === undefined ? Effect.void : operation.authorize(invalid.target),
        Effect.fail(invalid.error)
      )
    ),
    Effect.flatMap((decoded): Effect.Effect<IdempotentResult<unknown>, Failure, CurrentUser> => {
      const withConditions = <A>(run: Effect.Effect<A, LecternError, CurrentUser>) =>
        readCurrent === undefined ? run : withPreconditions(request, readCurrent, decoded, run)
      if (idempotency === undefined) {
        return Effect.map(withConditions(operation.handle(decoded)), (value) => ({
          value,
          isReplayed: false
        }))
      }
      return Effect.flatMap(
        idempotency.execute(withConditions(operation.execute(decoded)), (check) =>
          operation.authorizeAgain(decoded, check)
        ),
        ({ value, isReplayed }) =>
          Effect.map(operation.respond(value, decoded), (response) => ({ value: response, isReplayed }))
      )
    })
  )
}
