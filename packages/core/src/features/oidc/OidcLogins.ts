/**
 * Logins by OpenID Connect.
 *
 * A library in the server exchanges the code and verifies the ID token. This service is the part of a login that needs the
 * store and the secrets of the workspace: the state, which binds a login to its browser and its provider, and the account.
 */

import {
  type Authorization,
  addAuditDetails,
  type GrantedReader,
  type GrantedRecords,
  Locks,
  noteOwnCall,
  Operations,
  type OperatorOperation,
  OrganizationQuotas,
  SystemGrant
} from "@lectern/access"
import { Encryption, Ids, now, type Records, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  logoutPlace,
  members,
  type OidcSubjectRow,
  oidcSubjects,
  sessions,
  type UserRow,
  users
} from "@lectern/kernel/tables"
import { type Forbidden, NotFound, Unauthenticated } from "@lectern/model/errors"
import {
  BeginOidcLogin,
  FinishOidcLogin,
  OidcProviderName,
  OidcProviderOwner,
  type OidcProviderSettings,
  ResumeOidcLogin
} from "@lectern/model/oidc"
import { SessionId } from "@lectern/model/sessions"
import { UserId } from "@lectern/model/users"
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { findOrCreateUsers } from "../organizations/memberships.ts"
import type { StartedSession } from "../sessions/SignIns.ts"
import { makeSessionIssuer } from "../sessions/sessionIssuer.ts"
import {
  findOrganizationProvider,
  isProvisioned,
  type LoginProvider,
  type OidcClientSettings,
  providerOfSettings
} from "./loginProviders.ts"
import { OidcProviders } from "./OidcProviders.ts"
import { applyMembership } from "./oidcMemberships.ts"

/** A login that has started. */
export interface OidcLoginRequest {
  readonly settings: OidcClientSettings
  /** The state to send, which the provider returns. It is encrypted, and contains the other values. */
  readonly state: string
  /** The nonce that the ID token must have. */
  readonly nonce: string
  /** The PKCE code verifier, without which the provider rejects the code. */
  readonly verifier: string
}

/** Operations of the server for logins by OpenID Connect. They act for no user: the user is not authenticated yet. */
export interface OidcLoginsOperations {
  /** The providers of the instance, for the sign-in page. */
  readonly providers: ReadonlyArray<Pick<OidcProviderSettings, "id" | "label">>
  /** Starts a login. It expires after 10 minutes. Fails with `NotFound` if there is no such provider. */
  readonly begin: OperatorOperation<
    { provider: string; input: BeginOidcLogin },
    OidcLoginRequest,
    NotFound | Unauthenticated
  >
  /**
   * Returns the login of a state. Call it before exchanging the code: it fails with `Unauthenticated` if the state belongs to
   * another browser or another provider, or has expired.
   */
  readonly resume: OperatorOperation<
    { provider: string; input: ResumeOidcLogin },
    OidcLoginRequest,
    NotFound | Unauthenticated
  >
  /**
   * Signs in the user whom a verified ID token names. An account is found by the subject, and at the first login by the e-mail
   * address. Fails with `Unauthenticated` if the address is not verified, if no account or membership may be created, or if the
   * account with the address belongs to another user of this provider or to a user of another provider; and with `Forbidden` if
   * the membership of the user is disabled. The log of the organization of a provider has its rejected logins. The session of a provider of an organization is limited to the organization.
   */
  readonly finish: OperatorOperation<
    { provider: string; input: FinishOidcLogin },
    StartedSession,
    NotFound | Unauthenticated | Forbidden
  >
  /**
   * Returns whether a provider admits members of an organization: an active one of the organization, or one of the instance. It is
   * `false` for the providers of other organizations.
   */
  readonly admits: OperatorOperation<{ provider: string; input: OidcProviderOwner }, boolean>
  /** Returns the session at the provider by which a session was started; undefined for other sessions. */
  readonly readLogout: OperatorOperation<{ session: SessionId }, OidcLogout | undefined>
}

/** The session at a provider that a logout ends. */
export interface OidcLogout {
  /** The provider. */
  readonly settings: OidcClientSettings
  /** The ID token of the login; undefined if it was too long to be stored. */
  readonly idToken: string | undefined
}

/** The time that a user has to log in at the provider, in milliseconds: 10 minutes. */
const loginTimeoutMillis = 10 * 60 * 1_000

const statePlace = "OpenID Connect login"

const State = Schema.Struct({
  provider: Schema.String,
  nonce: Schema.String,
  verifier: Schema.String,
  browser: Schema.String,
  startedAt: Schema.Finite
})

const decodeState = Schema.decodeUnknownOption(Schema.fromJsonString(State))

const decodeLogout = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Struct({ provider: Schema.String, idToken: Schema.optionalKey(Schema.String) })
  )
)

const refused = (message: string) => new Unauthenticated({ reason: "LoginRefused", message })

const unverifiedAddress = refused("The identity provider has not verified your e-mail address.")

const noAccount = refused("No account has your e-mail address. Ask an administrator to invite you.")

const otherIdentity = refused(
  "The account with your e-mail address signs in by another identity. Use that one."
)

const expiredLogin = new Unauthenticated({
  reason: "LoginExpired",
  message: "The login has expired after 10 minutes, or did not start in this browser. Sign in again."
})

/** Whether an account is linked to a user of another provider with the same power, or to another user of this one. */
const isLinked = (records: GrantedRecords, { owner }: LoginProvider, user: UserId) =>
  Effect.map(
    records.count(
      oidcSubjects,
      Where.and<OidcSubjectRow>(
        Where.eq("user", user),
        // A provider of an organization must not prevent logins elsewhere.
        owner === undefined ? Where.isNull("organization") : Where.eq("organization", owner.organization)
      )
    ),
    (count) => count > 0
  )

/** Finds the account of a user of the provider, by the subject and else by the address. */
const findAccount = Effect.fnUntraced(function* (
  records: GrantedReader,
  provider: string,
  { subject, email }: FinishOidcLogin
): Effect.fn.Return<
  { readonly linked: UserRow | undefined; readonly existing: UserRow | undefined },
  StorageUnavailable
> {
  const known = yield* records.get(oidcSubjects, { provider, subject })
  const linked = known === undefined ? undefined : yield* records.get(users, { id: known.user })
  const existing =
    linked ?? (yield* records.first(users, { where: Where.eq<UserRow, "email">("email", email) }))
  return { linked, existing }
})

const makeProviderAccess = Effect.gen(function* () {
  const { allow } = yield* Operations
  const { grant } = yield* SystemGrant.make(
    "Signs people in by OpenID Connect, before they are authenticated."
  )
  const encryption = yield* Encryption
  const configured = yield* OidcProviders
  const byId = new Map(configured.map((settings) => [settings.id, providerOfSettings(settings)]))

  /** Returns a provider; undefined for an unknown one, and for one whose secret cannot be decrypted. */
  const find = (id: string) =>
    Effect.catchTag(
      Effect.suspend(() => {
        const provider = byId.get(id)
        return provider === undefined
          ? findOrganizationProvider(grant.records, encryption, id)
          : Effect.succeed(provider)
      }),
      "Unauthenticated",
      () => Effect.succeed(undefined)
    )

  const { rule } = allow.operator("the endpoints of OpenID Connect, before the user is authenticated")
  const check = () => Effect.succeed({ grant })
  const allowAll: Authorization<unknown, Record<never, never>, never, never> = { rule, check }

  const allowProvider: Authorization<
    { readonly provider: string },
    { readonly provider: LoginProvider },
    NotFound | Unauthenticated,
    never
  > = {
    rule,
    check: Effect.fnUntraced(function* ({ provider: id }) {
      const provider = byId.get(id) ?? (yield* findOrganizationProvider(grant.records, encryption, id))
      return provider === undefined ? yield* NotFound.of("OpenID Connect provider") : { grant, provider }
    })
  }

  const locksOf = ({ provider, input }: { readonly provider: string; readonly input: FinishOidcLogin }) => {
    const organization = byId.get(provider)?.organization
    return [
      ...Locks.memberships(input.user),
      ...(organization !== undefined
        ? Locks.organization({ organization })
        : byId.has(provider)
          ? []
          : Locks.organizationOfOidcProvider({ provider })),
      ...Locks.accounts
    ]
  }

  return { grant, byId, find, allowAll, allowProvider, locksOf }
})

const makeLogins = Effect.gen(function* () {
  const { query } = yield* Operations
  const encryption = yield* Encryption
  const random = yield* SecureRandom.SecureRandom
  const configured = yield* OidcProviders
  const generate = Effect.map(random.randomBytes(32), (bytes) => Base64Url.encode(bytes))
  const { allowProvider } = yield* makeProviderAccess

  return {
    providers: configured.map(({ id, label }) => ({ id, label })),

    begin: query(
      "OidcLogins.begin",
      { parameters: { provider: OidcProviderName, input: BeginOidcLogin }, authorize: allowProvider },
      function* ({ provider, input: { browser } }, { provider: { settings } }) {
        const [nonce, verifier] = [yield* generate, yield* generate]
        const startedAt = yield* Clock.currentTimeMillis
        const text = JSON.stringify({ provider, nonce, verifier, browser, startedAt })
        return { settings, nonce, verifier, state: yield* encryption.encrypt(text, statePlace) }
      }
    ),

    resume: query(
      "OidcLogins.resume",
      { parameters: { provider: OidcProviderName, input: ResumeOidcLogin }, authorize: allowProvider },
      function* ({ provider, input: { browser, state } }, { provider: { settings } }) {
        const text = yield* encryption.decrypt(state, statePlace)
        const login = text === undefined ? undefined : Option.getOrUndefined(decodeState(text))
        if (login === undefined || login.provider !== provider || login.browser !== browser) {
          return yield* expiredLogin
        }
        if ((yield* Clock.currentTimeMillis) - login.startedAt > loginTimeoutMillis)
          return yield* expiredLogin
        return { settings, state, nonce: login.nonce, verifier: login.verifier }
      }
    )
  }
})

const makeFinish = Effect.gen(function* () {
  const { command } = yield* Operations
  const ids = yield* Ids
  const quotas = yield* OrganizationQuotas
  const { start } = yield* makeSessionIssuer
  const { allowProvider, locksOf, byId, grant } = yield* makeProviderAccess

  /** Finds the account of a user of the provider, or creates it. */
  const accountOf = Effect.fnUntraced(function* (
    records: GrantedRecords,
    provider: LoginProvider,
    input: FinishOidcLogin
  ): Effect.fn.Return<UserRow, Unauthenticated | StorageUnavailable> {
    const { owner, settings } = provider
    const { subject, email, displayName } = input
    const { linked, existing } = yield* findAccount(records, settings.id, input)
    if (!isProvisioned(provider, email)) {
      // An administrator who configures a provider cannot add accounts of other domains to the organization. The membership is
      // queried without an account too: the duration of the login must not reveal whether another organization has the address.
      const user = existing?.id ?? UserId.make("none")
      const isMember =
        owner === undefined ||
        (yield* records.get(members, { organization: owner.organization, user }, ["id"])) !== undefined
      if (existing === undefined || !isMember) return yield* noAccount
    }
    if (linked !== undefined) return linked
    // The same address does not grant a user of one provider access to the account of a user of another.
    if (existing !== undefined && (yield* isLinked(records, provider, existing.id)))
      return yield* otherIdentity
    const account =
      existing ?? (yield* findOrCreateUsers(records, ids, new Map([[email, displayName]]))).get(email)!
    yield* records.insert(oidcSubjects, {
      provider: settings.id,
      subject,
      user: account.id,
      organization: owner?.organization ?? null,
      createdAt: yield* now
    })
    return account
  })

  return {
    finish: command(
      "OidcLogins.finish",
      {
        parameters: { provider: OidcProviderName, input: FinishOidcLogin },
        authorize: allowProvider,
        locks: locksOf,
        // Outside of the transaction, whose locks depend on the user: a session of a provider of the instance is recorded in the
        // logs of all of their organizations.
        prepare: ({ provider, input }) =>
          byId.has(provider)
            ? Effect.map(findAccount(grant.records, provider, input), ({ existing }) => ({
                provider,
                input: existing === undefined ? input : { ...input, user: existing.id }
              }))
            : undefined
      },
      function* ({ input }, { provider, records }) {
        const { owner, settings } = provider
        yield* addAuditDetails({ organization: provider.organization ?? null })
        if (!input.isEmailVerified) return yield* unverifiedAddress
        const account = yield* accountOf(records, provider, input)
        yield* addAuditDetails({ actor: account.id })
        yield* applyMembership(records, ids, quotas, provider, account, input.groups)
        const { row, secret } = yield* start(records, {
          user: account.id,
          method: "oidc",
          organization: owner?.organization ?? null,
          provider: owner?.id ?? null,
          client: input.client,
          logout: { provider: settings.id, idToken: input.idToken }
        })
        yield* addAuditDetails({ resources: [`session:${row.id}`] })
        if (owner === undefined) yield* noteOwnCall(records, account.id)
        return { id: row.id, user: row.user, secret, expiresAt: row.expiresAt }
      }
    )
  }
})

const makeLogouts = Effect.gen(function* () {
  const { query } = yield* Operations
  const encryption = yield* Encryption
  const { allowAll, find, grant } = yield* makeProviderAccess

  return {
    admits: query(
      "OidcLogins.admits",
      { parameters: { provider: OidcProviderName, input: OidcProviderOwner }, authorize: allowAll },
      function* ({ provider: id, input: { organization } }) {
        const provider = yield* find(id)
        return provider !== undefined && (provider.owner ?? { organization }).organization === organization
      }
    ),

    readLogout: query(
      "OidcLogins.readLogout",
      { parameters: { session: SessionId }, authorize: allowAll },
      function* ({ session }) {
        const row = yield* grant.records.get(sessions, { id: session }, ["logout"])
        const text =
          row?.logout == null ? undefined : yield* encryption.decrypt(row.logout, logoutPlace(session))
        const logout = text === undefined ? undefined : Option.getOrUndefined(decodeLogout(text))
        const provider = logout === undefined ? undefined : yield* find(logout.provider)
        return provider === undefined ? undefined : { settings: provider.settings, idToken: logout?.idToken }
      }
    )
  }
})

const makeOidcLogins = Effect.gen(function* () {
  return { ...(yield* makeLogins), ...(yield* makeFinish), ...(yield* makeLogouts) }
})

/** Operations of the server for logins by OpenID Connect: see {@link OidcLoginsOperations}. */
export class OidcLogins extends Context.Service<OidcLogins, OidcLoginsOperations>()(
  "@lectern/core/OidcLogins"
) {
  static readonly layer: Layer.Layer<OidcLogins, never, Records | Operations | Ids | Encryption> =
    Layer.effect(OidcLogins, makeOidcLogins).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
