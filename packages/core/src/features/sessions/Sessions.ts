/** Operations on sessions, for their users. */

import {
  type AccessError,
  type Authorization,
  addAuditDetails,
  type Command,
  type GrantedReader,
  type Identity,
  Locks,
  noteOwnCall,
  Operations,
  type Query
} from "@lectern/access"
import { readPage, type StorageUnavailable, Where } from "@lectern/kernel"
import { type SessionRow, sessions } from "@lectern/kernel/tables"
import { NotFound } from "@lectern/model/errors"
import { type Page, PageQuery } from "@lectern/model/schema"
import { type Session, SessionId } from "@lectern/model/sessions"
import { Clock, Context, Effect, Layer } from "effect"
import { endPrograms, endSessions } from "./endSessions.ts"
import { SessionLifetimes } from "./SessionLifetimes.ts"
import { presentSession, whereOpen } from "./sessionViews.ts"

/** Operations on sessions, on behalf of the `CurrentUser`. A caller who is limited to an organization sees only its sessions. */
export interface SessionsOperations {
  /** Lists the caller's sessions that have not ended, newest first. */
  readonly list: Query<{ input?: PageQuery }, Page<Session>>
  /** Ends a session of the caller, with immediate effect. Fails with `NotFound` if the caller has no such session. */
  readonly revoke: Command<{ session: SessionId }, void, AccessError>
  /** Ends the session of the request. Changes nothing for a caller without a session. */
  readonly signOut: Command<Record<never, never>, void>
  /** Ends all sessions of the caller and the authorizations of programs, with immediate effect. API tokens remain valid. */
  readonly signOutEverywhere: Command<Record<never, never>, void>
}

const makeSessions = Effect.gen(function* () {
  const { query, command, allow } = yield* Operations
  const { idleMillis } = yield* SessionLifetimes

  const signedIn = allow.signedIn("the caller's own sessions")

  /** Matches the sessions of a caller. */
  const ownedBy = ({ id, organization }: Identity): Where.Where<SessionRow> =>
    Where.and<SessionRow>(
      Where.eq("user", id),
      organization === undefined ? Where.all : Where.eq("organization", organization)
    )

  /** Records a call on sessions in the log of the organization that they are limited to, or of all organizations of the user. */
  const noteCall = (
    records: GrantedReader,
    user: Identity,
    organization: SessionRow["organization"]
  ): Effect.Effect<void, StorageUnavailable> =>
    organization === null ? noteOwnCall(records, user.id) : addAuditDetails({ organization })

  const allowOwn: Authorization<{ readonly session: SessionId }, { readonly row: SessionRow }, NotFound> = {
    rule: signedIn.rule,
    check: Effect.fnUntraced(function* ({ session }) {
      const { user, grant } = yield* signedIn.check({})
      const row = yield* grant.records.first(sessions, {
        where: Where.and<SessionRow>(Where.eq("id", session), ownedBy(user))
      })
      if (row === undefined) return yield* NotFound.of("session")
      yield* noteCall(grant.records, user, row.organization)
      return { grant, row }
    })
  }

  return {
    list: query(
      "Sessions.list",
      { parameters: { input: PageQuery }, authorize: signedIn },
      function* ({ input }, { user, records }) {
        const time = yield* Clock.currentTimeMillis
        return yield* readPage(records, input, {
          table: sessions,
          list: ["sessions", user.id, user.organization],
          where: whereOpen(ownedBy(user), time, idleMillis),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => Effect.succeed(rows.map((row) => presentSession(user.signIn?.id, row)))
        })
      }
    ),

    revoke: command(
      "Sessions.revoke",
      {
        parameters: { session: SessionId },
        authorize: allowOwn,
        locks: (_, caller) => Locks.memberships(caller)
      },
      function* ({ session }, { records }) {
        yield* endSessions(records, Where.eq("id", session))
      }
    ),

    signOut: command(
      "Sessions.signOut",
      { parameters: {}, authorize: signedIn, locks: (_, caller) => Locks.memberships(caller) },
      function* (_, { user, records }) {
        yield* noteCall(records, user, user.organization ?? null)
        if (user.signIn !== undefined) yield* endSessions(records, Where.eq("id", user.signIn.id))
      }
    ),

    signOutEverywhere: command(
      "Sessions.signOutEverywhere",
      { parameters: {}, authorize: signedIn, locks: (_, caller) => Locks.memberships(caller) },
      function* (_, { user, records }) {
        yield* noteCall(records, user, user.organization ?? null)
        yield* endSessions(records, ownedBy(user))
        yield* endPrograms(records, user.id, user.organization)
      }
    )
  }
})

/** Operations on sessions, for their users: see {@link SessionsOperations}. */
export class Sessions extends Context.Service<Sessions, SessionsOperations>()("@lectern/core/Sessions") {
  static readonly layer: Layer.Layer<Sessions, never, Operations> = Layer.effect(Sessions, makeSessions)
}
