/**
 * Signs people in, and authenticates the requests of their sessions.
 *
 * The secrets of links and sessions have 256 random bits. Only their digests are stored, so that a copy of the database
 * cannot be used to sign in.
 */

import {
  addAuditDetails,
  type Identity,
  Locks,
  noteOwnCall,
  Operations,
  type OperatorOperation
} from "@lectern/access"
import {
  type Encryption,
  type Ids,
  type Jobs,
  makeVersionedCache,
  Records,
  type StorageUnavailable,
  toTimestamp,
  Where
} from "@lectern/kernel"
import { CacheScope, type SessionRow, sessions, signInLinks } from "@lectern/kernel/tables"
import { type NotFound, Unauthenticated } from "@lectern/model/errors"
import {
  type CreateSignInLink,
  EndSessions,
  type ReadSignInLink,
  type RequestSignInLink,
  type Session,
  SessionId,
  type UseSignInLink
} from "@lectern/model/sessions"
import { UserId } from "@lectern/model/users"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Mails } from "../mail/Mails.ts"
import { endPrograms, endSessions } from "./endSessions.ts"
import { makeLinkSignIns } from "./linkSignIns.ts"
import { SessionLifetimes } from "./SessionLifetimes.ts"
import { digestOf, makeSessionIssuer } from "./sessionIssuer.ts"
import { presentSession, whereOpen } from "./sessionViews.ts"
import { makeSignInAccess, noteSignIn } from "./signInAccess.ts"
import type { SignInLink } from "./signInLinks.ts"

/** The account that a link signs in. */
export interface SignInLinkAccount {
  /** The id of the user. */
  readonly user: UserId
  /** The e-mail address of the account. */
  readonly email: string
  /** Whether the browser started the sign-in at an identity provider, so that it needs no confirmation. */
  readonly isOfBrowser: boolean
}

/** A session that has started. */
export interface StartedSession {
  /** The id of the session. */
  readonly id: SessionId
  /** The id of the user. */
  readonly user: UserId
  /** The secret, which the browser sends as a cookie. Only its digest is stored. */
  readonly secret: Redacted.Redacted<string>
  /** When the session ends. */
  readonly expiresAt: string
}

/** Operations of the server and of the operator for signing in. They act for no user: the user is not authenticated yet. */
export interface SignInsOperations {
  /** Whether links can be sent by e-mail, because a mailer is configured. */
  readonly hasMail: boolean
  /** Creates a link that signs the user of an account in, once and within 15 minutes. Fails with `NotFound` without an account. */
  readonly createLink: OperatorOperation<{ input: CreateSignInLink }, SignInLink, NotFound>
  /**
   * Sends a link that signs the user of an e-mail address in, once and within 15 minutes. Its result and its duration do not
   * depend on whether an account has the address. Sends nothing without a mailer, or if the recipient or the client has
   * requested too many.
   */
  readonly requestLink: OperatorOperation<{ input: RequestSignInLink }, void>
  /** Returns the account of a link without using it. Fails with `Unauthenticated` if the link is unknown, expired or used. */
  readonly readLink: OperatorOperation<{ input: ReadSignInLink }, SignInLinkAccount, Unauthenticated>
  /**
   * Uses a link: starts a session of its user, and ends the former session of the browser. Fails with `Unauthenticated` if the
   * link is unknown, expired or used.
   */
  readonly useLink: OperatorOperation<{ input: UseSignInLink }, StartedSession, Unauthenticated>
  /**
   * Returns the user whom the secret of a session authenticates, and updates `lastUsedAt` at most once a minute. Fails with
   * `Unauthenticated` if the session is unknown or has ended.
   */
  readonly authenticate: (
    secret: Redacted.Redacted<string>
  ) => Effect.Effect<Identity, Unauthenticated | StorageUnavailable>
  /** Replaces the secret of a session whose rotation is due, and returns the new one; undefined if another request has. */
  readonly rotate: OperatorOperation<
    { session: SessionId; user: UserId },
    Redacted.Redacted<string> | undefined
  >
  /** Lists the sessions of a user that have not ended, newest first: at most 50. */
  readonly listSessions: OperatorOperation<{ user: UserId }, ReadonlyArray<Session>>
  /** Ends a session of a user, or without `session` all of them and the authorizations of programs, with immediate effect. Returns how many have ended. */
  readonly endSessions: OperatorOperation<{ user: UserId; input?: EndSessions }, number>
  /** Removes sessions and links that have ended. */
  readonly purge: Effect.Effect<void, StorageUnavailable>
}

/** The precision of `lastUsedAt`, in milliseconds: 1 minute. It bounds the writes for a session in steady use. */
const lastUsedPrecisionMillis = 60_000

/** The maximum number of sessions that are cached until the next commit. */
const maximumCachedSessions = 10_000

const authenticatedColumns = [
  "id",
  "user",
  "organization",
  "provider",
  "digest",
  "formerExpiresAt",
  "rotationDue",
  "authenticatedAt",
  "verifiedAt",
  "lastUsedAt",
  "expiresAt"
] as const satisfies ReadonlyArray<keyof SessionRow>

const identityOf = (row: Pick<SessionRow, (typeof authenticatedColumns)[number]>): Identity => ({
  id: row.user,
  ...(row.organization === null ? {} : { organization: row.organization }),
  session: row.id,
  signIn: {
    id: row.id,
    provider: row.provider ?? undefined,
    authenticatedAt: row.authenticatedAt,
    isVerified: row.verifiedAt !== null,
    expiresAt: row.expiresAt,
    isRotationDue: row.rotationDue
  }
})

const endedSession = new Unauthenticated({
  reason: "TokenInvalid",
  message: "The session has ended. Sign in again."
})

/** Creates the function that returns the user of a session's secret. */
const makeAuthenticate = Effect.gen(function* () {
  const store = yield* Records
  const { records } = yield* makeSignInAccess
  const cached = makeVersionedCache(store, "sessions", maximumCachedSessions)
  const { idleMillis } = yield* SessionLifetimes

  const findBy = (column: "digest" | "formerDigest", digest: string) =>
    records.first(sessions, { select: authenticatedColumns, where: Where.eq(column, digest) })

  /** Updates when a session was last used. A failed write, for example on a full disk, must not fail requests that only read. */
  const updateLastUse = (id: SessionId, time: number) =>
    Effect.catchTag(
      store.lockedTransaction(
        Locks.none,
        records.update(sessions, Where.eq("id", id), { lastUsedAt: toTimestamp(time) })
      ),
      "StorageUnavailable",
      (error) => Effect.logWarning("Cannot update the last use of a session.", error.reason)
    )

  return Effect.fnUntraced(function* (secret: Redacted.Redacted<string>) {
    const digest = digestOf(Redacted.value(secret))
    const row = yield* cached({ key: digest, scopes: ({ id }) => [CacheScope.session(id)] }, () =>
      Effect.flatMap(findBy("digest", digest), (found) =>
        found === undefined ? findBy("formerDigest", digest) : Effect.succeed(found)
      )
    )
    const time = yield* Clock.currentTimeMillis
    if (row === undefined) return yield* endedSession
    // A cached row is that of the same digest.
    if (row.digest !== digest && !(Date.parse(row.formerExpiresAt ?? "") > time)) return yield* endedSession
    const idle = time - Date.parse(row.lastUsedAt)
    if (Date.parse(row.expiresAt) <= time || idle >= idleMillis) return yield* endedSession
    if (idle >= lastUsedPrecisionMillis) yield* updateLastUse(row.id, time)
    return identityOf(row)
  })
})

const makeSessions = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const { allowPages, records } = yield* makeSignInAccess
  const { rotate } = yield* makeSessionIssuer
  const { idleMillis } = yield* SessionLifetimes

  return {
    listSessions: query(
      "SignIns.listSessions",
      { parameters: { user: UserId }, authorize: allow.operator("sessions of all accounts") },
      function* ({ user }, { records }) {
        const time = yield* Clock.currentTimeMillis
        const rows = yield* records.find(sessions, {
          where: whereOpen(Where.eq("user", user), time, idleMillis),
          orderBy: ["id"],
          direction: "desc"
        })
        return rows.map((row) => presentSession(undefined, row))
      }
    ),

    endSessions: command(
      "SignIns.endSessions",
      {
        parameters: { user: UserId, input: EndSessions },
        authorize: allow.operator("sessions of all accounts"),
        locks: (parameters) => Locks.memberships(parameters.user)
      },
      function* ({ user, input: { session } }, { records }) {
        yield* noteOwnCall(records, user)
        if (session === undefined) yield* endPrograms(records, user)
        return yield* endSessions(
          records,
          Where.and<SessionRow>(
            Where.eq("user", user),
            session === undefined ? Where.all : Where.eq("id", session)
          )
        )
      }
    ),

    rotate: command(
      "SignIns.rotate",
      {
        parameters: { session: SessionId, user: UserId },
        authorize: allowPages,
        locks: ({ user }) => Locks.memberships(user)
      },
      function* ({ session, user }, { records }) {
        const rotated = yield* rotate(records, session)
        if (rotated === undefined) yield* addAuditDetails({ isUnrecorded: true })
        else yield* noteSignIn(records, user, rotated.organization, session)
        return rotated?.secret
      }
    ),

    purge: Effect.gen(function* () {
      const time = yield* Clock.currentTimeMillis
      yield* records.remove(
        sessions,
        Where.or<SessionRow>(
          Where.lt("expiresAt", toTimestamp(time)),
          Where.lt("lastUsedAt", toTimestamp(time - idleMillis))
        )
      )
      yield* records.remove(signInLinks, Where.lt("expiresAt", toTimestamp(time)))
    })
  }
})

const makeSignIns = Effect.gen(function* () {
  const operations = {
    ...(yield* makeLinkSignIns),
    authenticate: yield* makeAuthenticate,
    ...(yield* makeSessions)
  }
  return operations satisfies SignInsOperations
})

/** Signs people in: see {@link SignInsOperations}. */
export class SignIns extends Context.Service<SignIns, SignInsOperations>()("@lectern/core/SignIns") {
  static readonly layer: Layer.Layer<SignIns, never, Records | Operations | Ids | Jobs | Mails | Encryption> =
    Layer.effect(SignIns, makeSignIns).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
