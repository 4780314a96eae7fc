/**
 * Operations on API tokens, and authentication by them.
 *
 * The secret of a token has 256 random bits and is returned once. Only its digest is stored, so that a copy of the
 * database contains no usable credentials.
 */

import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { Authenticator } from "../../access/Authenticator.ts"
import type { Identity } from "../../access/CurrentUser.ts"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import { Locks } from "../../access/operations/Locks.ts"
import type { OperatorOperation } from "../../access/operations/Operation.ts"
import { Operations } from "../../access/operations/Operations.ts"
import { Conflict, NotFound, Unauthenticated } from "../../kernel/errors.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { makeVersionedCache } from "../../kernel/storage/versionedCache.ts"
import { now, toTimestamp } from "../../kernel/time.ts"
import {
  type ApiToken,
  ApiTokenId,
  type ApiTokenRow,
  apiTokens,
  CreateApiToken,
  type CreatedApiToken
} from "../../model/tokens/ApiToken.ts"
import { UserId } from "../../model/users/User.ts"

/** Operations of the operator on API tokens. They act for no user. */
export interface ApiTokensOperations {
  /**
   * Creates a token for a user and returns it with its secret, which cannot be read again. Fails with `Conflict` if
   * another token has the given secret.
   */
  readonly create: OperatorOperation<{ input: CreateApiToken }, CreatedApiToken, Conflict>
  /** Lists all tokens of a user, newest first, including expired and revoked tokens. */
  readonly list: OperatorOperation<{ user: UserId }, ReadonlyArray<ApiToken>>
  /**
   * Revokes a token permanently, with immediate effect. Revoking it again changes nothing. Fails with `NotFound` if the
   * token does not exist.
   */
  readonly revoke: OperatorOperation<{ token: ApiTokenId }, void, NotFound>
  /**
   * Returns the user whom the secret of a token authenticates, and updates `lastUsedAt` at most once a minute. Fails
   * with `Unauthenticated` if the token is unknown, expired or revoked.
   */
  readonly authenticate: (
    secret: Redacted.Redacted<string>
  ) => Effect.Effect<Identity, Unauthenticated | StorageUnavailable>
}

/** The precision of `lastUsedAt`, in milliseconds: 1 minute. It bounds the writes for a token in steady use. */
const lastUsedPrecisionMillis = 60_000

/** The maximum number of tokens that are cached until the next commit. */
const maximumCachedTokens = 10_000

/** The hexadecimal SHA-256 digest of a secret. A fast hash suffices for 256 random bits. */
const digestOf = (secret: string): string => bytesToHex(sha256(utf8ToBytes(secret)))

const presentToken = (row: ApiTokenRow): ApiToken => ({
  id: row.id,
  user: row.user,
  ...(row.organization === null ? {} : { organization: row.organization }),
  label: row.label,
  createdAt: row.createdAt,
  ...(row.expiresAt === null ? {} : { expiresAt: row.expiresAt }),
  ...(row.lastUsedAt === null ? {} : { lastUsedAt: row.lastUsedAt }),
  ...(row.revokedAt === null ? {} : { revokedAt: row.revokedAt })
})

const missingToken = new Unauthenticated({
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
  const ids = yield* Ids
  const random = yield* SecureRandom.SecureRandom

  const allowTokens = allow.operator("API tokens of all users")

  return {
    create: command(
      "ApiTokens.create",
      { parameters: { input: CreateApiToken }, authorize: allowTokens, locks: () => Locks.none },
      function* ({ input }, { records }) {
        const secret =
          input.secret ?? Redacted.make(`lectern_${Base64Url.encode(yield* random.randomBytes(32))}`)
        const row: ApiTokenRow = {
          id: ApiTokenId.make(yield* ids.next),
          user: input.user,
          organization: input.organization ?? null,
          label: input.label,
          digest: digestOf(Redacted.value(secret)),
          createdAt: yield* now,
          expiresAt: input.expiresAt ?? null,
          lastUsedAt: null,
          revokedAt: null
        }
        yield* records.tryInsert(apiTokens, row).pipe(
          Effect.catchTag("UniqueViolation", () =>
            Effect.fail(
              new Conflict({
                reason: "SecretTaken",
                message: "Another token has this secret. Omit `secret` to generate one."
              })
            )
          )
        )
        return { token: presentToken(row), secret }
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
        return rows.map(presentToken)
      }
    ),

    revoke: command(
      "ApiTokens.revoke",
      { parameters: { token: ApiTokenId }, authorize: allowTokens, locks: () => Locks.none },
      function* ({ token }, { records }) {
        const row = yield* records.get(apiTokens, { id: token })
        if (row === undefined) return yield* NotFound.of("token")
        yield* records.update(
          apiTokens,
          Where.and<ApiTokenRow>(Where.eq("id", token), Where.isNull("revokedAt")),
          { revokedAt: yield* now }
        )
      }
    ),

    authenticate: Effect.fnUntraced(function* (secret: Redacted.Redacted<string>) {
      const digest = digestOf(Redacted.value(secret))
      const row = yield* cached(digest, () =>
        records.first(apiTokens, {
          select: ["id", "user", "organization", "expiresAt", "lastUsedAt", "revokedAt"],
          where: Where.eq("digest", digest)
        })
      )
      const time = yield* Clock.currentTimeMillis
      if (row === undefined || row.revokedAt !== null) return yield* invalidToken
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
      const identity: Identity = { id: row.user }
      return row.organization === null ? identity : { ...identity, organization: row.organization }
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
