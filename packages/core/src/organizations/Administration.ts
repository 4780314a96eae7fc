/**
 * What the operator of a workspace does, beside what its users do: it acts for nobody and asks nobody. Hosts call
 * it to bring their own accounts in, the command line to make the first ones.
 */
import { Context, Effect, Layer } from "effect"
import type { RoleOrGuest } from "../access/Role.ts"
import { Conflict, NotFound } from "../errors.ts"
import { Ids } from "../shared/Id.ts"
import { now } from "../shared/Now.ts"
import { Records, Where } from "../storage/index.ts"
import { members } from "./Member.ts"
import { type CreateOrganization, OrganizationId, organizations } from "./Organization.ts"
import { UserId, users } from "./User.ts"

/** What an account is made from. */
export interface CreateUser {
  readonly email: string
  /** What others see; by default the part of the address before the @. */
  readonly displayName?: string | undefined
}

const make = Effect.gen(function* () {
  const records = yield* Records
  const ids = yield* Ids

  return {
    /** Makes an account. `Conflict` where the address has one. */
    createUser: Effect.fnUntraced(function* (input: CreateUser) {
      const email = input.email.trim().toLowerCase()
      const id = UserId.make(yield* ids.next)
      const displayName = input.displayName ?? email.slice(0, email.indexOf("@"))
      yield* records
        .tryInsert(users, { id, email, displayName, photoURL: null, createdAt: yield* now })
        .pipe(
          Effect.catchTag("UniqueViolation", () =>
            Effect.fail(new Conflict({ message: "There is a user with this e-mail address already." }))
          )
        )
      return id
    }),

    /** The account of an e-mail address. */
    findUser: Effect.fnUntraced(function* (email: string) {
      const row = yield* records.first(users, { where: Where.eq("email", email.trim().toLowerCase()) })
      if (row === undefined) return yield* NotFound.of("user")
      return row
    }),

    /** Makes an organization, with its first administrator. */
    createOrganization: Effect.fnUntraced(function* (input: CreateOrganization, administrator: UserId) {
      const id = OrganizationId.make(yield* ids.next)
      const time = yield* now
      yield* records.insert(organizations, {
        id,
        title: input.title,
        createdAt: time,
        type: "business",
        useCase: null,
        communityType: null,
        emailDomains: [],
        hostname: null,
        defaultRole: "read",
        defaultContent: null,
        logo: null,
        sso: false,
        ai: false,
        inviteLinks: true
      })
      yield* records.insert(members, {
        organization: id,
        user: administrator,
        id: yield* ids.next,
        role: "admin",
        disabled: false,
        sso: false,
        joinedAt: time,
        lastSeenAt: null
      })
      return id
    }, records.transaction),

    /** Makes a user a member, or gives a member another role. A null role is a guest. */
    setMember: Effect.fnUntraced(function* (organization: OrganizationId, user: UserId, role: RoleOrGuest) {
      const key = { organization, user }
      const row = yield* records.get(members, key)
      if (row !== undefined) {
        yield* records.update(
          members,
          Where.and(Where.eq("organization", organization), Where.eq("user", user)),
          { role }
        )
        return
      }
      yield* records.insert(members, {
        ...key,
        id: yield* ids.next,
        role,
        disabled: false,
        sso: false,
        joinedAt: yield* now,
        lastSeenAt: null
      })
    }, records.transaction),

    /** Whether there is nobody yet: the database is new. */
    isEmpty: Effect.map(records.first(users, {}), (row) => row === undefined)
  }
})

/** See the module's comment. */
export class Administration extends Context.Service<Administration, Effect.Success<typeof make>>()(
  "@lectern/core/organizations/Administration"
) {
  static readonly layer: Layer.Layer<Administration, never, Records | Ids> = Layer.effect(
    Administration,
    make
  )
}
