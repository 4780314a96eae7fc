/**
 * Operations on API tokens, and authentication by them.
 *
 * The secret of a token has 256 random bits and is returned once. Only its digest is stored, so that a copy of the
 * database contains no usable credentials.
 */

import {
  Authenticator,
  addAuditDetails,
  type GrantedReader,
  type Identity,
  Locks,
  Operations,
  type OperatorOperation,
  requireInUse
} from "@lectern/access"
import { type Ids, makeLinkBase, now, type Records, type StorageUnavailable, Where } from "@lectern/kernel"
import { type ApiTokenRow, apiTokens, sites } from "@lectern/kernel/tables"
import { type Conflict, InvalidInput, NotFound, Unauthenticated } from "@lectern/model/errors"
import { OrganizationId } from "@lectern/model/organizations"
import {
  type ApiToken,
  ApiTokenId,
  CreateApiToken,
  type CreatedApiToken,
  RotateOwnToken
} from "@lectern/model/tokens"
import { UserId } from "@lectern/model/users"
import { Clock, Context, Effect, Layer, type Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { makeTokenAuthentication } from "./tokenAuthentication.ts"
import { makeTokenIssuer, presentToken } from "./tokenIssuer.ts"

/** Operations of the operator on API tokens. They act for no user. */
export interface ApiTokensOperations {
  /**
   * Creates a token for a user and returns it with its secret, which cannot be read again. Fails with `Conflict` if
   * another token has the given secret, with `InvalidInput` if the site is not in the organization, and with `NotFound` if the organization
   * does not exist or is in the trash.
   */
  readonly create: OperatorOperation<{ input: CreateApiToken }, CreatedApiToken, Conflict | NotFound>
  /** Lists all tokens of a user, newest first, including expired and revoked tokens. */
  readonly list: OperatorOperation<{ user: UserId }, ReadonlyArray<ApiToken>>
  /**
   * Revokes a token permanently, with immediate effect. Revoking it again changes nothing. Fails with `NotFound` if the
   * token does not exist.
   */
  readonly revoke: OperatorOperation<{ token: ApiTokenId }, void, NotFound>
  /**
   * Lists the tokens that are limited to an organization, newest first, including expired and revoked tokens. Fails with `NotFound` if the
   * organization does not exist or is in the trash.
   */
  readonly listInOrganization: OperatorOperation<
    { organization: OrganizationId },
    ReadonlyArray<ApiToken>,
    NotFound
  >
  /**
   * Replaces the secret of a token, and returns the token with it. The former secret ends immediately, or after some hours.
   * The expiry of the token is unchanged, unless it is renewable: then its lifetime starts again. Fails with `NotFound` if the token does not exist or is revoked, and with
   * `InvalidInput` if it has expired.
   */
  readonly rotate: OperatorOperation<{ token: ApiTokenId; input?: RotateOwnToken }, CreatedApiToken, NotFound>
  /**
   * Returns the user whom the secret of a token authenticates, and updates `lastUsedAt` at most once a minute. Fails
   * with `Unauthenticated` if the token is unknown, expired or revoked.
   */
  readonly authenticate: (
    secret: Redacted.Redacted<string> | string,
    /** The URL of the resource for which a program of others must have received the secret; the API by default. */
    resource?: string
  ) => Effect.Effect<Identity, Unauthenticated | StorageUnavailable>
}

/** The error of a request without an API token. */
export const missingToken = new Unauthenticated({
  reason: "TokenMissing",
  message: "The request has no API token. Send one as `Authorization: Bearer <token>`."
})

/** Returns the lifetime of a token that is renewable, in milliseconds; null for others. Fails with `InvalidInput` for a token that cannot exist. */
const checkCreation = Effect.fnUntraced(function* (
  records: GrantedReader,
  { site, organization, expiresAt, renewable = false }: CreateApiToken
): Effect.fn.Return<number | null, InvalidInput | StorageUnavailable> {
  const owner = site === undefined ? undefined : yield* records.get(sites, { id: site }, ["organization"])
  if (site !== undefined && (owner === undefined || owner.organization !== organization)) {
    return yield* InvalidInput.at("site", "must be a site of the organization that the token is limited to")
  }
  const time = yield* Clock.currentTimeMillis
  if (expiresAt !== undefined && Date.parse(expiresAt) <= time) {
    return yield* InvalidInput.at("expiresAt", "must be in the future")
  }
  if (!renewable) return null
  return expiresAt === undefined
    ? yield* InvalidInput.at("renewable", "must be false for a token that does not expire")
    : Date.parse(expiresAt) - time
})

const makeApiTokens = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const { issue, renew } = yield* makeTokenIssuer
  const linkBase = yield* makeLinkBase

  const allowTokens = allow.operator("API tokens of all users")

  return {
    create: command(
      "ApiTokens.create",
      {
        parameters: { input: CreateApiToken },
        authorize: allowTokens,
        locks: ({ input }) => Locks.tokenIn(input)
      },
      function* ({ input }, { records }) {
        if (input.organization !== undefined) yield* requireInUse(records, input.organization)
        const renewalMillis = yield* checkCreation(records, input)
        const { renewable: _, ...fields } = input
        const { row, secret } = yield* issue(records, { ...fields, renewalMillis })
        return { token: presentToken(yield* linkBase, row, row.createdAt), secret }
      }
    ),

    list: query(
      "ApiTokens.list",
      { parameters: { user: UserId }, authorize: allowTokens },
      function* ({ user }, { records }) {
        const rows = yield* records.find(apiTokens, {
          where: Where.eq("user", user),
          orderBy: ["id"],
          direction: "desc"
        })
        const base = yield* linkBase
        const time = yield* now
        return rows.map((row) => presentToken(base, row, time))
      }
    ),

    revoke: command(
      "ApiTokens.revoke",
      { parameters: { token: ApiTokenId }, authorize: allowTokens, locks: () => Locks.none },
      function* ({ token }, { records }) {
        const row = yield* records.get(apiTokens, { id: token })
        if (row === undefined) return yield* NotFound.of("token")
        yield* addAuditDetails({ organization: row.organization })
        yield* records.update(
          apiTokens,
          Where.and<ApiTokenRow>(Where.eq("id", token), Where.isNull("revokedAt")),
          { revokedAt: yield* now }
        )
      }
    ),

    listInOrganization: query(
      "ApiTokens.listInOrganization",
      { parameters: { organization: OrganizationId }, authorize: allowTokens },
      function* ({ organization }, { records }) {
        yield* requireInUse(records, organization)
        const rows = yield* records.find(apiTokens, {
          where: Where.eq("organization", organization),
          orderBy: ["id"],
          direction: "desc"
        })
        const base = yield* linkBase
        const time = yield* now
        return rows.map((row) => presentToken(base, row, time))
      }
    ),

    rotate: command(
      "ApiTokens.rotate",
      {
        parameters: { token: ApiTokenId, input: RotateOwnToken },
        authorize: allowTokens,
        locks: Locks.token
      },
      function* ({ token, input }, { records }) {
        const row = yield* records.get(apiTokens, { id: token })
        // The secret of the authorization of a program would have no resource and no end of its own.
        if (row === undefined || row.revokedAt !== null || row.program !== null)
          return yield* NotFound.of("token")
        yield* addAuditDetails({ organization: row.organization })
        if (row.organization !== null) yield* requireInUse(records, row.organization)
        if (row.expiresAt !== null && Date.parse(row.expiresAt) <= (yield* Clock.currentTimeMillis)) {
          return yield* InvalidInput.at("token", "has expired. Create another token")
        }
        const { set, secret } = yield* renew(row, input)
        yield* records.update(apiTokens, Where.eq("id", token), set)
        return { token: presentToken(yield* linkBase, { ...row, ...set }, set.rotatedAt), secret }
      }
    ),

    authenticate: yield* makeTokenAuthentication
  }
})

/** Operations on API tokens, and authentication by them: see {@link ApiTokensOperations}. */
export class ApiTokens extends Context.Service<ApiTokens, ApiTokensOperations>()("@lectern/core/ApiTokens") {
  static readonly layer: Layer.Layer<ApiTokens, never, Records | Operations | Ids> = Layer.effect(
    ApiTokens,
    makeApiTokens
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))

  /** The default `Authenticator`: it authenticates requests by their API token. */
  static readonly authenticator: Layer.Layer<Authenticator, never, ApiTokens> = Layer.effect(
    Authenticator,
    Effect.map(ApiTokens, (tokens) =>
      Authenticator.of({
        authenticate: ({ token }) =>
          token === undefined ? Effect.fail(missingToken) : tokens.authenticate(token)
      })
    )
  )
}
