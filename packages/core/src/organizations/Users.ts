/** What callers do with accounts. */
import { Context, Effect, Layer } from "effect"
import { CurrentUser } from "../access/CurrentUser.ts"
import { NotFound } from "../errors.ts"
import { query } from "../shared/Operation.ts"
import { PublicUrl } from "../shared/Urls.ts"
import { Records } from "../storage/index.ts"
import { present, users } from "./User.ts"

const make = Effect.gen(function* () {
  const records = yield* Records
  const base = yield* PublicUrl

  return {
    /** The caller. */
    me: query([], function* () {
      const row = yield* records.get(users, { id: (yield* CurrentUser).id })
      if (row === undefined) return yield* NotFound.of("user")
      return present(base, row)
    })
  }
})

/** See the module's comment. */
export class Users extends Context.Service<Users, Effect.Success<typeof make>>()(
  "@lectern/core/organizations/Users"
) {
  static readonly layer: Layer.Layer<Users, never, Records> = Layer.effect(Users, make)
}
