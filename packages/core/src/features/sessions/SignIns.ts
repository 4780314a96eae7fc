/**
 * Signs people in, and authenticates the requests of their sessions.
 *
 * The secrets of links and sessions have 256 random bits. Only their digests are stored, so that a copy of the database
 * cannot be used to sign in.
 */

import {
  type Encryption,
  type Ids,
  Jobs,
  makeVersionedCache,
  now,
  Records,
  type StorageUnavailable,
  toTimestamp,
  Where
} from "@lectern/kernel"
import {
  type ApiTokenRow,
  apiTokens,
  CacheScope,
  type InvitationRow,
  invitations,
  type MemberRow,
  members,
  type SessionRow,
  type SignInLinkRow,
  sessions,
  signedInUsers,
  signInLinks,
  type UserRow,
  users
} from "@lectern/kernel/tables"
import { NotFound, Unauthenticated } from "@lectern/model/errors"
import {
  CreateSignInLink,
  EndSessions,
  ReadSignInLink,
  RequestSignInLink,
  type Session,
  SessionId,
  UseSignInLink
} from "@lectern/model/sessions"
import { UserId } from "@lectern/model/users"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { addAuditDetails } from "../../access/AuditedCall.ts"
import { noteOwnCall } from "../../access/audit/noteOwnCall.ts"
import type { Identity } from "../../access/CurrentUser.ts"
import type { GrantedReader } from "../../access/grants/Grant.ts"
import { SystemGrant } from "../../access/grants/SystemGrant.ts"
import type { Authorization } from "../../access/operations/Authorization.ts"
import { Locks } from "../../access/operations/Locks.ts"
import type { OperatorOperation } from "../../access/operations/Operation.ts"
import { Operations } from "../../access/operations/Operations.ts"
import { Mails } from "../mail/Mails.ts"
import { endPrograms, endSessions } from "./endSessions.ts"
import { SessionLifetimes } from "./SessionLifetimes.ts"
import { digestOf, makeSessionIssuer } from "./sessionIssuer.ts"
import { presentSession, whereOpen } from "./sessionViews.ts"
import { isOfInvitation, makeSignInLinkIssuer, requestedLinkMillis, type SignInLink } from "./signInLinks.ts"
import { signInMailJob } from "./signInMails.ts"

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

const invalidLink = new Unauthenticated({
  reason: "LinkInvalid",
  message: "The sign-in link has expired or was used before. Request another one."
})

const endedSession = new Unauthenticated({
  reason: "TokenInvalid",
  message: "The session has ended. Sign in again."
})

const makeSignIns = Effect.gen(function* () {
  const store = yield* Records
  const { query, command, allow } = yield* Operations
  const jobs = yield* Jobs
  const mails = yield* Mails
  const { grant, records } = yield* SystemGrant.make("Signs people in, before they are authenticated.")
  const cached = makeVersionedCache(store, "sessions", maximumCachedSessions)
  const { start, rotate } = yield* makeSessionIssuer
  const createLink = yield* makeSignInLinkIssuer
  const { idleMillis } = yield* SessionLifetimes

  const allowAccounts = allow.operator("sign-in links of all accounts")

  /** Whether a link that an administrator can see still signs its user in: the account was never used. */
  const isUnclaimed = Effect.fnUntraced(function* ({ user, firstSignInOf }: SignInLinkRow) {
    if (firstSignInOf === null) return true
    const signedIn = yield* records.get(signedInUsers, { user }, ["user"])
    const token = yield* records.first(apiTokens, {
      select: ["id"],
      where: Where.eq<ApiTokenRow, "user">("user", user)
    })
    const elsewhere = yield* records.first(members, {
      select: ["id"],
      where: Where.and<MemberRow>(Where.eq("user", user), Where.not(Where.eq("organization", firstSignInOf)))
    })
    return signedIn === undefined && token === undefined && elsewhere === undefined
  })

  /** Whether the invitation that a link was sent with is open: neither revoked, renewed nor accepted. */
  const isInvited = Effect.fnUntraced(function* (link: SignInLinkRow) {
    if (!isOfInvitation(link)) return true
    const open = yield* records.first(invitations, {
      select: ["user"],
      where: Where.and<InvitationRow>(Where.eq("user", link.user), Where.eq("expiresAt", link.expiresAt))
    })
    return open !== undefined
  })

  /** Returns a link that can be used, with its account. */
  const findLink = Effect.fnUntraced(function* ({ secret }: ReadSignInLink) {
    const link = yield* records.get(signInLinks, { digest: digestOf(secret) })
    if (link === undefined || link.expiresAt <= (yield* now)) return yield* invalidLink
    const account = yield* records.get(users, { id: link.user })
    if (account === undefined || !(yield* isUnclaimed(link)) || !(yield* isInvited(link)))
      return yield* invalidLink
    return { link, account }
  })

  const allowLinks: Authorization<unknown, Record<never, never>, never, never> = {
    rule: allow.operator("the sign-in pages of the server, before the user is authenticated").rule,
    check: () => Effect.succeed({ grant })
  }

  /** Records a call on a session in the log of the organization that it is limited to, or of all organizations of the user. */
  const noteSignIn = Effect.fnUntraced(function* (
    records: GrantedReader,
    user: UserId,
    organization: SessionRow["organization"],
    session: SessionId
  ): Effect.fn.Return<void, StorageUnavailable> {
    yield* addAuditDetails({ organization, actor: user, resources: [`session:${session}`] })
    if (organization === null) yield* noteOwnCall(records, user)
  })

  const findBy = (column: "digest" | "formerDigest", digest: string) =>
    records.first(sessions, { select: authenticatedColumns, where: Where.eq(column, digest) })

  return {
    hasMail: mails.isAvailable,

    createLink: command(
      "SignIns.createLink",
      { parameters: { input: CreateSignInLink }, authorize: allowAccounts, locks: () => Locks.none },
      function* ({ input: { email } }, { records }) {
        const account = yield* records.first(users, { where: Where.eq<UserRow, "email">("email", email) })
        if (account === undefined) return yield* NotFound.of("user")
        yield* addAuditDetails({ resources: [`user:${account.id}`] })
        return yield* createLink(records, {
          user: account.id,
          method: "link",
          lifetimeMillis: requestedLinkMillis
        })
      }
    ),

    requestLink: command(
      "SignIns.requestLink",
      { parameters: { input: RequestSignInLink }, authorize: allowLinks, locks: () => Locks.none },
      function* ({ input: { address, ...mail } }) {
        // The request names no user who could be found out: the sign-in is recorded instead.
        yield* addAuditDetails({ isUnrecorded: true })
        if (!mails.isAvailable) return
        const isAdmitted = yield* mails.admit({ recipient: mail.email, address })
        // The job searches for the account, so that this request does not reveal whether there is one.
        if (isAdmitted) yield* jobs.enqueue(signInMailJob, mail)
      }
    ),

    readLink: query(
      "SignIns.readLink",
      { parameters: { input: ReadSignInLink }, authorize: allowLinks },
      function* ({ input }) {
        const { account, link } = yield* findLink(input)
        const isOfBrowser =
          link.browser !== null && input.browser !== undefined && link.browser === digestOf(input.browser)
        return { user: account.id, email: account.email, isOfBrowser }
      }
    ),

    useLink: command(
      "SignIns.useLink",
      {
        parameters: { input: UseSignInLink },
        authorize: allowLinks,
        locks: ({ input }) => Locks.memberships(input.user),
        // Outside of the transaction, whose locks depend on the user.
        prepare: ({ input }) =>
          Effect.map(findLink(input), ({ account }) => ({ input: { ...input, user: account.id } }))
      },
      function* ({ input: { secret, client } }, { records }) {
        const digest = digestOf(secret)
        const link = yield* records.get(signInLinks, { digest })
        // Of several concurrent requests, one removes the row.
        const removed = yield* records.remove(signInLinks, Where.eq("digest", digest))
        if (link === undefined || removed === 0) return yield* invalidLink
        const { user: owner, method, provider } = link
        // Administrators have seen such a link: its session must not reach organizations that the user joins later.
        const organization = link.organization ?? link.firstSignInOf
        const issued = yield* start(records, { user: owner, method, organization, provider, client })
        yield* noteSignIn(records, owner, organization, issued.row.id)
        const { id, user, expiresAt } = issued.row
        return { id, user, secret: issued.secret, expiresAt }
      }
    ),

    authenticate: Effect.fnUntraced(function* (secret: Redacted.Redacted<string>) {
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
      if (idle >= lastUsedPrecisionMillis) {
        // A failed write, for example on a full disk, must not fail requests that only read.
        yield* Effect.catchTag(
          store.lockedTransaction(
            Locks.none,
            records.update(sessions, Where.eq("id", row.id), { lastUsedAt: toTimestamp(time) })
          ),
          "StorageUnavailable",
          (error) => Effect.logWarning("Cannot update the last use of a session.", error.reason)
        )
      }
      return identityOf(row)
    }),

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
        authorize: allowLinks,
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
  } satisfies SignInsOperations
})

/** Signs people in: see {@link SignInsOperations}. */
export class SignIns extends Context.Service<SignIns, SignInsOperations>()("@lectern/core/SignIns") {
  static readonly layer: Layer.Layer<SignIns, never, Records | Operations | Ids | Jobs | Mails | Encryption> =
    Layer.effect(SignIns, makeSignIns).pipe(Layer.provide(SecureRandom.layerWebCrypto))
}
