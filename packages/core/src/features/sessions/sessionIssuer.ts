/** Creates sessions and replaces their secrets. */

import type { GrantedRecords } from "@lectern/access"
import { Encryption, Ids, type StorageUnavailable, toTimestamp, Where } from "@lectern/kernel"
import { sha256Hex } from "@lectern/kernel/sha256"
import {
  type InvitationRow,
  invitations,
  logoutPlace,
  type SessionRow,
  sessions,
  signedInUsers
} from "@lectern/kernel/tables"
import { SessionId, type SignInClient } from "@lectern/model/sessions"
import type { UserId } from "@lectern/model/users"
import { Clock, Effect, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { SessionLifetimes } from "./SessionLifetimes.ts"

/** The hexadecimal SHA-256 digest of a secret. A fast hash suffices for 256 random bits. */
export const digestOf = (secret: string): string => sha256Hex(secret)

/** How a user has signed in. */
export interface NewSession
  extends Pick<SessionRow, "method">,
    Partial<Pick<SessionRow, "organization" | "provider" | "verifiedAt">> {
  readonly user: UserId
  readonly client: SignInClient
  /** The OpenID Connect provider at which a logout ends too, and its ID token. */
  readonly logout?: { readonly provider: string; readonly idToken: string | undefined }
}

/** A session with its secret, which is set as a cookie. */
export interface IssuedSession {
  readonly row: SessionRow
  readonly secret: Redacted.Redacted<string>
}

/** The maximum number of sessions of a user. A new one ends the one that was used least recently. */
const maximumSessions = 50

/** How long requests that have started before a rotation are accepted, in milliseconds: 1 minute. */
const rotationGraceMillis = 60_000

const secretBytes = 32

/** Removes sessions over the maximum, and returns nothing. */
const limit = Effect.fnUntraced(function* (
  records: GrantedRecords,
  user: UserId
): Effect.fn.Return<void, StorageUnavailable> {
  const rows = yield* records.find(sessions, {
    select: ["id", "lastUsedAt"],
    where: Where.eq("user", user),
    orderBy: ["lastUsedAt"]
  })
  const surplus = rows.slice(0, Math.max(0, rows.length - maximumSessions + 1))
  if (surplus.length === 0) return
  yield* records.remove(
    sessions,
    Where.isIn(
      "id",
      surplus.map(({ id }) => id)
    )
  )
})

/** Creates the functions that start sessions and rotate their secrets. */
export const makeSessionIssuer = Effect.gen(function* () {
  const ids = yield* Ids
  const random = yield* SecureRandom.SecureRandom
  const encryption = yield* Encryption
  const { absoluteMillis } = yield* SessionLifetimes
  const generate = Effect.map(random.randomBytes(secretBytes), (bytes) => Base64Url.encode(bytes))

  return {
    /** Starts a session, and ends the one that the browser had before: its secret may be known to others. */
    start: Effect.fnUntraced(function* (
      records: GrantedRecords,
      { user, method, client, logout, organization = null, provider = null, verifiedAt = null }: NewSession
    ): Effect.fn.Return<IssuedSession, StorageUnavailable> {
      const time = yield* Clock.currentTimeMillis
      const at = toTimestamp(time)
      const secret = yield* generate
      const id = SessionId.make(yield* ids.next)
      const row: SessionRow = {
        id,
        user,
        organization,
        provider,
        method,
        digest: digestOf(secret),
        formerDigest: null,
        formerExpiresAt: null,
        rotationDue: false,
        userAgent: client.userAgent ?? null,
        address: client.address ?? null,
        createdAt: at,
        authenticatedAt: at,
        verifiedAt,
        lastUsedAt: at,
        expiresAt: toTimestamp(time + absoluteMillis),
        logout:
          logout === undefined ? null : yield* encryption.encrypt(JSON.stringify(logout), logoutPlace(id))
      }
      if (client.former !== undefined) {
        yield* records.remove(sessions, Where.eq("digest", digestOf(client.former)))
      }
      yield* limit(records, user)
      yield* records.insert(sessions, row)
      yield* records.insertMissing(signedInUsers, [{ user, firstAt: at }])
      // The first sign-in accepts the invitations of the user: that of a provider, only the one of its organization.
      yield* records.remove(
        invitations,
        Where.and<InvitationRow>(
          Where.eq("user", user),
          organization === null ? Where.all : Where.eq("organization", organization)
        )
      )
      return { row, secret: Redacted.make(secret) }
    }),

    /**
     * Replaces the secret of a session, and returns the new one with the organization of the session. Returns undefined if another
     * request has replaced it.
     */
    rotate: Effect.fnUntraced(function* (
      records: GrantedRecords,
      id: SessionId
    ): Effect.fn.Return<
      (Pick<IssuedSession, "secret"> & Pick<SessionRow, "organization">) | undefined,
      StorageUnavailable
    > {
      const row = yield* records.get(sessions, { id }, ["digest", "organization", "rotationDue"])
      if (row?.rotationDue !== true) return undefined
      const secret = yield* generate
      const changed = yield* records.update(
        sessions,
        Where.and<SessionRow>(Where.eq("id", id), Where.eq("digest", row.digest)),
        {
          digest: digestOf(secret),
          formerDigest: row.digest,
          formerExpiresAt: toTimestamp((yield* Clock.currentTimeMillis) + rotationGraceMillis),
          rotationDue: false
        }
      )
      return changed === 0 ? undefined : { secret: Redacted.make(secret), organization: row.organization }
    })
  }
})
