/** Requires the passkey of the user for changes to the account. */

import type { StorageUnavailable } from "@lectern/kernel"
import type { Forbidden } from "@lectern/model/errors"
import { Effect } from "effect"
import { secondFactorRequired } from "../accessErrors.ts"
import { CurrentUser } from "../CurrentUser.ts"
import type { Granted } from "../grants/Grant.ts"
import { lacksOwnPasskey } from "../roles/secondFactor.ts"
import type { Authorization } from "./Authorization.ts"

/**
 * Requires that a session has verified a second factor if its user has a passkey, for changes to the credentials of the account and for
 * its erasure: a person who only reads the e-mails of the user could otherwise make them. API tokens, sessions of identity providers and
 * of hosts are not affected.
 */
export const withOwnPasskey = <Target, Given, E, R>({
  rule,
  check
}: Authorization<Target, Given, E, R>): Authorization<Target, Given, E | Forbidden, R | CurrentUser> => ({
  rule,
  check: (target) => Effect.tap(check(target), requireOwnPasskey)
})

const requireOwnPasskey = Effect.fnUntraced(function* ({
  grant
}: Granted): Effect.fn.Return<void, Forbidden | StorageUnavailable, CurrentUser> {
  const identity = yield* CurrentUser
  if (yield* lacksOwnPasskey(grant.records, identity)) return yield* secondFactorRequired
})
