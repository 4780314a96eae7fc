/** The access of sign-ins, which act for no user: the user is not authenticated yet. */

import {
  type Authorization,
  addAuditDetails,
  type GrantedReader,
  noteOwnCall,
  Operations,
  SystemGrant
} from "@lectern/access"
import type { StorageUnavailable } from "@lectern/kernel"
import type { SessionRow } from "@lectern/kernel/tables"
import type { SessionId } from "@lectern/model/sessions"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"

/** Creates the authorization of the sign-in pages, with the records of its grant. */
export const makeSignInAccess = Effect.gen(function* () {
  const { allow } = yield* Operations
  const { grant, records } = yield* SystemGrant.make("Signs people in, before they are authenticated.")

  const allowPages: Authorization<unknown, Record<never, never>, never, never> = {
    rule: allow.operator("the sign-in pages of the server, before the user is authenticated").rule,
    check: () => Effect.succeed({ grant })
  }

  return { records, allowPages }
})

/** Records a call on a session in the log of the organization that it is limited to, or of all organizations of the user. */
export const noteSignIn = Effect.fnUntraced(function* (
  records: GrantedReader,
  user: UserId,
  organization: SessionRow["organization"],
  session: SessionId
): Effect.fn.Return<void, StorageUnavailable> {
  yield* addAuditDetails({ organization, actor: user, resources: [`session:${session}`] })
  if (organization === null) yield* noteOwnCall(records, user)
})
