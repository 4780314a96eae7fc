/** Operations on users. */

import {
  type AccessError,
  type Authorization,
  type Command,
  CurrentUser,
  Locks,
  noteOwnCall,
  Operations,
  type Query,
  SystemGrant,
  whereCanActIn,
  whereSecondFactorSatisfied,
  whereSsoSatisfied
} from "@lectern/access"
import { makeLinkBase, type Records, Where } from "@lectern/kernel"
import { type MemberRow, members, presentUser, type UserRow, users } from "@lectern/kernel/tables"
import { Forbidden, NotFound } from "@lectern/model/errors"
import { organizationActions, rolesFrom } from "@lectern/model/roles"
import { UpdateUser, type User, UserId } from "@lectern/model/users"
import { Context, Effect, Layer } from "effect"
import { searchTextOf } from "../organizations/memberships.ts"

/** Operations on users, on behalf of the `CurrentUser`. */
export interface UsersOperations {
  /** Returns the caller. Fails with `NotFound` if the account was removed. */
  readonly getCurrent: Query<Record<never, never>, User, NotFound>
  /**
   * Returns a user: the caller, or a member of an organization whose members the caller can list. Fails with `NotFound`
   * for other users.
   */
  readonly get: Query<{ user: UserId }, User, NotFound>
  /**
   * Updates the given fields of the caller's own account. Fails with `Forbidden` for other users, and if the caller
   * authenticated with a token from single sign-on.
   */
  readonly update: Command<{ user: UserId; input?: UpdateUser }, User, AccessError>
}

const makeUserAccess = Effect.gen(function* () {
  const { allow } = yield* Operations
  const { records } = yield* SystemGrant.make("Finds out whether two users share an organization.")
  const signedIn = allow.signedIn("the caller's own account")

  /** Authorizes an operation on a user whom the caller can see. */
  const allowVisible: Authorization<{ readonly user: UserId }, { readonly account: UserRow }, NotFound> = {
    rule: {
      kind: "signedIn",
      why: "the caller, and members of organizations whose members the caller can list"
    },
    check: Effect.fnUntraced(function* ({ user }) {
      const current = yield* CurrentUser
      const caller = current.id
      const { grant } = yield* signedIn.check(user)
      const account = yield* records.get(users, { id: user })
      if (account === undefined) return yield* NotFound.of("user")
      if (user === caller) return { grant, account }
      const shared = yield* records.first(members, {
        where: Where.and<MemberRow>(
          Where.eq("user", user),
          whereCanActIn<MemberRow, "organization">(current, "organization"),
          records.inSelect(
            "organization",
            members,
            "organization",
            Where.and<MemberRow>(
              Where.eq("user", caller),
              Where.eq("disabled", false),
              whereSsoSatisfied(current),
              whereSecondFactorSatisfied(records, current),
              Where.isIn("role", rolesFrom(organizationActions.listMembers))
            )
          )
        )
      })
      return shared === undefined ? yield* NotFound.of("user") : { grant, account }
    })
  }

  /** Authorizes an operation on the caller's own account. */
  const allowOwn: Authorization<{ readonly user: UserId }, { readonly account: UserRow }, AccessError> = {
    rule: { kind: "signedIn", why: "the caller's own account, without single sign-on" },
    check: Effect.fnUntraced(function* (target) {
      const granted = yield* allowVisible.check(target)
      const current = yield* CurrentUser
      if (current.id !== target.user) {
        return yield* new Forbidden({
          reason: "NotOwnAccount",
          message: "You can update only your own account. Use your own user id."
        })
      }
      // The identity provider of one organization has no authority over the account in others.
      if (current.organization !== undefined) {
        return yield* new Forbidden({
          reason: "SsoTokenNotAllowed",
          message: "A token from single sign-on cannot update an account. Use a personal API token."
        })
      }
      return granted
    })
  }

  return { signedIn, allowVisible, allowOwn }
})

const makeUsers = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const linkBase = yield* makeLinkBase
  const { signedIn, allowVisible, allowOwn } = yield* makeUserAccess

  return {
    getCurrent: query(
      "Users.getCurrent",
      { parameters: {}, authorize: signedIn },
      function* (_, { user: { id }, records }) {
        const row = yield* records.get(users, { id })
        if (row === undefined) return yield* NotFound.of("user")
        return presentUser(yield* linkBase, row)
      }
    ),

    get: query(
      "Users.get",
      { parameters: { user: UserId }, authorize: allowVisible },
      function* (_, { account }) {
        return presentUser(yield* linkBase, account)
      }
    ),

    update: command(
      "Users.update",
      {
        parameters: { user: UserId, input: UpdateUser },
        authorize: allowOwn,
        locks: Locks.account
      },
      function* ({ user, input }, { account, records }) {
        yield* noteOwnCall(records, user)
        const after = { ...account, ...input }
        yield* records.update(users, Where.eq("id", user), input)
        yield* records.update(members, Where.eq("user", user), { folded: searchTextOf(after) })
        return presentUser(yield* linkBase, after)
      }
    )
  }
})

/** Operations on users: see {@link UsersOperations}. */
export class Users extends Context.Service<Users, UsersOperations>()("@lectern/core/Users") {
  static readonly layer: Layer.Layer<Users, never, Records | Operations> = Layer.effect(Users, makeUsers)
}
