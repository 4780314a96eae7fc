/**
 * What the operator of a workspace does, beside what its users do: it acts for nobody and asks nobody. Hosts call
 * it to bring their own accounts in, the command line to make the first ones.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { ApiTokens } from "../access/ApiTokens.ts"
import { RoleOrGuest } from "../access/Role.ts"
import { Conflict, NotFound } from "../errors.ts"
import { Ids } from "../shared/Id.ts"
import { now } from "../shared/Now.ts"
import { command, query } from "../shared/Operation.ts"
import { trimmed } from "../shared/Text.ts"
import { Records, Where } from "../storage/index.ts"
import { type MemberRow, members } from "./Member.ts"
import { CreateOrganization, OrganizationId, organizations } from "./Organization.ts"
import { Email, UserId, users } from "./User.ts"

/** What an account is made from. */
export const CreateUser = Schema.Struct({
  email: Email,
  /** What others see; by default the part of the address before the @. */
  displayName: Schema.optionalKey(trimmed({ min: 1, max: 100 }))
})

/** What a new workspace starts with: the title of its organization, the address of its administrator. */
export const Bootstrap = Schema.Struct({
  organization: CreateOrganization.fields.title,
  email: Email,
  /** The administrator's API token; a new one by default. */
  secret: Schema.optionalKey(Schema.Redacted(Schema.String))
})

const make = Effect.gen(function* () {
  const records = yield* Records
  const ids = yield* Ids
  const tokens = yield* ApiTokens

  const change = command(records)

  /** Makes an account. `Conflict` where the address has one. */
  const createUser = change([CreateUser], function* ({ email, ...input }) {
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
  })

  const insertMember = Effect.fnUntraced(function* (
    organization: OrganizationId,
    user: UserId,
    role: RoleOrGuest
  ) {
    yield* records.insert(members, {
      organization,
      user,
      id: yield* ids.next,
      role,
      disabled: false,
      sso: false,
      joinedAt: yield* now,
      lastSeenAt: null
    })
  })

  /** Makes an organization, with its first administrator. */
  const createOrganization = change([CreateOrganization, UserId], function* (input, administrator) {
    const id = OrganizationId.make(yield* ids.next)
    yield* records.insert(organizations, {
      id,
      title: input.title,
      createdAt: yield* now,
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
    yield* insertMember(id, administrator, "admin")
    return id
  })

  return {
    createUser,
    createOrganization,

    /** The account of an e-mail address. */
    findUser: query([Email], function* (email) {
      const row = yield* records.first(users, { where: Where.eq("email", email) })
      if (row === undefined) return yield* NotFound.of("user")
      return row
    }),

    /**
     * Makes a user a member, or gives a member another role. A null role is a guest. `Conflict` where it would leave
     * the organization without an administrator.
     */
    setMember: change([OrganizationId, UserId, RoleOrGuest], function* (organization, user, role) {
      const row = yield* records.get(members, { organization, user })
      if (row === undefined) {
        yield* insertMember(organization, user, role)
        return
      }
      const itself = Where.and<MemberRow>(Where.eq("organization", organization), Where.eq("user", user))
      if (row.role === "admin" && role !== "admin") {
        const administrators = yield* records.count(
          members,
          Where.and<MemberRow>(
            Where.eq("organization", organization),
            Where.eq("role", "admin"),
            Where.eq("disabled", false)
          )
        )
        if (administrators === 1) return yield* lastAdministrator
      }
      yield* records.update(members, itself, { role })
    }),

    /**
     * Makes the first organization, with its administrator, where there is no user yet; `undefined` where there is.
     * Of several processes that start at once, one does it.
     */
    bootstrap: change([Bootstrap], function* ({ organization: title, email, secret: given }) {
      const someone = yield* records.first(users, {})
      if (someone !== undefined) return undefined
      const administrator = yield* createUser({ email })
      const organization = yield* createOrganization({ title }, administrator)
      const { secret } = yield* tokens.create({
        user: administrator,
        label: "First administrator",
        ...(given === undefined ? {} : { secret: given })
      })
      return { administrator, organization, secret }
    })
  }
})

/** An organization always has somebody who can administrate it (decision D13). */
const lastAdministrator = new Conflict({
  message: "The organization needs an administrator, and this is its last."
})

/** See the module's comment. */
export class Administration extends Context.Service<Administration, Effect.Success<typeof make>>()(
  "@lectern/core/organizations/Administration"
) {
  static readonly layer: Layer.Layer<Administration, never, Records | Ids | ApiTokens> = Layer.effect(
    Administration,
    make
  )
}
