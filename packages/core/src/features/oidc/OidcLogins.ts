/**
 * Logins by OpenID Connect.
 *
 * A library in the server exchanges the code and verifies the ID token. This service is the part of a login that needs the
 * store and the secrets of the workspace: the state, which binds a login to its browser and its provider, and the account.
 */

import { type Forbidden, NotFound, Unauthenticated } from "@lectern/model/errors"
import {
  BeginOidcLogin,
  FinishOidcLogin,
  OidcProviderId,
  type OidcProviderSettings,
  ResumeOidcLogin
} from "@lectern/model/oidc"
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { addAuditDetails } from "../../access/AuditedCall.ts"
import type { GrantedRecords } from "../../access/grants/Grant.ts"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import { OrganizationQuotas } from "../../access/limits/quotas.ts"
import type { Authorization } from "../../access/operations/Authorization.ts"
import { Locks } from "../../access/operations/Locks.ts"
import type { OperatorOperation } from "../../access/operations/Operation.ts"
import { Operations } from "../../access/operations/Operations.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { Encryption } from "../../kernel/security/Encryption.ts"
import { type Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { now } from "../../kernel/time.ts"
import { type OidcSubjectRow, oidcSubjects } from "../../tables/oidc/oidcSubjectTable.ts"
import { type UserRow, users } from "../../tables/users/userTable.ts"
import { findOrCreateUsers } from "../organizations/memberships.ts"
import type { StartedSession } from "../sessions/SignIns.ts"
import { makeSessionIssuer } from "../sessions/sessionIssuer.ts"
import { OidcProviders } from "./OidcProviders.ts"
import { applyMembership } from "./oidcMemberships.ts"

/** A login that has started. */
export interface OidcLoginRequest {
  readonly settings: OidcProviderSettings
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
  readonly begin: OperatorOperation<{ provider: string; input: BeginOidcLogin }, OidcLoginRequest, NotFound>
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
   * address. Fails with `Unauthenticated` if no account may be created, or if the account with the address belongs to another user
   * of this provider or to a user of another provider; and with `Forbidden` if the membership of the user is disabled.
   */
  readonly finish: OperatorOperation<
    { provider: string; input: FinishOidcLogin },
    StartedSession,
    NotFound | Unauthenticated | Forbidden
  >
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

const refused = (message: string) => new Unauthenticated({ reason: "LoginRefused", message })

const expiredLogin = new Unauthenticated({
  reason: "LoginExpired",
  message: "The login has expired after 10 minutes, or did not start in this browser. Sign in again."
})

/** Whether accounts are created for an e-mail address. */
const isProvisioned = ({ domains = [] }: OidcProviderSettings, email: string): boolean => {
  const domain = email.slice(email.lastIndexOf("@") + 1)
  return domains.some((one) => one === "*" || one.toLowerCase() === domain)
}

const makeOidcLogins = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const { grant } = yield* SystemGrant.make(
    "Signs people in by OpenID Connect, before they are authenticated."
  )
  const ids = yield* Ids
  const quotas = yield* OrganizationQuotas
  const encryption = yield* Encryption
  const random = yield* SecureRandom.SecureRandom
  const { start } = yield* makeSessionIssuer
  const configured = yield* OidcProviders
  const byId = new Map(configured.map((settings) => [settings.id, settings]))

  const generate = Effect.map(random.randomBytes(32), (bytes) => Base64Url.encode(bytes))

  const allowProvider: Authorization<
    { readonly provider: string },
    { readonly settings: OidcProviderSettings },
    NotFound,
    never
  > = {
    rule: allow.operator("the endpoints of OpenID Connect, before the user is authenticated").rule,
    check: ({ provider }) => {
      const settings = byId.get(provider)
      return settings === undefined
        ? Effect.fail(NotFound.of("SAML provider"))
        : Effect.succeed({ grant, settings })
    }
  }

  const locksOf = ({ provider }: { readonly provider: string }) => {
    const organization = byId.get(provider)?.organization
    return [...(organization === undefined ? [] : Locks.organization({ organization })), ...Locks.accounts]
  }

  /** Finds the account of a user of the provider, or creates it. */
  const accountOf = Effect.fnUntraced(function* (
    records: GrantedRecords,
    settings: OidcProviderSettings,
    { subject, email, displayName }: FinishOidcLogin
  ): Effect.fn.Return<UserRow, Unauthenticated | StorageUnavailable> {
    const known = yield* records.get(oidcSubjects, { provider: settings.id, subject })
    const linked = known === undefined ? undefined : yield* records.get(users, { id: known.user })
    if (linked !== undefined) return linked
    const existing = yield* records.first(users, { where: Where.eq<UserRow, "email">("email", email) })
    if (existing === undefined && !isProvisioned(settings, email)) {
      return yield* refused("No account has your e-mail address. Ask an administrator to invite you.")
    }
    const others =
      existing === undefined
        ? 0
        : yield* records.count(oidcSubjects, Where.eq<OidcSubjectRow, "user">("user", existing.id))
    // The same address does not grant a user of one provider access to the account of a user of another.
    if (others > 0) {
      return yield* refused(
        "The account with your e-mail address signs in by another identity. Use that one."
      )
    }
    const account =
      existing ?? (yield* findOrCreateUsers(records, ids, new Map([[email, displayName]]))).get(email)!
    yield* records.insert(oidcSubjects, {
      provider: settings.id,
      subject,
      user: account.id,
      createdAt: yield* now
    })
    return account
  })

  return {
    providers: configured.map(({ id, label }) => ({ id, label })),

    begin: query(
      "OidcLogins.begin",
      { parameters: { provider: OidcProviderId, input: BeginOidcLogin }, authorize: allowProvider },
      function* ({ provider, input: { browser } }, { settings }) {
        const [nonce, verifier] = [yield* generate, yield* generate]
        const startedAt = yield* Clock.currentTimeMillis
        const text = JSON.stringify({ provider, nonce, verifier, browser, startedAt })
        return { settings, nonce, verifier, state: yield* encryption.encrypt(text, statePlace) }
      }
    ),

    resume: query(
      "OidcLogins.resume",
      { parameters: { provider: OidcProviderId, input: ResumeOidcLogin }, authorize: allowProvider },
      function* ({ provider, input: { browser, state } }, { settings }) {
        const text = yield* encryption.decrypt(state, statePlace)
        const login = text === undefined ? undefined : Option.getOrUndefined(decodeState(text))
        if (login === undefined || login.provider !== provider || login.browser !== browser) {
          return yield* expiredLogin
        }
        if ((yield* Clock.currentTimeMillis) - login.startedAt > loginTimeoutMillis)
          return yield* expiredLogin
        return { settings, state, nonce: login.nonce, verifier: login.verifier }
      }
    ),

    finish: command(
      "OidcLogins.finish",
      {
        parameters: { provider: OidcProviderId, input: FinishOidcLogin },
        authorize: allowProvider,
        locks: locksOf
      },
      function* ({ input }, { settings, records }) {
        const account = yield* accountOf(records, settings, input)
        yield* applyMembership(records, ids, quotas, settings, account, input.groups)
        const { row, secret } = yield* start(records, {
          user: account.id,
          method: "oidc",
          client: input.client
        })
        yield* addAuditDetails({
          organization: settings.organization ?? null,
          actor: account.id,
          resources: [`session:${row.id}`]
        })
        return { id: row.id, user: row.user, secret, expiresAt: row.expiresAt }
      }
    )
  } satisfies OidcLoginsOperations
})

/** Operations of the server for logins by OpenID Connect: see {@link OidcLoginsOperations}. */
export class OidcLogins extends Context.Service<OidcLogins, OidcLoginsOperations>()(
  "@lectern/core/OidcLogins"
) {
  static readonly layer: Layer.Layer<OidcLogins, never, Records | Operations | Ids | Encryption> =
    Layer.effect(OidcLogins, makeOidcLogins).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
