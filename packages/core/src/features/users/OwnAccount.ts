/** The export and the erasure of a person's own data. */

import {
  type AccessError,
  type Authorization,
  type Command,
  CurrentUser,
  type Identity,
  noteOwnCall,
  Operations,
  type Query,
  requireSecondFactor,
  type TokenIdentity,
  withFreshSignIn,
  withOwnPasskey
} from "@lectern/access"
import { type UserRow, users } from "@lectern/kernel/tables"
import { type Conflict, Forbidden, InvalidInput, NotFound } from "@lectern/model/errors"
import { EraseAccount, type OwnData } from "@lectern/model/users"
import { Context, Effect, Layer } from "effect"
import { eraseAccount } from "./eraseAccount.ts"
import { readOwnData } from "./ownData.ts"

/**
 * Operations on the data of the `CurrentUser`. They fail with `Forbidden` for sessions and tokens that are limited, such as sessions of
 * an identity provider of an organization, which has no authority over the account, and for a sign-in that is more than 10 minutes
 * ago.
 */
export interface OwnAccountOperations {
  /**
   * Returns everything that the server stores about the caller. It contains content of all of their organizations: it fails with
   * `Forbidden` without the second factor that one of them requires.
   */
  readonly exportData: Query<Record<never, never>, OwnData, AccessError>
  /**
   * Erases the account of the caller: its name, its address, its identities, memberships, teams, tokens, sessions, favorites and
   * recent pages. What the caller has written remains, by an author without a name. Fails with `InvalidInput` if the address is not
   * that of the account, with `Forbidden` for every API token and for a session without the passkey that the caller has, and with
   * `Conflict` if the caller is the last administrator of an organization.
   */
  readonly erase: Command<{ input: EraseAccount }, void, AccessError | Conflict>
}

const limitedNotAllowed = new Forbidden({
  reason: "SsoTokenNotAllowed",
  message:
    "The account is exported by a session of a sign-in link or an API token without limits, and erased by the session only. Sign in by a link in an e-mail."
})

/** Whether a token has all rights of its user. */
const isUnlimited = ({
  readOnly,
  permissions,
  site,
  installation,
  samlProvider,
  excluded
}: TokenIdentity): boolean =>
  !readOnly &&
  excluded.length === 0 &&
  [permissions, site, installation, samlProvider].every((limit) => limit === undefined)

const makeOwnAccount = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const signedIn = allow.signedIn("the caller's own account, without limits")

  /** Authorizes the owner of an account: without a token, or also with a token of which `isAdmitted` is true. */
  const allowOwn = (
    isAdmitted: (token: TokenIdentity) => boolean
  ): Authorization<unknown, { readonly account: UserRow; readonly user: Identity }, AccessError> => ({
    rule: signedIn.rule,
    check: Effect.fnUntraced(function* () {
      const { grant, user } = yield* signedIn.check({})
      const { token, organization } = yield* CurrentUser
      const account = yield* grant.records.get(users, { id: user.id })
      if (account === undefined) return yield* NotFound.of("user")
      if (organization !== undefined || (token !== undefined && !isAdmitted(token)))
        return yield* limitedNotAllowed
      return { grant, account, user }
    })
  })

  return {
    exportData: query(
      "OwnAccount.exportData",
      { parameters: {}, authorize: withFreshSignIn(allowOwn(isUnlimited)), audited: true },
      function* (_, { account, user, records }) {
        yield* requireSecondFactor(records, user)
        yield* noteOwnCall(records, account.id)
        return yield* readOwnData(records, account)
      }
    ),

    erase: command(
      "OwnAccount.erase",
      {
        parameters: { input: EraseAccount },
        // A token is stored by a program, and an erasure cannot be undone.
        authorize: withOwnPasskey(withFreshSignIn(allowOwn(() => false))),
        serializable: "Removes the memberships of the user in all organizations."
      },
      function* ({ input }, { account, records }) {
        if (input.email !== account.email) {
          return yield* InvalidInput.at("email", "must be the e-mail address of the account")
        }
        yield* noteOwnCall(records, account.id)
        yield* eraseAccount(records, account)
      }
    )
  } satisfies OwnAccountOperations
})

/** Operations on the data of the caller: see {@link OwnAccountOperations}. */
export class OwnAccount extends Context.Service<OwnAccount, OwnAccountOperations>()(
  "@lectern/core/OwnAccount"
) {
  static readonly layer: Layer.Layer<OwnAccount, never, Operations> = Layer.effect(OwnAccount, makeOwnAccount)
}
