/** The export and the erasure of the data of any account, for the operator: also of people who cannot sign in. */

import { type Authorization, noteOwnCall, Operations, type OperatorOperation } from "@lectern/access"
import { type UserRow, users } from "@lectern/kernel/tables"
import { type Conflict, NotFound } from "@lectern/model/errors"
import { type OwnData, UserId } from "@lectern/model/users"
import { Context, Effect, Layer } from "effect"
import { eraseAccount } from "./eraseAccount.ts"
import { readOwnData } from "./ownData.ts"

/** Operations of the operator on the data of accounts. They act for no user. */
export interface AccountsOperations {
  /** Returns everything that the server stores about a user. Fails with `NotFound` without an account. */
  readonly exportData: OperatorOperation<{ user: UserId }, OwnData, NotFound>
  /**
   * Erases the account of a user, as `OwnAccount.erase` does. Fails with `NotFound` without an account, and with `Conflict` if the
   * user is the last administrator of an organization.
   */
  readonly erase: OperatorOperation<{ user: UserId }, void, NotFound | Conflict>
}

const makeAccounts = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const operator = allow.operator("the data of all accounts")

  const allowAccount: Authorization<
    { readonly user: UserId },
    { readonly account: UserRow },
    NotFound,
    never
  > = {
    rule: operator.rule,
    check: Effect.fnUntraced(function* ({ user }) {
      const { grant } = yield* operator.check({})
      const account = yield* grant.records.get(users, { id: user })
      return account === undefined ? yield* NotFound.of("user") : { grant, account }
    })
  }

  return {
    exportData: query(
      "Accounts.exportData",
      { parameters: { user: UserId }, authorize: allowAccount, audited: true },
      function* ({ user }, { account, records }) {
        yield* noteOwnCall(records, user)
        return yield* readOwnData(records, account)
      }
    ),

    erase: command(
      "Accounts.erase",
      {
        parameters: { user: UserId },
        authorize: allowAccount,
        serializable: "Removes the memberships of the user in all organizations."
      },
      function* ({ user }, { account, records }) {
        yield* noteOwnCall(records, user)
        yield* eraseAccount(records, account)
      }
    )
  } satisfies AccountsOperations
})

/** Operations of the operator on the data of accounts: see {@link AccountsOperations}. */
export class Accounts extends Context.Service<Accounts, AccountsOperations>()("@lectern/core/Accounts") {
  static readonly layer: Layer.Layer<Accounts, never, Operations> = Layer.effect(Accounts, makeAccounts)
}
