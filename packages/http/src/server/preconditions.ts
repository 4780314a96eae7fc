/** Conditional changes: `If-Match`. */
import { type CurrentUser, PreconditionFailed, type Records, type StorageUnavailable } from "@lectern/core"
import { Effect } from "effect"
import type { Operation, OperationError } from "../handlers/shared/Handlers.ts"
import type { Decoded } from "./decode.ts"
import { etagOf, matchesEtag } from "./messages/etag.ts"

const stale = new PreconditionFailed({
  reason: "StaleVersion",
  message: "It has changed since you got it; get it again, and send the new ETag."
})

/**
 * Applies a change if `header` matches the tag of the resource before it. Reading and changing are one transaction. The
 * change is applied first and rolled back when the tag does not match: errors of the change itself take precedence over
 * its precondition.
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
