/** Checks the preconditions of requests that change a resource: `If-Match` and `If-None-Match` (RFC 9110, section 13). */
import { CommandGuard, CurrentUser, type LecternError, PreconditionFailed } from "@lectern/core"
import { Effect } from "effect"
import type { DecodedRequest } from "../handlers/shared/Handlers.ts"
import { encode } from "./encode.ts"
import { hasOnlyWeakTags, matchesEtag, matchesEtagStrongly } from "./messages/etag.ts"
import type { ApiRequest } from "./messages/Message.ts"
import { inRequestedContract } from "./requestedContract.ts"

const staleVersion = new PreconditionFailed({
  reason: "StaleVersion",
  message:
    "The resource has changed since the version that `If-Match` names. Get it again and send its new ETag."
})

const weakTag = new PreconditionFailed({
  reason: "StaleVersion",
  message:
    "`If-Match` has only weak entity tags, which never match. If a proxy has weakened the tag, send it without `W/`."
})

const alreadyExists = new PreconditionFailed({
  reason: "AlreadyExists",
  message: "The resource exists, or has the version, that `If-None-Match` excludes."
})

/** Reads the resource that an operation changes, by the path parameters of the operation. */
export type ReadCurrent = (request: DecodedRequest) => Effect.Effect<unknown, LecternError, CurrentUser>

/** Returns the failure of the preconditions for the tag of the current resource; undefined if it does not exist. */
const failureOf = (
  ifMatch: string | undefined,
  ifNoneMatch: string | undefined,
  tag: string | undefined
): PreconditionFailed | undefined => {
  if (ifMatch !== undefined && (tag === undefined || !matchesEtagStrongly(ifMatch, tag))) {
    return hasOnlyWeakTags(ifMatch) ? weakTag : staleVersion
  }
  if (ifNoneMatch !== undefined && tag !== undefined && matchesEtag(ifNoneMatch, tag)) return alreadyExists
  return undefined
}

/** Whether an error is one of the state of the resource, over which preconditions take precedence. */
const isStateError = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "_tag" in error &&
  (error._tag === "Conflict" || error._tag === "Gone")

/**
 * Runs `change` if the current resource meets the preconditions of the request. The resource is read in the transaction of
 * the change. Otherwise it fails with `PreconditionFailed`, but only after running and rolling back the change:
 * authorization and validation errors come before the precondition, and conflicts after it.
 */
export const withPreconditions = <A>(
  request: ApiRequest,
  readCurrent: ReadCurrent,
  decoded: DecodedRequest,
  change: Effect.Effect<A, LecternError, CurrentUser>
): Effect.Effect<A, LecternError, CurrentUser> => {
  const ifMatch = request.header("if-match")
  const ifNoneMatch = request.header("if-none-match")
  if (ifMatch === undefined && ifNoneMatch === undefined) return change

  const currentTag = Effect.matchEffect(readCurrent(decoded), {
    onSuccess: (value) =>
      Effect.succeed<string | undefined>(encode(inRequestedContract(request, value, false)).etag()),
    // The errors of the change take precedence over the errors of reading the resource, which it may create.
    onFailure: (error) =>
      error._tag === "StorageUnavailable" ? Effect.fail(error) : Effect.succeed<string | undefined>(undefined)
  })
  return Effect.flatMap(CurrentUser, (user) =>
    Effect.provideService(change, CommandGuard, <B, E, R>(command: Effect.Effect<B, E, R>) => {
      const guarded: Effect.Effect<B, E | LecternError, R> = Effect.flatMap(
        Effect.provideService(currentTag, CurrentUser, user),
        (tag): Effect.Effect<B, E | LecternError, R> => {
          const failure = failureOf(ifMatch, ifNoneMatch, tag)
          if (failure === undefined) return command
          return Effect.matchEffect(command, {
            onSuccess: () => Effect.fail(failure),
            onFailure: (error): Effect.Effect<never, E | LecternError> =>
              Effect.fail(isStateError(error) ? failure : error)
          })
        }
      )
      // `change` declares the errors of the guard.
      return guarded as Effect.Effect<B, E, R>
    })
  )
}
