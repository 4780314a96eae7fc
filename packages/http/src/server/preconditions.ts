/** Changes that are only done where the client has seen the resource as it is: `If-Match`. */
import { type CurrentUser, PreconditionFailed, type Records, type StorageUnavailable } from "@lectern/core"
import { Effect } from "effect"
import type { Operation, OperationError } from "../handlers/Handlers.ts"
import type { Decoded } from "./decode.ts"
import { etagOf, matchesEtag } from "./etag.ts"

const stale = new PreconditionFailed({
  message: "It has changed since you got it; get it again, and send the new ETag."
})

/**
 * Does a change if `header` names the state that the resource has before it. Looking and changing are one
 * transaction, so nothing comes between. The change is tried first and undone where the state is another: like that
 * all that is wrong with the change itself is answered before its precondition.
 */
export const ifUnchanged = (
  records: Records["Service"],
  header: string,
  current: Operation,
  decoded: Decoded,
  change: Effect.Effect<unknown, OperationError, CurrentUser>
): Effect.Effect<unknown, OperationError | StorageUnavailable, CurrentUser> =>
  records.transaction(
    Effect.flatMap(current.handle({ params: decoded.params, query: {} }), (before) =>
      Effect.flatMap(change, (value) =>
        matchesEtag(header, etagOf(JSON.stringify(before))) ? Effect.succeed(value) : Effect.fail(stale)
      )
    )
  )
