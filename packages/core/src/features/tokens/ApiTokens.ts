/**
 * Operations on API tokens, and authentication by them.
 *
 * The secret of a token has 256 random bits and is returned once. Only its digest is stored, so that a copy of the
 * database contains no usable credentials.
 */

import {
  Authenticator,
  addAuditDetails,
  type Identity,
  Locks,
  Operations,
  type OperatorOperation,
  SystemGrant,
  type TokenIdentity
} from "@lectern/access"
import {
  apiResource,
  decodeSet,
  type Ids,
  makeLinkBase,
  makeOAuthRecords,
  makeVersionedCache,
  now,
  type ProgramAccess,
  PublicUrl,
  programAccessOf,
  Records,
  type StorageUnavailable,
  toTimestamp,
  Where
} from "@lectern/kernel"
import { type ApiTokenRow, apiTokens, CacheScope, sites } from "@lectern/kernel/tables"
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
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { digestOf, makeTokenIssuer, presentToken } from "./tokenIssuer.ts"

/** Operations of the operator on API tokens. They act for no user. */
export interface ApiTokensOperations {
  /**
   * Creates a token for a user and returns it with its secret, which cannot be read again. Fails with `Conflict` if
   * another token has the given secret, and with `InvalidInput` if the site is not in the organization.
   */
  readonly create: OperatorOperation<{ input: CreateApiToken }, CreatedApiToken, Conflict>
  /** Lists all tokens of a user, newest first, including expired and revoked tokens. */
  readonly list: OperatorOperation<{ user: UserId }, ReadonlyArray<ApiToken>>
  /**
   * Revokes a token permanently, with immediate effect. Revoking it again changes nothing. Fails with `NotFound` if the
   * token does not exist.
   */
  readonly revoke: OperatorOperation<{ token: ApiTokenId }, void, NotFound>
  /** Lists the tokens that are limited to an organization, newest first, including expired and revoked tokens. */
  readonly listInOrganization: OperatorOperation<{ organization: OrganizationId }, ReadonlyArray<ApiToken>>
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

/** The precision of `lastUsedAt`, in milliseconds: 1 minute. It bounds the writes for a token in steady use. */
const lastUsedPrecisionMillis = 60_000

/** The maximum number of tokens that are cached until the next commit. */
const maximumCachedTokens = 10_000

/** The columns that a request with a token depends on. */
const authenticatedColumns = [
  "id",
  "digest",
  "formerExpiresAt",
  "user",
  "organization",
  "expiresAt",
  "lastUsedAt",
  "revokedAt",
  "readOnly",
  "permissions",
  "site",
  "samlProvider",
  "installation",
  "excluded"
] as const satisfies ReadonlyArray<keyof ApiTokenRow>

type AuthenticatedRow = Pick<ApiTokenRow, (typeof authenticatedColumns)[number]> & {
  /** The limits of an access token of a program; undefined for an API token. */
  readonly access?: ProgramAccess
}

const identityOf = (row: AuthenticatedRow): Identity => {
  const { access } = row
  const token: TokenIdentity = {
    id: row.id,
    readOnly: row.readOnly,
    permissions: row.permissions?.filter((one) => access?.permissions.includes(one) ?? true),
    site: row.site ?? undefined,
    samlProvider: row.samlProvider ?? undefined,
    installation: row.installation ?? undefined,
    excluded: decodeSet(row.excluded) as ReadonlyArray<OrganizationId>,
    expiresAt: row.expiresAt ?? undefined
  }
  return {
    id: row.user,
    ...(row.organization === null ? {} : { organization: row.organization }),
    token,
    ...(access === undefined ? {} : { auditContext: { program: access.name } })
  }
}

/** The error of a request without an API token. */
export const missingToken = new Unauthenticated({
  reason: "TokenMissing",
  message: "The request has no API token. Send one as `Authorization: Bearer <token>`."
})

const invalidToken = new Unauthenticated({
  reason: "TokenInvalid",
  message: "The API token is unknown, expired or revoked. Create a new one."
})

const makeApiTokens = Effect.gen(function* () {
  const { lockedTransaction } = yield* Records
  const { query, command, allow } = yield* Operations
  const { records } = yield* SystemGrant.make("Authenticates requests by their API token.")
  const cached = makeVersionedCache(yield* Records, "tokens", maximumCachedTokens)
  const oauth = makeOAuthRecords(yield* Records)
  const ofApi = apiResource(yield* PublicUrl)
  const { issue, renew } = yield* makeTokenIssuer
  const linkBase = yield* makeLinkBase

  const findBy = (column: "digest" | "formerDigest", digest: string) =>
    records.first(apiTokens, { select: authenticatedColumns, where: Where.eq(column, digest) })

  const findToken = Effect.fnUntraced(function* (
    digest: string
  ): Effect.fn.Return<AuthenticatedRow | undefined, StorageUnavailable> {
    const own = (yield* findBy("digest", digest)) ?? (yield* findBy("formerDigest", digest))
    if (own !== undefined) return own
    // Both store SHA-256 of the secret.
    const record = yield* oauth.get("AccessToken", digest)
    if (record === undefined || record.grant === null) return undefined
    const id = ApiTokenId.make(record.grant)
    const row = yield* records.get(apiTokens, { id }, [...authenticatedColumns, "label"])
    return row === undefined ? undefined : { ...row, access: programAccessOf(record, row.label) }
  })

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
        if (input.site !== undefined) {
          const site = yield* records.get(sites, { id: input.site }, ["organization"])
          if (site === undefined || site.organization !== input.organization) {
            return yield* InvalidInput.at(
              "site",
              "must be a site of the organization that the token is limited to"
            )
          }
        }
        const { expiresAt } = input
        if (expiresAt !== undefined && Date.parse(expiresAt) <= (yield* Clock.currentTimeMillis)) {
          return yield* InvalidInput.at("expiresAt", "must be in the future")
        }
        const { renewable = false, ...fields } = input
        if (renewable && expiresAt === undefined) {
          return yield* InvalidInput.at("renewable", "must be false for a token that does not expire")
        }
        const renewalMillis =
          renewable && expiresAt !== undefined
            ? Date.parse(expiresAt) - (yield* Clock.currentTimeMillis)
            : null
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
        if (row.expiresAt !== null && Date.parse(row.expiresAt) <= (yield* Clock.currentTimeMillis)) {
          return yield* InvalidInput.at("token", "has expired. Create another token")
        }
        const { set, secret } = yield* renew(row, input)
        yield* records.update(apiTokens, Where.eq("id", token), set)
        return { token: presentToken(yield* linkBase, { ...row, ...set }, set.rotatedAt), secret }
      }
    ),

    authenticate: Effect.fnUntraced(function* (secret: Redacted.Redacted<string> | string, resource = ofApi) {
      const digest = digestOf(typeof secret === "string" ? secret : Redacted.value(secret))
      const row = yield* cached(
        { key: digest, scopes: ({ id }: AuthenticatedRow) => [CacheScope.token(id)] },
        () => findToken(digest)
      )
      const time = yield* Clock.currentTimeMillis
      if (row === undefined || row.revokedAt !== null) return yield* invalidToken
      // A cached row is that of the same digest.
      const isCurrent =
        row.access === undefined
          ? resource === ofApi && (row.digest === digest || Date.parse(row.formerExpiresAt ?? "") > time)
          : row.access.resource === resource && Date.parse(row.access.expiresAt) > time
      if (!isCurrent) return yield* invalidToken
      if (row.expiresAt !== null && Date.parse(row.expiresAt) <= time) return yield* invalidToken
      if (row.lastUsedAt === null || time - Date.parse(row.lastUsedAt) >= lastUsedPrecisionMillis) {
        // A failed write, for example on a full disk, must not fail requests that only read.
        yield* Effect.catchTag(
          lockedTransaction(
            Locks.none,
            records.update(apiTokens, Where.eq("id", row.id), { lastUsedAt: toTimestamp(time) })
          ),
          "StorageUnavailable",
          (error) => Effect.logWarning("Cannot update the last use of an API token.", error.reason)
        )
      }
      return identityOf(row)
    })
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
