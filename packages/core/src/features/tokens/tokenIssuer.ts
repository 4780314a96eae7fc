/** Creates rows of tokens with their secrets, and presents them. */

import type { GrantedRecords } from "@lectern/access"
import { encodeSet, Ids, now, type StorageUnavailable, toTimestamp } from "@lectern/kernel"
import { sha256Hex } from "@lectern/kernel/sha256"
import { type ApiTokenRow, apiTokens } from "@lectern/kernel/tables"
import { Conflict } from "@lectern/model/errors"
import { type ApiToken, ApiTokenId, type RotateOwnToken } from "@lectern/model/tokens"
import { Clock, Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"

/** The hexadecimal SHA-256 digest of a secret. A fast hash suffices for 256 random bits. */
export const digestOf = (secret: string): string => sha256Hex(secret)

/** The fields of a new token. Scopes that are absent do not limit it. */
export interface NewToken
  extends Pick<ApiTokenRow, "user" | "label">,
    Partial<
      Pick<
        ApiTokenRow,
        | "organization"
        | "site"
        | "readOnly"
        | "permissions"
        | "samlProvider"
        | "installation"
        | "program"
        | "excluded"
        | "renewalMillis"
      >
    > {
  /** When it expires. Null or absent for never. */
  readonly expiresAt?: string | null
  /** The secret; a generated one by default. */
  readonly secret?: Redacted.Redacted<string>
}

/** A token that was created. */
export interface IssuedToken {
  readonly row: ApiTokenRow
  readonly secret: Redacted.Redacted<string>
}

/** A new secret of a token, with the columns to update. */
export interface RenewedSecret {
  readonly set: { readonly rotatedAt: string } & Pick<
    ApiTokenRow,
    "digest" | "formerDigest" | "formerExpiresAt" | "expiresAt"
  >
  readonly secret: Redacted.Redacted<string>
}

const hourMillis = 60 * 60 * 1_000

/** The end of a token, in milliseconds since 1970. */
const endOf = ({ expiresAt }: Pick<ApiTokenRow, "expiresAt">): number =>
  expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)

/** The expiry of a token after its rotation: later than before only for a renewable token that has not expired. */
const renewedExpiry = (
  row: Pick<ApiTokenRow, "expiresAt" | "renewalMillis">,
  time: number,
  maximumMillis = Number.POSITIVE_INFINITY
): string | null => {
  const { expiresAt, renewalMillis } = row
  const end = endOf(row)
  if (renewalMillis === null || expiresAt === null || end <= time) return expiresAt
  return toTimestamp(Math.max(end, time + Math.min(renewalMillis, maximumMillis)))
}

/** Creates the functions that insert new tokens and replace their secrets. `issue` fails with `Conflict` if another token has the given secret. */
export const makeTokenIssuer = Effect.gen(function* () {
  const ids = yield* Ids
  const random = yield* SecureRandom.SecureRandom

  /** Generates a secret. */
  const generate = Effect.map(random.randomBytes(32), (bytes) =>
    Redacted.make(`lectern_${Base64Url.encode(bytes)}`)
  )

  const issue = Effect.fnUntraced(function* (
    records: GrantedRecords,
    { secret: given, ...fields }: NewToken
  ): Effect.fn.Return<IssuedToken, Conflict | StorageUnavailable> {
    const secret = given ?? (yield* generate)
    const row: ApiTokenRow = {
      organization: null,
      expiresAt: null,
      renewalMillis: null,
      site: null,
      readOnly: false,
      permissions: null,
      samlProvider: null,
      installation: null,
      program: null,
      excluded: encodeSet([]),
      ...fields,
      id: ApiTokenId.make(yield* ids.next),
      digest: digestOf(Redacted.value(secret)),
      createdAt: yield* now,
      lastUsedAt: null,
      revokedAt: null,
      rotatedAt: null,
      formerDigest: null,
      formerExpiresAt: null
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
    return { row, secret }
  })

  /**
   * Generates a new secret of a token, and returns the columns to update with it. The former secret ends with the former end of
   * the token at the latest, so that a renewal does not extend it.
   */
  const renew = Effect.fnUntraced(function* (
    row: ApiTokenRow,
    { formerSecretHours = 0 }: RotateOwnToken,
    maximumMillis?: number
  ): Effect.fn.Return<RenewedSecret> {
    const time = yield* Clock.currentTimeMillis
    const secret = yield* generate
    const hasFormer = formerSecretHours > 0
    const formerEnd = Math.min(time + formerSecretHours * hourMillis, endOf(row))
    const set = {
      digest: digestOf(Redacted.value(secret)),
      formerDigest: hasFormer ? row.digest : null,
      formerExpiresAt: hasFormer ? toTimestamp(formerEnd) : null,
      expiresAt: renewedExpiry(row, time, maximumMillis),
      rotatedAt: toTimestamp(time)
    }
    return { set, secret }
  })

  return { issue, renew }
})

/** Converts a row to the resource at a time. */
export const presentToken = (base: string, row: ApiTokenRow, time: string): ApiToken => ({
  object: "api-token",
  id: row.id,
  user: row.user,
  label: row.label,
  ...(row.organization === null ? {} : { organization: row.organization }),
  ...(row.site === null ? {} : { site: row.site }),
  readOnly: row.readOnly,
  ...(row.permissions === null ? {} : { permissions: row.permissions }),
  ...(row.samlProvider === null ? {} : { samlProvider: row.samlProvider }),
  createdAt: row.createdAt,
  ...(row.expiresAt === null ? {} : { expiresAt: row.expiresAt }),
  renewable: row.renewalMillis !== null,
  ...(row.rotatedAt === null ? {} : { rotatedAt: row.rotatedAt }),
  ...(row.formerExpiresAt === null || row.formerExpiresAt <= time
    ? {}
    : { formerSecretExpiresAt: row.formerExpiresAt }),
  ...(row.lastUsedAt === null ? {} : { lastUsedAt: row.lastUsedAt }),
  ...(row.revokedAt === null ? {} : { revokedAt: row.revokedAt }),
  urls: { location: `${base}/v1/user/tokens/${row.id}` }
})
