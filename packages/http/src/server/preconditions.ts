/** Checks the precondition of conditional requests: `If-Match`. */
import { type CurrentUser, type LecternError, PreconditionFailed, type Records } from "@lectern/core"
import { Effect } from "effect"
import type { DecodedRequest, ServedOperation } from "../handlers/shared/Handlers.ts"
import { etagOf, matchesEtag } from "./messages/etag.ts"

const staleVersion = new PreconditionFailed({
  reason: "StaleVersion",
  message:
    "The resource has changed since the version that `If-Match` names. Get it again and send its new ETag."
})

/**
 * Runs `change` if the entity tag of the resource matches `header`, the value of `If-Match`, in one transaction. Otherwise
 * it fails with `PreconditionFailed`, but only after running and rolling back the change: authorization and validation
 * errors come before the precondition, and conflicts after it.
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
            onSuccess: () => Effect.fail(staleVersion),
            onFailure: (error) =>
              Effect.fail(error._tag === "Conflict" || error._tag === "Gone" ? staleVersion : error)
          })
    )
  )
