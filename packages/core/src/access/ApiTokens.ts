/**
 * API tokens: making them, taking them back, and telling whose they are.
 *
 * A token is 256 random bits, shown once; of it only a digest is kept, so what is stored opens nothing.
 */
import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"
import { Clock, Context, Effect, Layer, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { Conflict, NotFound, Unauthenticated } from "../kernel/errors.ts"
import { Ids } from "../kernel/ids/Ids.ts"
import { command, query } from "../kernel/operation/Operation.ts"
import { Moment, trimmed } from "../kernel/schema/Text.ts"
import { Records, Where } from "../kernel/storage/index.ts"
import { now, toTimestamp } from "../kernel/time.ts"
import { OrganizationId } from "../model/organizations/Organization.ts"
import { ApiTokenId, type ApiTokenRow, apiTokens } from "../model/tokens/ApiToken.ts"
import { UserId } from "../model/users/User.ts"
import { Authenticator } from "./Authenticator.ts"
import type { Identity } from "./CurrentUser.ts"

/** A token as its owner sees it in a list: all but the secret. */
export interface ApiToken {
  readonly id: ApiTokenId
  readonly user: UserId
  readonly organization?: OrganizationId
  readonly label: string
  readonly createdAt: string
  readonly expiresAt?: string
  readonly lastUsedAt?: string
  readonly revokedAt?: string
}

/** What a token is made from. */
export const CreateApiToken = Schema.Struct({
  user: UserId,
  /** The only organization that it opens; all of the user's by default. */
  organization: Schema.optionalKey(OrganizationId),
  /** What it is for. */
  label: trimmed({ min: 1, max: 100 }),
  /** When it stops working; never by default. */
  expiresAt: Schema.optionalKey(Moment),
  /** The secret, where it comes from outside: 32 characters or more. */
  secret: Schema.optionalKey(
    Schema.Redacted(
      Schema.String.check(Schema.isMinLength(32, { message: "must have at least 32 characters" }))
    )
  )
})

/** How exact `lastUsedAt` is, in milliseconds: a token in steady use is written to once a minute. */
const lastUsedPrecisionMillis = 60_000

const digestOf = (token: string): string => bytesToHex(sha256(utf8ToBytes(token)))

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

const unknown = new Unauthenticated({ message: "The API token is unknown, expired or revoked." })

const makeApiTokens = Effect.gen(function* () {
  const records = yield* Records
  const ids = yield* Ids
  const random = yield* SecureRandom.SecureRandom
  const change = command(records)

  return {
    /** Makes a token for a user. The secret is in the answer, and nowhere else. */
    create: change([CreateApiToken], function* (input) {
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
      yield* records
        .tryInsert(apiTokens, row)
        .pipe(
          Effect.catchTag("UniqueViolation", () =>
            Effect.fail(new Conflict({ message: "There is a token with this secret already." }))
          )
        )
      return { token: presentToken(row), secret }
    }),

    /** The tokens of a user, newest first, those that were taken back too. */
    list: query([UserId], function* (user) {
      const rows = yield* records.find(apiTokens, {
        where: Where.eq("user", user),
        orderBy: ["id"],
        direction: "desc"
      })
      return rows.map(presentToken)
    }),

    /** Takes a token back, at once and for good. Of one that was taken back already, nothing changes. */
    revoke: change([ApiTokenId], function* (id) {
      const row = yield* records.get(apiTokens, { id })
      if (row === undefined) return yield* NotFound.of("token")
      yield* records.update(
        apiTokens,
        Where.and<ApiTokenRow>(Where.eq("id", id), Where.isNull("revokedAt")),
        { revokedAt: yield* now }
      )
    }),

    /** The user of a token. See `Authenticator`. */
    authenticate: Effect.fnUntraced(function* (token: Redacted.Redacted<string>) {
      const row = yield* records.first(apiTokens, {
        select: ["id", "user", "organization", "expiresAt", "lastUsedAt", "revokedAt"],
        where: Where.eq("digest", digestOf(Redacted.value(token)))
      })
      const time = yield* Clock.currentTimeMillis
      if (row === undefined || row.revokedAt !== null) return yield* unknown
      if (row.expiresAt !== null && Date.parse(row.expiresAt) <= time) return yield* unknown
      if (row.lastUsedAt === null || time - Date.parse(row.lastUsedAt) >= lastUsedPrecisionMillis) {
        // Where nothing can be written, as on a full disk, there is still much to read.
        yield* Effect.catchTag(
          records.update(apiTokens, Where.eq("id", row.id), { lastUsedAt: toTimestamp(time) }),
          "StorageUnavailable",
          (error) => Effect.logWarning("The use of a token cannot be noted.", error.reason)
        )
      }
      const identity: Identity = { id: row.user }
      return row.organization === null ? identity : { ...identity, organization: row.organization }
    })
  }
})

/** See the module's comment. */
export class ApiTokens extends Context.Service<ApiTokens, Effect.Success<typeof makeApiTokens>>()(
  "@lectern/core/ApiTokens"
) {
  static readonly layer: Layer.Layer<ApiTokens, never, Records | Ids> = Layer.effect(
    ApiTokens,
    makeApiTokens
  ).pipe(Layer.provide(SecureRandom.layerWebCrypto))

  /** Authentication by these tokens. */
  static readonly authenticator: Layer.Layer<Authenticator, never, ApiTokens> = Layer.effect(
    Authenticator,
    Effect.map(ApiTokens, (tokens) => Authenticator.of({ authenticate: tokens.authenticate }))
  )
}
