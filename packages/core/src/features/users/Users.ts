/** What callers do with accounts. */
import { Context, Effect, Layer } from "effect"
import { CurrentUser } from "../../access/CurrentUser.ts"
import { Forbidden, NotFound } from "../../kernel/errors.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { Records, Where } from "../../kernel/storage/index.ts"
import { type MemberRow, members } from "../../model/organizations/Member.ts"
import { organizationActions } from "../../model/roles/Policy.ts"
import { rolesFrom } from "../../model/roles/Role.ts"
import { presentUser, UpdateUser, UserId, users } from "../../model/users/User.ts"
import { searchTextOf } from "../organizations/memberships.ts"

const makeUsers = Effect.gen(function* () {
  const records = yield* Records
  const base = yield* PublicUrl

  const change = command(records)

  const visible = Effect.fnUntraced(function* (id: UserId) {
    const { id: caller, organization } = yield* CurrentUser
    const row = yield* records.get(users, { id })
    if (row === undefined) return yield* NotFound.of("user")
    if (id === caller) return row
    const shared = yield* records.first(members, {
      where: Where.and<MemberRow>(
        Where.eq("user", id),
        organization === undefined ? Where.all : Where.eq("organization", organization),
        Where.inSelect(
          "organization",
          members,
          "organization",
          Where.and<MemberRow>(
            Where.eq("user", caller),
            Where.eq("disabled", false),
            Where.eq("ssoMissing", false),
            Where.isIn("role", rolesFrom(organizationActions.listMembers))
          )
        )
      )
    })
    return shared === undefined ? yield* NotFound.of("user") : row
  })

  return {
    /** The caller. */
    me: query([], function* () {
      const row = yield* records.get(users, { id: (yield* CurrentUser).id })
      if (row === undefined) return yield* NotFound.of("user")
      return presentUser(base, row)
    }),

    /** A user: the caller, or one who is in an organization whose members the caller may list. */
    get: query([UserId], function* (id) {
      return presentUser(base, yield* visible(id))
    }),

    /** Changes what is given of the caller's own account. */
    update: change([UserId, UpdateUser], function* (id, input) {
      const before = yield* visible(id)
      const current = yield* CurrentUser
      if (current.id !== id) return yield* new Forbidden({ message: "You can change only your own account." })
      // Who was vouched for by one organization does not speak for the user in others.
      if (current.organization !== undefined) {
        return yield* new Forbidden({ message: "This needs a token that is not of single sign-on." })
      }
      const after = { ...before, ...input }
      yield* records.update(users, Where.eq("id", id), input)
      yield* records.update(members, Where.eq("user", id), { folded: searchTextOf(after) })
      return presentUser(base, after)
    })
  }
})

/** See the module's comment. */
export class Users extends Context.Service<Users, Effect.Success<typeof makeUsers>>()("@lectern/core/Users") {
  static readonly layer: Layer.Layer<Users, never, Records> = Layer.effect(Users, makeUsers)
}
