/**
 * Logging in by SAML (decision D13): what Lectern asks an identity provider, and what it makes of the answer.
 *
 * The messages themselves are written and checked by a SAML library on the side of the server; it hands over what an
 * answer says once the signature, the audience, the recipient and the times of it are good. What needs the store is
 * here: whether the answer is to a question that was asked, whether it was given before, who it is, and their token.
 */
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { ApiTokens } from "../../access/ApiTokens.ts"
import { Forbidden, NotFound, Unauthenticated } from "../../kernel/errors.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { text } from "../../kernel/schema/Text.ts"
import { isSame, Signatures } from "../../kernel/security/Signatures.ts"
import { Records, Where } from "../../kernel/storage/index.ts"
import { toTimestamp } from "../../kernel/time.ts"
import { members } from "../../model/organizations/Member.ts"
import { organizations } from "../../model/organizations/Organization.ts"
import { teamMembers } from "../../model/organizations/Team.ts"
import {
  SamlProviderId,
  type SamlProviderRow,
  samlAnswers,
  samlProviders
} from "../../model/saml/SamlProvider.ts"
import { Email } from "../../model/users/User.ts"
import { join, membership, usersOf } from "../organizations/memberships.ts"
import { toPem } from "./certificate.ts"
import { serviceOf } from "./serviceAddresses.ts"

/** How long somebody has to log in at the identity provider, in milliseconds. */
const loginTimeoutMillis = 10 * 60 * 1000

/** How long the token of a log-in works, in milliseconds: 30 days. */
const tokenMillis = 30 * 24 * 60 * 60 * 1000

/** What an identity provider says of somebody, after its answer was checked. */
export const SamlIdentity = Schema.Struct({
  /** The id of the question that it answers: signed with the rest. */
  inResponseTo: text({ min: 1, max: 512 }),
  email: Email,
  /** What others see. */
  displayName: Schema.optionalKey(text({ max: 1_000 }))
})

/** What the library needs to know of both sides. */
export interface SamlParties {
  readonly service: ReturnType<typeof serviceOf>
  readonly provider: { readonly entityID: string; readonly certificate: string; readonly ssoURL: string }
}

const makeSamlLogins = Effect.gen(function* () {
  const records = yield* Records
  const ids = yield* Ids
  const tokens = yield* ApiTokens
  const signatures = yield* Signatures
  const base = yield* PublicUrl

  const change = command(records)

  /** A provider that people can log in by. */
  const active = Effect.fnUntraced(function* (id: SamlProviderId) {
    const row = yield* records.get(samlProviders, { id })
    if (row === undefined || !row.isActive) return yield* NotFound.of("SAML provider")
    return row
  })

  const partiesOf = ({ id, entityID, certificate, ssoURL }: SamlProviderRow): SamlParties => ({
    service: serviceOf(base, id),
    provider: { entityID: entityID!, certificate: toPem(certificate!), ssoURL: ssoURL! }
  })

  /** The question that a state is of, where it was asked of this provider, and not too long ago. */
  const questionOf = Effect.fnUntraced(function* (provider: SamlProviderId, state: string) {
    const [question = "", asked = "", signature = ""] = state.split(".")
    const sign = yield* signatures.signer
    const age = (yield* Clock.currentTimeMillis) - Number.parseInt(asked, 36)
    if (!isSame(signature, sign("saml", provider, question, asked)) || !(age <= loginTimeoutMillis)) {
      return yield* new Unauthenticated({
        message: "The log-in was not begun here, or too long ago; begin it again."
      })
    }
    return question
  })

  return {
    /** What both sides are, for a provider that can be used. */
    parties: query([SamlProviderId], function* (id) {
      return partiesOf(yield* active(id))
    }),

    /** Lectern's side alone: what the provider is configured with, so before it can be used too. */
    service: query([SamlProviderId], function* (id) {
      if ((yield* records.get(samlProviders, { id }, ["id"])) === undefined) {
        return yield* NotFound.of("SAML provider")
      }
      return serviceOf(base, id)
    }),

    /** Begins to log somebody in: the id of the question to ask, and the state that comes back with the answer. */
    begin: query([SamlProviderId], function* (id) {
      const parties = partiesOf(yield* active(id))
      // The id of a message in XML begins with a letter or with this.
      const question = `_${yield* ids.next}`
      const asked = (yield* Clock.currentTimeMillis).toString(36)
      const sign = yield* signatures.signer
      return { parties, question, state: [question, asked, sign("saml", id, question, asked)].join(".") }
    }),

    /**
     * Logs in who the identity provider vouches for: finds their account by the address, or makes one, makes them a
     * member with the provider's default role and team, and answers a token for 30 days that opens this organization
     * alone. `Unauthenticated` for an answer to another question, and for one that was given before.
     */
    finish: change([SamlProviderId, SamlIdentity, text({ max: 1_000 })], function* (id, identity, state) {
      const provider = yield* active(id)
      const question = yield* questionOf(id, state)
      if (question !== identity.inResponseTo) {
        return yield* new Unauthenticated({ message: "The answer is not to the question that was asked." })
      }
      const time = yield* Clock.currentTimeMillis
      yield* records.remove(
        samlAnswers,
        Where.and(Where.eq("provider", id), Where.lt("expiresAt", toTimestamp(time)))
      )
      // It is remembered until it would be refused for its age anyway.
      const isNew = yield* records.insertMissing(samlAnswers, [
        { provider: id, question, expiresAt: toTimestamp(time + loginTimeoutMillis) }
      ])
      if (isNew === 0) {
        return yield* new Unauthenticated({ message: "Somebody has logged in by this answer already." })
      }

      const { organization, defaultRole, defaultTeam } = provider
      const people = yield* usersOf(records, ids, new Map([[identity.email, identity.displayName]]))
      const user = people.get(identity.email)!
      const member = yield* records.get(members, { organization, user: user.id })
      if (member?.disabled === true) {
        return yield* new Forbidden({ message: "Your membership of the organization is disabled." })
      }
      if (member === undefined) {
        const owner = yield* records.get(organizations, { id: organization }, ["id", "sso"])
        yield* join(records, ids, owner!, user, { role: defaultRole, sso: true })
      } else {
        yield* records.update(members, membership(organization, user.id), { sso: true, ssoMissing: false })
      }
      if (member === undefined && defaultTeam !== null) {
        yield* records.insertMissing(teamMembers, [
          { team: defaultTeam, user: user.id, organization, role: "member" }
        ])
      }
      const made = yield* tokens.create({
        user: user.id,
        organization,
        label: `Single sign-on: ${provider.label}`,
        expiresAt: toTimestamp(time + tokenMillis)
      })
      return { token: made.secret, user: user.id, organization, expiresAt: made.token.expiresAt! }
    })
  }
})

/** See the module's comment. */
export class SamlLogins extends Context.Service<SamlLogins, Effect.Success<typeof makeSamlLogins>>()(
  "@lectern/core/SamlLogins"
) {
  static readonly layer: Layer.Layer<SamlLogins, never, Records | Ids | ApiTokens | Signatures> =
    Layer.effect(SamlLogins, makeSamlLogins)
}
