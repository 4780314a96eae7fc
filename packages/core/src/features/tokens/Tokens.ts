/** Operations on API tokens, for their users and for the administrators of organizations. */

import {
  Access,
  type AccessError,
  type Authorization,
  addAuditDetails,
  type Command,
  type Identity,
  Locks,
  loginProviderOf,
  noteOwnCall,
  Operations,
  type Query,
  requireSecondFactor,
  withFreshSignIn,
  withOwnPasskey
} from "@lectern/access"
import { encodeSet, type Ids, makeLinkBase, now, readPage, Where } from "@lectern/kernel"
import { type ApiTokenRow, apiTokens } from "@lectern/kernel/tables"
import { Conflict, Forbidden, InvalidInput, NotFound } from "@lectern/model/errors"
import type { OrganizationId } from "@lectern/model/organizations"
import { type Page, PageQuery } from "@lectern/model/schema"
import {
  type ApiToken,
  ApiTokenId,
  type ApiTokenWithSecret,
  CreateOwnToken,
  type ListOrganizationTokens,
  type OrganizationToken,
  RotateOwnToken,
  UpdateOwnToken
} from "@lectern/model/tokens"
import { Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { isActive, makeOrganizationTokens } from "./organizationTokens.ts"
import { TokenLifetimes } from "./TokenLifetimes.ts"
import { makeTokenEnds } from "./tokenEnds.ts"
import { type IssuedToken, makeTokenIssuer, presentToken } from "./tokenIssuer.ts"

interface OneToken {
  readonly token: ApiTokenId
}
interface OneOrganizationToken extends OneToken {
  readonly organization: OrganizationId
}

/**
 * Operations on API tokens, on behalf of the `CurrentUser`. A caller whose own token is limited to an organization sees
 * only tokens that are limited to it; a token with a narrower scope cannot create, rotate or revoke tokens. Revoked tokens
 * are not found. A session creates, renames and rotates tokens only with the passkey that its user has.
 */
export interface TokensOperations {
  /** Lists the caller's tokens that are not revoked, newest first. */
  readonly list: Query<{ input?: PageQuery }, Page<ApiToken>>
  /**
   * Creates a token of the caller, and returns it with its secret. A token that is created with another token ends with it at the
   * latest; with the token of a single sign-on login, it comes from the same login. Fails with `InvalidInput` for an expiry beyond
   * the maximum lifetime, and for a renewable token that does not expire or that ends with another token or login; with `NotFound` for an organization or a site that the caller cannot see, and with `Conflict` if
   * the caller has 100 tokens.
   */
  readonly create: Command<{ input: CreateOwnToken }, ApiTokenWithSecret, AccessError | Conflict>
  /** Returns a token of the caller. */
  readonly get: Query<OneToken, ApiToken, AccessError>
  /** Renames a token of the caller. */
  readonly update: Command<OneToken & { input?: UpdateOwnToken }, ApiToken, AccessError>
  /** Revokes a token of the caller, with immediate effect. */
  readonly revoke: Command<OneToken, void, AccessError>
  /**
   * Replaces the secret of a token of the caller, and returns the token with the new secret. Its expiry does not change, unless it is
   * renewable: then its lifetime starts again. Fails with `Forbidden` if it ends later than the caller's own token. Fails with `Forbidden` if the token is from
   * single sign-on and the caller's own token is not from the same provider.
   */
  readonly rotate: Command<OneToken & { input?: RotateOwnToken }, ApiTokenWithSecret, AccessError>
  /** Lists the tokens that open the organization, newest first; requires the role `admin`. */
  readonly listInOrganization: Query<
    { organization: OrganizationId; input?: ListOrganizationTokens },
    Page<OrganizationToken>,
    AccessError
  >
  /**
   * Revokes a token that opens the organization; requires the role `admin`. A token that opens other organizations as well
   * continues to open these.
   */
  readonly revokeInOrganization: Command<OneOrganizationToken, void, AccessError>
}

/** The maximum number of tokens of a user that are not revoked, besides the tokens of logins. */
const maximumTokens = 100

/** The tokens of users themselves, without the tokens of installations and programs, which act for them. */
const isOwn = Where.and<ApiTokenRow>(isActive, Where.isNull("installation"), Where.isNull("program"))

/**
 * Whether a token can end later than the other token that a request was sent with, whose holder must not gain its lifetime: it
 * does, or it is renewable.
 */
const endsAfter = ({ id, expiresAt, renewalMillis }: ApiTokenRow, { token }: Identity): boolean =>
  token?.expiresAt !== undefined &&
  token.id !== id &&
  (renewalMillis !== null || expiresAt === null || Date.parse(expiresAt) > Date.parse(token.expiresAt))

const makeTokenAccess = Effect.gen(function* () {
  const { allow } = yield* Operations
  const linkBase = yield* makeLinkBase

  const signedIn = allow.signedIn("the caller's own tokens")

  /** Whether a token is one that the caller can see. */
  const isVisibleTo = ({ id, organization }: Identity, row: ApiTokenRow | undefined): row is ApiTokenRow =>
    row?.user === id &&
    row.revokedAt === null &&
    row.installation === null &&
    row.program === null &&
    (organization === undefined || row.organization === organization)

  const allowOwn: Authorization<OneToken, { readonly user: Identity; readonly row: ApiTokenRow }, NotFound> =
    {
      rule: signedIn.rule,
      check: Effect.fnUntraced(function* ({ token }) {
        const { user, grant } = yield* signedIn.check({})
        const row = yield* grant.records.get(apiTokens, { id: token })
        if (!isVisibleTo(user, row)) return yield* NotFound.of("token")
        yield* addAuditDetails({ organization: row.organization })
        if (row.organization === null) yield* noteOwnCall(grant.records, user.id)
        return { user, grant, row }
      })
    }

  const present = (row: ApiTokenRow): Effect.Effect<ApiToken> =>
    Effect.zipWith(linkBase, now, (base, time) => presentToken(base, row, time))

  const withSecret = ({ row, secret }: IssuedToken): Effect.Effect<ApiTokenWithSecret> =>
    Effect.map(present(row), (token) => ({ ...token, secret: Redacted.value(secret) }))

  return { signedIn, allowOwn, present, withSecret }
})

const makeReads = Effect.gen(function* () {
  const { query } = yield* Operations
  const { signedIn, allowOwn, present } = yield* makeTokenAccess

  return {
    list: query(
      "Tokens.list",
      { parameters: { input: PageQuery }, authorize: signedIn },
      function* ({ input }, { user, records }) {
        const { organization } = user
        return yield* readPage(records, input, {
          table: apiTokens,
          list: ["tokens", user.id, organization],
          where: Where.and<ApiTokenRow>(
            Where.eq("user", user.id),
            isOwn,
            organization === undefined ? Where.all : Where.eq("organization", organization)
          ),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => Effect.forEach(rows, present)
        })
      }
    ),

    get: query(
      "Tokens.get",
      { parameters: { token: ApiTokenId }, authorize: allowOwn },
      function* (_, { row }) {
        return yield* present(row)
      }
    )
  }
})

const makeCreation = Effect.gen(function* () {
  const access = yield* Access
  const { command } = yield* Operations
  const { issue } = yield* makeTokenIssuer
  const { expiryOf, renewalOf } = yield* makeTokenEnds
  const { signedIn, withSecret } = yield* makeTokenAccess

  return {
    create: command(
      "Tokens.create",
      {
        parameters: { input: CreateOwnToken },
        authorize: withOwnPasskey(withFreshSignIn(signedIn)),
        locks: ({ input }, caller) => [...Locks.tokenIn(input), ...Locks.memberships(caller)]
      },
      function* ({ input }, { user, records }) {
        const organization = input.organization ?? user.organization ?? null
        yield* requireSecondFactor(records, user)
        if (input.organization !== undefined) yield* access.organization(input.organization, "view")
        if (organization === null) yield* noteOwnCall(records, user.id)
        if (input.site !== undefined) {
          if (organization === null) {
            return yield* InvalidInput.at("organization", "is required for a token that is limited to a site")
          }
          yield* access.site(organization, input.site, "view")
        }
        const expiresAt = yield* expiryOf(input, user)
        const renewalMillis = yield* renewalOf(input, expiresAt, user)
        const count = yield* records.count(
          apiTokens,
          Where.and<ApiTokenRow>(Where.eq("user", user.id), isOwn, Where.isNull("samlProvider"))
        )
        if (count >= maximumTokens) {
          return yield* new Conflict({
            reason: "LimitReached",
            message: `A user can have at most ${maximumTokens} API tokens. Revoke a token first.`
          })
        }
        const issued = yield* issue(records, {
          user: user.id,
          organization,
          label: input.label,
          site: input.site ?? null,
          readOnly: input.readOnly ?? false,
          permissions: input.permissions ?? null,
          samlProvider: loginProviderOf(user) ?? null,
          excluded: encodeSet(user.token?.excluded ?? []),
          expiresAt,
          renewalMillis
        })
        return yield* withSecret(issued)
      }
    )
  }
})

const makeEdits = Effect.gen(function* () {
  const { command } = yield* Operations
  const { renew } = yield* makeTokenIssuer
  const { maximumMillis } = yield* TokenLifetimes
  const { allowOwn, present, withSecret } = yield* makeTokenAccess

  return {
    update: command(
      "Tokens.update",
      {
        parameters: { token: ApiTokenId, input: UpdateOwnToken },
        authorize: withOwnPasskey(allowOwn),
        locks: Locks.ownToken
      },
      function* ({ input }, { row, records }) {
        yield* records.update(apiTokens, Where.eq("id", row.id), input)
        return yield* present({ ...row, ...input })
      }
    ),

    revoke: command(
      "Tokens.revoke",
      { parameters: { token: ApiTokenId }, authorize: allowOwn, locks: Locks.ownToken },
      function* (_, { row, records }) {
        yield* records.update(apiTokens, Where.eq("id", row.id), { revokedAt: yield* now })
      }
    ),

    rotate: command(
      "Tokens.rotate",
      {
        parameters: { token: ApiTokenId, input: RotateOwnToken },
        authorize: withOwnPasskey(withFreshSignIn(allowOwn)),
        locks: Locks.ownToken
      },
      function* ({ input }, { row, user, records }) {
        yield* requireSecondFactor(records, user)
        if (row.samlProvider !== null && loginProviderOf(user) !== row.samlProvider) {
          return yield* new Forbidden({
            reason: "SsoRequired",
            message: "Only a token of a login by the same SAML provider can rotate this token. Log in again."
          })
        }
        if (endsAfter(row, user)) {
          return yield* new Forbidden({
            reason: "ScopeTooNarrow",
            message:
              "An API token cannot rotate a token that expires later than itself. Send the request with the secret of the token to rotate."
          })
        }
        const renewed = yield* renew(row, input, maximumMillis)
        yield* records.update(apiTokens, Where.eq("id", row.id), renewed.set)
        return yield* withSecret({ row: { ...row, ...renewed.set }, secret: renewed.secret })
      }
    )
  }
})

const makeTokens = Effect.gen(function* () {
  return {
    ...(yield* makeReads),
    ...(yield* makeCreation),
    ...(yield* makeEdits),
    ...(yield* makeOrganizationTokens)
  }
})

/** Operations on API tokens: see {@link TokensOperations}. */
export class Tokens extends Context.Service<Tokens, TokensOperations>()("@lectern/core/Tokens") {
  static readonly layer: Layer.Layer<Tokens, never, Access | Operations | Ids> = Layer.effect(
    Tokens,
    makeTokens
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
