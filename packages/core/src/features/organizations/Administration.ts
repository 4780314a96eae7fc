/**
 * What the operator of a workspace does, beside what its users do: it acts for nobody and asks nobody. Hosts call
 * it to bring their own accounts in, the command line to make the first ones.
 */
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { ApiTokens } from "../../access/ApiTokens.ts"
import { Conflict, NotFound } from "../../kernel/errors.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { trimmed } from "../../kernel/schema/Text.ts"
import { Records, Where } from "../../kernel/storage/index.ts"
import { now } from "../../kernel/time.ts"
import { members } from "../../model/organizations/Member.ts"
import {
  CreateOrganization,
  OrganizationId,
  type OrganizationRow,
  organizations
} from "../../model/organizations/Organization.ts"
import { RoleOrGuest } from "../../model/roles/Role.ts"
import { Email, UserId, users } from "../../model/users/User.ts"
import { join, makeUser, membership, spare } from "./memberships.ts"

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

/** How long the key of an organization is, in bytes: as long as the hash that it is used with. */
const visitorKeyBytes = 32

const makeAdministration = Effect.gen(function* () {
  const records = yield* Records
  const ids = yield* Ids
  const tokens = yield* ApiTokens
  const random = yield* SecureRandom.SecureRandom

  const change = command(records)

  /** Makes an account. `Conflict` where the address has one. */
  const createUser = change([CreateUser], function* ({ email, ...input }) {
    const row = yield* makeUser(ids, email, input.displayName)
    yield* records
      .tryInsert(users, row)
      .pipe(
        Effect.catchTag("UniqueViolation", () =>
          Effect.fail(new Conflict({ message: "There is a user with this e-mail address already." }))
        )
      )
    return row.id
  })

  const loadUser = Effect.fnUntraced(function* (id: UserId) {
    const user = yield* records.get(users, { id })
    return user ?? (yield* NotFound.of("user"))
  })

  /** Makes an organization, with its first administrator. */
  const createOrganization = change([CreateOrganization, UserId], function* (input, administrator) {
    const user = yield* loadUser(administrator)
    const row: OrganizationRow = {
      id: OrganizationId.make(yield* ids.next),
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
      inviteLinks: true,
      visitorKey: null
    }
    yield* records.insert(organizations, row)
    yield* join(records, ids, row, user, { role: "admin" })
    return row.id
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
        const owner = yield* records.get(organizations, { id: organization })
        if (owner === undefined) return yield* NotFound.of("organization")
        yield* join(records, ids, owner, yield* loadUser(user), { role })
        return
      }
      if (role !== "admin") yield* spare(records, row)
      yield* records.update(members, membership(organization, user), { role })
    }),

    /**
     * Gives an organization a new key that the claims of its members are signed with (`Members.ping`), and answers
     * it: sites that show members more take it to check them. Claims that were signed with an earlier one are void.
     */
    renewVisitorKey: change([OrganizationId], function* (organization) {
      const key = Base64Url.encode(yield* random.randomBytes(visitorKeyBytes))
      const changed = yield* records.update(organizations, Where.eq("id", organization), { visitorKey: key })
      if (changed === 0) return yield* NotFound.of("organization")
      return Redacted.make(key)
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

/** See the module's comment. */
export class Administration extends Context.Service<
  Administration,
  Effect.Success<typeof makeAdministration>
>()("@lectern/core/Administration") {
  static readonly layer: Layer.Layer<Administration, never, Records | Ids | ApiTokens> = Layer.effect(
    Administration,
    makeAdministration
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
