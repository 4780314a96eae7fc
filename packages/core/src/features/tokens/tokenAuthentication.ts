/** Authenticates requests by API tokens and by the access tokens of programs. */

import { type Identity, Locks, SystemGrant, type TokenIdentity } from "@lectern/access"
import {
  apiResource,
  decodeSet,
  makeOAuthRecords,
  makeVersionedCache,
  type ProgramAccess,
  PublicUrl,
  programAccessOf,
  Records,
  type StorageUnavailable,
  toTimestamp,
  Where
} from "@lectern/kernel"
import { type ApiTokenRow, apiTokens, CacheScope } from "@lectern/kernel/tables"
import { Unauthenticated } from "@lectern/model/errors"
import type { OrganizationId } from "@lectern/model/organizations"
import { ApiTokenId } from "@lectern/model/tokens"
import { Clock, Effect, Redacted } from "effect"
import { digestOf } from "./tokenIssuer.ts"

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

const invalidToken = new Unauthenticated({
  reason: "TokenInvalid",
  message: "The API token is unknown, expired or revoked. Create a new one."
})

/** Creates the function that returns the user whom the secret of a token authenticates. */
export const makeTokenAuthentication = Effect.gen(function* () {
  const { lockedTransaction } = yield* Records
  const { records } = yield* SystemGrant.make("Authenticates requests by their API token.")
  const cached = makeVersionedCache(yield* Records, "tokens", maximumCachedTokens)
  const oauth = makeOAuthRecords(yield* Records)
  const ofApi = apiResource(yield* PublicUrl)

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

  return Effect.fnUntraced(function* (secret: Redacted.Redacted<string> | string, resource = ofApi) {
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
})
