/** Requires a membership with access to its organization. */

import { type Forbidden, NotFound } from "@lectern/model/errors"
import { Effect } from "effect"
import { secondFactorRequired, ssoRequired } from "../accessErrors.ts"
import type { Caller } from "../Caller.ts"

/** Fails with `NotFound` if the user is not a member, and with `Forbidden` without single sign-on. */
export const requireMembership = Effect.fnUntraced(function* (
  caller: Caller | undefined
): Effect.fn.Return<Caller, NotFound | Forbidden> {
  if (caller === undefined) return yield* NotFound.of("organization")
  if (caller.ssoRequired) return yield* ssoRequired
  if (caller.secondFactorRequired) return yield* secondFactorRequired
  return caller
})
