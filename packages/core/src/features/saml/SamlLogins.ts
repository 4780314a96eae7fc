/**
 * Logins by SAML.
 *
 * A SAML library in the server builds requests, and verifies the signature, audience, recipient and times of responses.
 * This service is the part of a login that needs the store: it validates that a response is for a request of this
 * workspace and is not replayed, finds or creates the user, and issues a token.
 */

import {
  type Authorization,
  addAuditDetails,
  type Granted,
  type GrantedRecords,
  Locks,
  Operations,
  type OperatorOperation,
  OrganizationQuotas,
  requireQuota,
  SystemGrant
} from "@lectern/access"
import { Ids, PublicUrl, type Records, Signatures, toTimestamp, Where } from "@lectern/kernel"
import {
  isInUse,
  members,
  organizations,
  type SamlProviderRow,
  samlAnswers,
  samlProviders,
  teamMembers
} from "@lectern/kernel/tables"
import { type Conflict, type Forbidden, NotFound, Unauthenticated } from "@lectern/model/errors"
import {
  BeginSamlLogin,
  FinishSamlLogin,
  ResumeSamlLogin,
  type SamlBrowserLogin,
  type SamlLogin,
  type SamlLoginRequest,
  type SamlParties,
  SamlProviderId,
  type SamlService
} from "@lectern/model/saml"
import { Clock, Context, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  findOrCreateUsers,
  insertMember,
  membership,
  membershipDisabled
} from "../organizations/memberships.ts"
import { makeSignInLinkIssuer } from "../sessions/signInLinks.ts"
import { TokenLifetimes } from "../tokens/TokenLifetimes.ts"
import { makeTokenIssuer } from "../tokens/tokenIssuer.ts"
import { toPem } from "./certificate.ts"
import { serviceOf } from "./serviceAddresses.ts"

/** Operations of the server for logins by SAML. They act for no user: the user is not authenticated yet. */
export interface SamlLoginsOperations {
  /**
   * Returns the settings of both parties of a login that has started. Call it before parsing a response: it fails with
   * `Unauthenticated` if the relay state is invalid or expired, and with `NotFound` if the provider is not active.
   */
  readonly resume: OperatorOperation<
    { provider: SamlProviderId; input: ResumeSamlLogin },
    SamlParties,
    NotFound | Unauthenticated
  >
  /**
   * Returns the settings of Lectern as the service provider, for its SAML metadata. The provider need not be active.
   * Fails with `NotFound` if it does not exist.
   */
  readonly getService: OperatorOperation<{ provider: SamlProviderId }, SamlService, NotFound>
  /**
   * Starts a login: returns the id of the SAML request to send, and the relay state that the identity provider returns
   * with its response. The login expires after 10 minutes. Fails with `NotFound` if the provider is not active.
   */
  readonly begin: OperatorOperation<
    { provider: SamlProviderId; input?: BeginSamlLogin },
    SamlLoginRequest,
    NotFound
  >
  /**
   * Logs in the user whom a verified response names: finds or creates the account with the e-mail address, adds a new
   * member with the provider's default role and team, and returns an API token for this organization that expires
   * after 30 days, or after the maximum lifetime of tokens. Fails with `Unauthenticated` if the login has expired, or if the response is for another request or
   * was used before; with `Forbidden` if the membership of the user is disabled; and with `NotFound` if the provider is
   * not active.
   */
  readonly finish: OperatorOperation<
    { provider: SamlProviderId; input: FinishSamlLogin },
    SamlLogin,
    NotFound | Forbidden | Unauthenticated | Conflict
  >
  /**
   * Logs a user in as `finish` does, and returns a one-time link instead of a token. It expires after 5 minutes, and starts a
   * session that is limited to the organization. The browser that has started the login uses it without a confirmation.
   */
  readonly finishInBrowser: OperatorOperation<
    { provider: SamlProviderId; input: FinishSamlLogin },
    SamlBrowserLogin,
    NotFound | Forbidden | Unauthenticated | Conflict
  >
}

/** The time that a user has to log in at the identity provider, in milliseconds: 10 minutes. */
const loginTimeoutMillis = 10 * 60 * 1000

/** The time in which the browser follows the link of a login, in milliseconds: 5 minutes. */
const linkLifetimeMillis = 5 * 60 * 1000

/** The lifetime of the token of a login, in milliseconds: 30 days. */
const tokenLifetimeMillis = 30 * 24 * 60 * 60 * 1000

const locksOf = (login: { readonly provider: SamlProviderId }) => [
  ...Locks.organizationOfProvider(login),
  ...Locks.accounts
]

const makeLoginAccess = Effect.gen(function* () {
  const { allow } = yield* Operations
  const { grant } = yield* SystemGrant.make("Logs users in by SAML, before they are authenticated.")
  const { rule } = allow.operator("the SAML endpoints of the server, before the user is authenticated")

  const isOfOrganizationInUse = ({ organization }: Pick<SamlProviderRow, "organization">) =>
    Effect.map(grant.records.get(organizations, { id: organization }, ["deletedAt"]), isInUse)

  const allowActive: Authorization<
    { readonly provider: SamlProviderId },
    { readonly row: SamlProviderRow },
    NotFound,
    never
  > = {
    rule,
    check: Effect.fnUntraced(function* ({ provider }) {
      const row = yield* grant.records.get(samlProviders, { id: provider })
      if (row === undefined || !row.isActive || !(yield* isOfOrganizationInUse(row)))
        return yield* NotFound.of("SAML provider")
      return { grant, row }
    })
  }

  const allowExisting: Authorization<{ readonly provider: SamlProviderId }, Granted, NotFound, never> = {
    rule,
    check: Effect.fnUntraced(function* ({ provider }) {
      const row = yield* grant.records.get(samlProviders, { id: provider }, ["organization"])
      if (row === undefined || !(yield* isOfOrganizationInUse(row))) {
        return yield* NotFound.of("SAML provider")
      }
      return { grant }
    })
  }

  return { allowActive, allowExisting }
})

const makeAdmission = Effect.gen(function* () {
  const quotas = yield* OrganizationQuotas
  const ids = yield* Ids
  const signatures = yield* Signatures

  /** Returns the request id and the browser of a relay state that was signed for this provider and has not expired. */
  const verifyState = Effect.fnUntraced(function* (provider: SamlProviderId, state: string) {
    const [requestId = "", startedAt = "", browser = "", signature = ""] = state.split(".")
    const isSigned = yield* signatures.verify(signature, "saml", provider, requestId, startedAt, browser)
    const age = (yield* Clock.currentTimeMillis) - Number.parseInt(startedAt, 36)
    if (!isSigned || !(age <= loginTimeoutMillis)) {
      return yield* new Unauthenticated({
        reason: "LoginExpired",
        message: "The login has expired after 10 minutes, or did not start here. Log in again."
      })
    }
    return { requestId, browser: browser === "" ? undefined : browser }
  })

  /** Admits the user whom a verified response names: finds or creates the account and the membership. */
  const admit = Effect.fnUntraced(function* (
    records: GrantedRecords,
    row: SamlProviderRow,
    { identity, state }: FinishSamlLogin
  ) {
    const { id: provider, organization, defaultRole, defaultTeam } = row
    yield* addAuditDetails({ organization })
    const { requestId, browser } = yield* verifyState(provider, state)
    if (requestId !== identity.inResponseTo) {
      return yield* new Unauthenticated({
        reason: "LoginMismatch",
        message: "The SAML response is for another request (InResponseTo mismatch). Log in again."
      })
    }
    const time = yield* Clock.currentTimeMillis
    yield* records.remove(
      samlAnswers,
      Where.and(Where.eq("provider", provider), Where.lt("expiresAt", toTimestamp(time)))
    )
    // The request id is stored until `verifyState` rejects its state as expired.
    const isNew = yield* records.insertMissing(samlAnswers, [
      { organization, provider, question: requestId, expiresAt: toTimestamp(time + loginTimeoutMillis) }
    ])
    if (isNew === 0) {
      return yield* new Unauthenticated({
        reason: "LoginReplayed",
        message: "The SAML response was used before. Log in again."
      })
    }
    const accounts = yield* findOrCreateUsers(records, ids, new Map([[identity.email, identity.displayName]]))
    const user = accounts.get(identity.email)!
    yield* addAuditDetails({ actor: user.id })
    const member = yield* records.get(members, { organization, user: user.id })
    if (member?.disabled === true) return yield* membershipDisabled
    if (member === undefined) {
      const owner = yield* records.get(organizations, { id: organization }, ["id", "sso", "secondFactor"])
      yield* requireQuota(quotas, records, owner!.id, "members", 1)
      yield* insertMember(records, ids, owner!, user, { role: defaultRole, sso: true, ssoLogin: true })
    } else if (!member.sso) {
      // The login does not admit other tokens of the member, which `ssoMissing` still denies.
      yield* records.update(members, membership(organization, user.id), { sso: true, ssoLogin: true })
    }
    if (member === undefined && defaultTeam !== null) {
      yield* records.insertMissing(teamMembers, [
        { team: defaultTeam, user: user.id, organization, role: "member" }
      ])
    }
    return { user, browser, time }
  })

  return { verifyState, admit }
})

const makeSamlLogins = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const ids = yield* Ids
  const { issue: issueToken } = yield* makeTokenIssuer
  const createLink = yield* makeSignInLinkIssuer
  const signatures = yield* Signatures
  const base = yield* PublicUrl
  const { maximumMillis } = yield* TokenLifetimes
  const { allowActive, allowExisting } = yield* makeLoginAccess
  const { verifyState, admit } = yield* makeAdmission

  const partiesOf = ({ id, entityID, certificate, ssoURL }: SamlProviderRow): SamlParties => ({
    service: serviceOf(base, id),
    provider: { entityID: entityID!, certificate: toPem(certificate!), ssoURL: ssoURL! }
  })

  return {
    resume: query(
      "SamlLogins.resume",
      { parameters: { provider: SamlProviderId, input: ResumeSamlLogin }, authorize: allowActive },
      function* ({ provider, input: { state } }, { row }) {
        yield* verifyState(provider, state)
        return partiesOf(row)
      }
    ),

    getService: query(
      "SamlLogins.getService",
      { parameters: { provider: SamlProviderId }, authorize: allowExisting },
      function* ({ provider }) {
        return serviceOf(base, provider)
      }
    ),

    begin: query(
      "SamlLogins.begin",
      { parameters: { provider: SamlProviderId, input: BeginSamlLogin }, authorize: allowActive },
      function* ({ provider, input: { browser = "" } }, { row }) {
        const parties = partiesOf(row)
        // The id of a SAML message is an XML NCName, which cannot start with a digit.
        const requestId = `_${yield* ids.next}`
        const startedAt = (yield* Clock.currentTimeMillis).toString(36)
        const sign = yield* signatures.signer
        const signature = sign("saml", provider, requestId, startedAt, browser)
        const state = [requestId, startedAt, browser, signature].join(".")
        return { parties, requestId, state }
      }
    ),

    finish: command(
      "SamlLogins.finish",
      {
        parameters: { provider: SamlProviderId, input: FinishSamlLogin },
        authorize: allowActive,
        locks: locksOf
      },
      function* ({ provider, input }, { row, records }) {
        const { user, time } = yield* admit(records, row, input)
        const { organization } = row
        const { secret, row: token } = yield* issueToken(records, {
          user: user.id,
          organization,
          samlProvider: provider,
          label: `Single sign-on: ${row.label}`,
          expiresAt: toTimestamp(time + Math.min(tokenLifetimeMillis, maximumMillis ?? tokenLifetimeMillis))
        })
        yield* addAuditDetails({ token: token.id })
        return { token: secret, user: user.id, organization, expiresAt: token.expiresAt! }
      }
    ),

    finishInBrowser: command(
      "SamlLogins.finishInBrowser",
      {
        parameters: { provider: SamlProviderId, input: FinishSamlLogin },
        authorize: allowActive,
        locks: locksOf
      },
      function* ({ provider, input }, { row, records }) {
        const { user, browser } = yield* admit(records, row, input)
        const { organization } = row
        const { secret } = yield* createLink(records, {
          user: user.id,
          method: "saml",
          organization,
          provider,
          browserDigest: browser,
          lifetimeMillis: linkLifetimeMillis
        })
        return { link: secret }
      }
    )
  }
})

/** Operations of the server for logins by SAML: see {@link SamlLoginsOperations}. */
export class SamlLogins extends Context.Service<SamlLogins, SamlLoginsOperations>()(
  "@lectern/core/SamlLogins"
) {
  static readonly layer: Layer.Layer<SamlLogins, never, Records | Operations | Ids | Signatures> =
    Layer.effect(SamlLogins, makeSamlLogins).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
