/** Conditional changes: `If-Match`. */
import { type CurrentUser, type LecternError, PreconditionFailed, type Records } from "@lectern/core"
import { Effect } from "effect"
import type { DecodedRequest, ServedOperation } from "../handlers/shared/Handlers.ts"
import { etagOf, matchesEtag } from "./messages/etag.ts"

const stale = new PreconditionFailed({
  reason: "StaleVersion",
  message:
    "The resource has changed since the version that `If-Match` names. Get it again, and send its new ETag."
})

/**
 * Applies a change if `header` matches the tag of the resource before it. Reading and changing are one transaction. A
 * change whose tag does not match is applied and rolled back, so that the caller learns first that they may not make it,
 * or that it is invalid; a conflict comes after the precondition.
 */
export const ifUnchanged = (
  records: Records["Service"],
  header: string,
  current: ServedOperation,
  decoded: DecodedRequest,
  change: Effect.Effect<unknown, LecternError, CurrentUser>
): Effect.Effect<unknown, LecternError, CurrentUser> =>
  records.transaction(
    Effect.flatMap(current.handle({ params: decoded.params, query: {} }), (before) =>
      matchesEtag(header, etagOf(JSON.stringify(before)))
        ? change
        : Effect.matchEffect(change, {
            onSuccess: () => Effect.fail(stale),
            onFailure: (error) =>
              Effect.fail(error._tag === "Conflict" || error._tag === "Gone" ? stale : error)
          })
    )
  )
