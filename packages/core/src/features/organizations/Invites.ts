/** Operations on invites: links by which users join, and invites by e-mail address. */

import {
  type AccessError,
  type Caller,
  type Command,
  CurrentUser,
  type GrantedReader,
  type GrantedRecords,
  isLimited,
  isRecentSignIn,
  Locks,
  Operations,
  OrganizationQuotas,
  type Query,
  requireGrantable,
  requireQuota,
  SystemGrant,
  withRecentSignIn
} from "@lectern/access"
import {
  Ids,
  type Jobs,
  type Records,
  readPage,
  type StorageUnavailable,
  toTimestamp,
  Where
} from "@lectern/kernel"
import {
  type InviteRow,
  invites,
  type MemberRow,
  members,
  type OrganizationRow,
  organizations,
  signedInUsers,
  users
} from "@lectern/kernel/tables"
import { Conflict, Forbidden, type Gone, InvalidInput, NotFound } from "@lectern/model/errors"
import {
  CreateInvite,
  type Invite,
  InviteByEmail,
  type InvitedByEmail,
  InviteId,
  type JoinedOrganization,
  OrganizationId,
  UpdateInvite
} from "@lectern/model/organizations"
import { isAtLeast, type RoleOrGuest } from "@lectern/model/roles"
import { type Page, PageQuery } from "@lectern/model/schema"
import { Clock, Context, Effect, Layer } from "effect"
import type { Mails } from "../mail/Mails.ts"
import { rotateSessions } from "../sessions/endSessions.ts"
import { makeInvitationSender, storeInvitation } from "./invitationMails.ts"
import { makeInviteAccess } from "./inviteAccess.ts"
import { requireUsable } from "./inviteRules.ts"
import { findOrCreateUsers, insertMember, membership, membershipDisabled, newMember } from "./memberships.ts"

/**
 * Operations on invites, on behalf of the `CurrentUser`. They fail with `NotFound` for an organization that the caller
 * cannot see or a link that does not exist in it, and with `Forbidden` if the caller's role is too low.
 */
export interface InvitesOperations {
  /** Lists the invite links of an organization, newest first; requires the role `admin`. */
  readonly list: Query<{ organization: OrganizationId; input?: PageQuery }, Page<Invite>, AccessError>
  /**
   * Creates an invite link; requires the role `admin`. Fails with `InvalidInput` if it would expire in the past.
   */
  readonly create: Command<{ organization: OrganizationId; input: CreateInvite }, Invite, AccessError>
  /** Returns an invite link. Any user who has its id can get it, without being a member. */
  readonly get: Query<{ organization: OrganizationId; invite: InviteId }, Invite, NotFound>
  /**
   * Updates the role of users who join by the link from now on, its expiry and its number of uses; requires the role
   * `admin`. Fails with `InvalidInput` if it would expire in the past.
   */
  readonly update: Command<
    { organization: OrganizationId; invite: InviteId; input: UpdateInvite },
    Invite,
    AccessError
  >
  /** Removes the link; requires the role `admin`. Members who joined by it remain. */
  readonly remove: Command<{ organization: OrganizationId; invite: InviteId }, void, AccessError>
  /**
   * Makes the caller a member, or raises the caller's role to the role of the link. Changes nothing if the caller has
   * that role or a higher one. Fails with `Gone` if the link has expired, if it was used as often as it can be, or if the
   * inviter no longer has the role that it grants. Fails with `Conflict` while the organization has invite links disabled, and with
   * `Forbidden` if it requires single sign-on or has disabled the caller's membership.
   */
  readonly join: Command<
    { organization: OrganizationId; invite: InviteId },
    JoinedOrganization,
    AccessError | Conflict | Gone
  >
  /**
   * Makes the users of at most 100 e-mail addresses members, and creates accounts for unknown addresses; requires the
   * role `admin`. The roles of existing members are unchanged. Returns the users who became members.
   */
  readonly inviteByEmail: Command<
    { organization: OrganizationId; input: InviteByEmail },
    InvitedByEmail,
    AccessError
  >
}

/** Whether an invite changes nothing for a member, because the member has its role or a higher one. */
const isRedundant = (invite: RoleOrGuest, member: Pick<MemberRow, "role"> | undefined): boolean =>
  member !== undefined && (invite === null || isAtLeast(member.role, invite))

/** The time after which a link expires unless its creator chooses another, in milliseconds: 30 days. */
const defaultLifetimeMillis = 30 * 24 * 60 * 60 * 1_000

/** Fails with `InvalidInput` for an expiry in the past. */
const requireFuture = Effect.fnUntraced(function* (expiresAt: string | null | undefined) {
  if (typeof expiresAt === "string" && Date.parse(expiresAt) <= (yield* Clock.currentTimeMillis)) {
    return yield* InvalidInput.at("expiresAt", "must be in the future")
  }
})

const presentInvite = (row: InviteRow, member: Pick<MemberRow, "role"> | undefined): Invite => ({
  object: "invite",
  id: row.id,
  role: row.role,
  redundant: isRedundant(row.role, member),
  ...(row.expiresAt === null ? {} : { expiresAt: row.expiresAt }),
  ...(row.maximumUses === null ? {} : { maximumUses: row.maximumUses }),
  uses: row.uses
})

/**
 * Selects the links that a caller can see, because everyone who sees a link can join by it: a token that only reads sees none, and a token
 * that is limited to permissions none by which administrators join.
 */
const visibleLinks = (
  organization: OrganizationId
): Effect.Effect<Where.Where<InviteRow>, never, CurrentUser> =>
  Effect.map(CurrentUser, ({ token }) => {
    if (token?.readOnly === true) return Where.none
    const own = Where.eq<InviteRow, "organization">("organization", organization)
    return isLimited(token)
      ? Where.and<InviteRow>(own, Where.or(Where.isNull("role"), Where.not(Where.eq("role", "admin"))))
      : own
  })

/** Fails with `Forbidden` if a link can make the caller's other accounts administrators, which requires a recent sign-in. */
const requireVisibleLinks = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId
): Effect.fn.Return<void, Forbidden | StorageUnavailable, CurrentUser> {
  if (yield* isRecentSignIn(yield* CurrentUser)) return
  const administrators = yield* records.find(invites, {
    select: ["role"],
    where: Where.and<InviteRow>(Where.eq("organization", organization), Where.eq("role", "admin")),
    limit: 1
  })
  yield* requireGrantable(administrators.map(({ role }) => role))
})

const makeLinks = Effect.gen(function* () {
  const { query, command } = yield* Operations
  const ids = yield* Ids
  const { administrate, allowHolders, allowAdministrators } = yield* makeInviteAccess

  return {
    list: query(
      "Invites.list",
      { parameters: { organization: OrganizationId, input: PageQuery }, authorize: administrate },
      function* ({ organization, input }, { caller, records }) {
        yield* requireVisibleLinks(records, organization)
        return yield* readPage(records, input, {
          table: invites,
          list: ["invites", organization],
          where: yield* visibleLinks(organization),
          orderBy: ["id"],
          direction: "desc",
          present: (rows) => Effect.succeed(rows.map((row) => presentInvite(row, caller)))
        })
      }
    ),

    create: command(
      "Invites.create",
      {
        parameters: { organization: OrganizationId, input: CreateInvite },
        authorize: withRecentSignIn(administrate),
        locks: Locks.organization
      },
      function* ({ organization, input: { role, expiresAt, maximumUses = null } }, { caller, records }) {
        yield* requireFuture(expiresAt)
        const time = yield* Clock.currentTimeMillis
        const row: InviteRow = {
          id: InviteId.make(yield* ids.next),
          organization,
          role,
          createdBy: caller.user,
          createdAt: toTimestamp(time),
          expiresAt: expiresAt === undefined ? toTimestamp(time + defaultLifetimeMillis) : expiresAt,
          maximumUses,
          uses: 0
        }
        yield* records.insert(invites, row)
        return presentInvite(row, caller)
      }
    ),

    get: query(
      "Invites.get",
      { parameters: { organization: OrganizationId, invite: InviteId }, authorize: allowHolders },
      function* (_, { invite, member }) {
        return presentInvite(invite, member)
      }
    ),

    update: command(
      "Invites.update",
      {
        parameters: { organization: OrganizationId, invite: InviteId, input: UpdateInvite },
        authorize: withRecentSignIn(allowAdministrators),
        locks: Locks.organization
      },
      function* ({ input }, { caller, invite, records }) {
        const set = { ...input, createdBy: caller.user }
        yield* requireGrantable([{ ...invite, ...set }.role])
        yield* requireFuture(input.expiresAt)
        yield* records.update(invites, Where.eq("id", invite.id), set)
        return presentInvite({ ...invite, ...set }, caller)
      }
    ),

    remove: command(
      "Invites.remove",
      {
        parameters: { organization: OrganizationId, invite: InviteId },
        authorize: allowAdministrators,
        locks: Locks.organization
      },
      function* ({ invite }, { records }) {
        yield* records.remove(invites, Where.eq("id", invite))
      }
    )
  }
})

const makeJoining = Effect.gen(function* () {
  const quotas = yield* OrganizationQuotas
  const { command } = yield* Operations
  const ids = yield* Ids
  const { allowHolders } = yield* makeInviteAccess

  return {
    join: command(
      "Invites.join",
      {
        parameters: { organization: OrganizationId, invite: InviteId },
        authorize: allowHolders,
        locks: ({ organization }, caller) => Locks.membershipOf(organization, caller)
      },
      function* ({ organization }, { invite, owner, member, records }) {
        if (!owner.inviteLinks) {
          return yield* new Conflict({
            reason: "InvitesDisabled",
            message:
              "Invite links are disabled in the organization. Ask an administrator to invite you by e-mail."
          })
        }
        if (owner.sso && member?.sso !== true) {
          return yield* new Forbidden({
            reason: "SsoRequired",
            message: "The organization requires single sign-on. Log in at one of the URLs of its /sso list."
          })
        }
        if (member?.disabled === true) return yield* membershipDisabled
        if (isRedundant(invite.role, member)) return {}
        yield* requireUsable(records, invite)
        yield* records.update(invites, Where.eq("id", invite.id), { uses: invite.uses + 1 })
        if (member !== undefined) {
          yield* records.update(members, membership(organization, member.user), { role: invite.role })
          yield* rotateSessions(records, member.user)
          return {}
        }
        const user = yield* records.get(users, { id: (yield* CurrentUser).id })
        if (user === undefined) return yield* NotFound.of("user")
        yield* requireQuota(quotas, records, owner.id, "members", 1)
        yield* insertMember(records, ids, owner, user, { role: invite.role })
        return {}
      }
    )
  }
})

const makeInvitingByEmail = Effect.gen(function* () {
  const quotas = yield* OrganizationQuotas
  const anywhere = yield* SystemGrant.make("Finds out whether invited users are in another organization.")
  const { command } = yield* Operations
  const ids = yield* Ids
  const sender = yield* makeInvitationSender
  const { administrate } = yield* makeInviteAccess

  /** Invites the new members who have never signed in to do so. */
  const inviteUser = Effect.fnUntraced(function* (
    records: GrantedRecords,
    invitedBy: Caller["user"],
    joined: ReadonlyArray<MemberRow>,
    emails: ReadonlyMap<string, string>
  ) {
    const signedIn = yield* anywhere.records.find(signedInUsers, {
      where: Where.isIn(
        "user",
        joined.map(({ user }) => user)
      )
    })
    const known = new Set(signedIn.map(({ user }) => user))
    for (const { organization, user } of joined) {
      if (known.has(user)) continue
      const row = yield* sender.newRow({ organization, user, invitedBy })
      yield* storeInvitation(records, row)
      yield* sender.send(row, emails.get(user)!)
    }
  })

  return {
    inviteByEmail: command(
      "Invites.inviteByEmail",
      {
        parameters: { organization: OrganizationId, input: InviteByEmail },
        authorize: administrate,
        locks: ({ organization, input: { emails } }) =>
          Locks.invitations(
            organization,
            emails.map((entry) => (typeof entry === "string" ? entry : entry.email))
          )
      },
      function* ({ organization, input }, { caller, records }) {
        const owner = (yield* records.get(organizations, { id: organization })) as OrganizationRow
        const fallback = input.role === undefined ? owner.defaultRole : input.role
        const roles = new Map(
          input.emails.map((entry): readonly [string, RoleOrGuest] =>
            typeof entry === "string" ? [entry, fallback] : [entry.email, entry.role]
          )
        )
        yield* requireGrantable(roles.values())
        const invited = yield* findOrCreateUsers(
          records,
          ids,
          new Map([...roles.keys()].map((email) => [email, undefined]))
        )
        const memberships: ReadonlyArray<Pick<MemberRow, "organization" | "user">> =
          yield* anywhere.records.find(members, {
            select: ["organization", "user"],
            where: Where.isIn(
              "user",
              Array.from(invited.values(), ({ id }) => id)
            )
          })
        const existing = new Set(
          memberships.flatMap((row) => (row.organization === organization ? [row.user] : []))
        )
        const withMembership = new Set(memberships.map(({ user }) => user))
        const joined: Array<MemberRow> = []
        const failed: Array<string> = []
        for (const [email, role] of roles) {
          const user = invited.get(email)!
          if (existing.has(user.id)) continue
          const isInNoOrganization = !withMembership.has(user.id)
          if (input.sso === true && !isInNoOrganization) failed.push(email)
          const sso = input.sso === true && isInNoOrganization
          joined.push(yield* newMember(ids, owner, user, { role, sso }))
        }
        yield* requireQuota(quotas, records, organization, "members", joined.length)
        yield* records.insertMany(members, joined)
        yield* inviteUser(
          records,
          caller.user,
          joined,
          new Map(Array.from(invited.values(), (user) => [user.id, user.email]))
        )
        const result: InvitedByEmail = { users: joined.map(({ user }) => user), invited: joined.length }
        return failed.length === 0 ? result : { ...result, failedSSOEmails: failed }
      }
    )
  }
})

const makeInvites = Effect.gen(function* () {
  return { ...(yield* makeLinks), ...(yield* makeJoining), ...(yield* makeInvitingByEmail) }
})

/** Operations on invites: see {@link InvitesOperations}. */
export class Invites extends Context.Service<Invites, InvitesOperations>()("@lectern/core/Invites") {
  static readonly layer: Layer.Layer<Invites, never, Records | Operations | Ids | Jobs | Mails> =
    Layer.effect(Invites, makeInvites)
}
