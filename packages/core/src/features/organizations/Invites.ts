/** What callers do with invites (decision D13). */
import { Context, Effect, Layer } from "effect"
import { Access } from "../../access/Access.ts"
import { CurrentUser } from "../../access/CurrentUser.ts"
import { Conflict, Forbidden, NotFound } from "../../kernel/errors.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { readPage } from "../../kernel/pagination/paginate.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { Records, Where } from "../../kernel/storage/index.ts"
import { now } from "../../kernel/time.ts"
import {
  CreateInvite,
  type Invite,
  InviteByEmail,
  type InvitedByEmail,
  InviteId,
  type InviteRow,
  invites,
  UpdateInvite
} from "../../model/organizations/Invite.ts"
import { type MemberRow, members } from "../../model/organizations/Member.ts"
import {
  OrganizationId,
  type OrganizationRow,
  organizations
} from "../../model/organizations/Organization.ts"
import { isAtLeast, type RoleOrGuest } from "../../model/roles/Role.ts"
import { users } from "../../model/users/User.ts"
import { join, makeMember, membership, usersOf } from "./memberships.ts"

/** Whether somebody would gain nothing by an invite: a member with its role, or one above. */
const isRedundant = (invite: RoleOrGuest, member: Pick<MemberRow, "role"> | undefined): boolean =>
  member !== undefined && (invite === null || isAtLeast(member.role, invite))

const presentInvite = (row: InviteRow, member: Pick<MemberRow, "role"> | undefined): Invite => ({
  object: "invite",
  id: row.id,
  role: row.role,
  redundant: isRedundant(row.role, member)
})

const makeInvites = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const ids = yield* Ids

  const change = command(records)

  /** An invite link that its administrators look at, or change. */
  const administrate = Effect.fnUntraced(function* (organization: OrganizationId, id: InviteId) {
    const [caller, row] = yield* records.both(
      access.organization(organization, "administrate"),
      records.get(invites, { id })
    )
    if (row?.organization !== organization) return yield* NotFound.of("invite")
    return { caller, row }
  })

  /** An invite link for whoever has it: where it can be taken, with what the caller is in the organization. */
  const open = Effect.fnUntraced(function* (organization: OrganizationId, id: InviteId) {
    const current = yield* CurrentUser
    const [row, [owner, member]] = yield* records.both(
      records.get(invites, { id }),
      records.both(
        records.get(organizations, { id: organization }),
        records.get(members, { organization, user: current.id })
      )
    )
    const isElsewhere = current.organization !== undefined && current.organization !== organization
    if (isElsewhere || row?.organization !== organization || owner === undefined) {
      return yield* NotFound.of("invite")
    }
    return { row, owner, member }
  })

  return {
    /** The invite links of an organization, newest first. */
    list: query([OrganizationId, PageQuery], function* (organization, page) {
      const caller = yield* access.organization(organization, "administrate")
      return yield* readPage(records, page, {
        table: invites,
        list: ["invites", organization],
        where: Where.eq<InviteRow, "organization">("organization", organization),
        orderBy: ["id"],
        direction: "desc",
        present: (rows) => Effect.succeed(rows.map((row) => presentInvite(row, caller)))
      })
    }),

    /** Makes an invite link. */
    create: change([OrganizationId, CreateInvite], function* (organization, { role }) {
      const caller = yield* access.organization(organization, "administrate")
      const row: InviteRow = {
        id: InviteId.make(yield* ids.next),
        organization,
        role,
        createdBy: caller.user,
        createdAt: yield* now
      }
      yield* records.insert(invites, row)
      return presentInvite(row, caller)
    }),

    /** The invite link, for whoever has it. */
    get: query([OrganizationId, InviteId], function* (organization, id) {
      const { row, member } = yield* open(organization, id)
      return presentInvite(row, member)
    }),

    /** Changes the role of those who join by the link from now on. */
    update: change([OrganizationId, InviteId, UpdateInvite], function* (organization, id, { role }) {
      const { caller, row } = yield* administrate(organization, id)
      yield* records.update(invites, Where.eq("id", id), { role })
      return presentInvite({ ...row, role }, caller)
    }),

    /** Takes the link back. Those who joined by it stay. */
    remove: change([OrganizationId, InviteId], function* (organization, id) {
      yield* administrate(organization, id)
      yield* records.remove(invites, Where.eq("id", id))
    }),

    /**
     * Makes the caller a member by a link, or raises their role to its own. Nothing changes where it is redundant.
     * `Conflict` while the organization has its links switched off, `Forbidden` where it asks for single sign-on.
     */
    join: change([OrganizationId, InviteId], function* (organization, id) {
      const { row, owner, member } = yield* open(organization, id)
      if (!owner.inviteLinks) {
        return yield* new Conflict({
          message: "The organization does not take people by links at the moment."
        })
      }
      if (owner.sso && member?.sso !== true) {
        return yield* new Forbidden({ message: "The organization takes people by single sign-on alone." })
      }
      if (member?.disabled === true) {
        return yield* new Forbidden({ message: "Your membership of the organization is disabled." })
      }
      if (isRedundant(row.role, member)) return {}
      if (member !== undefined) {
        yield* records.update(members, membership(organization, member.user), { role: row.role })
        return {}
      }
      const user = yield* records.get(users, { id: (yield* CurrentUser).id })
      if (user === undefined) return yield* NotFound.of("user")
      yield* join(records, ids, owner, user, { role: row.role })
      return {}
    }),

    /**
     * Makes members of people by their e-mail addresses, with an account where there is none. Who is a member already
     * stays as they are.
     */
    inviteByEmail: change([OrganizationId, InviteByEmail], function* (organization, input) {
      yield* access.organization(organization, "administrate")
      const owner = (yield* records.get(organizations, { id: organization })) as OrganizationRow
      const fallback = input.role === undefined ? owner.defaultRole : input.role
      const roles = new Map(
        input.emails.map((entry): readonly [string, RoleOrGuest] =>
          typeof entry === "string" ? [entry, fallback] : [entry.email, entry.role]
        )
      )
      const people = yield* usersOf(
        records,
        ids,
        new Map([...roles.keys()].map((email) => [email, undefined]))
      )
      const memberships: ReadonlyArray<Pick<MemberRow, "organization" | "user">> = yield* records.find(
        members,
        {
          select: ["organization", "user"],
          where: Where.isIn(
            "user",
            Array.from(people.values(), ({ id }) => id)
          )
        }
      )
      const inside = new Set(
        memberships.flatMap((row) => (row.organization === organization ? [row.user] : []))
      )
      const elsewhere = new Set(memberships.map(({ user }) => user))
      const joined: Array<MemberRow> = []
      const failed: Array<string> = []
      for (const [email, role] of roles) {
        const user = people.get(email)!
        if (inside.has(user.id)) continue
        const isFree = !elsewhere.has(user.id)
        if (input.sso === true && !isFree) failed.push(email)
        joined.push(yield* makeMember(ids, owner, user, { role, sso: input.sso === true && isFree }))
      }
      yield* records.insertMany(members, joined)
      const result: InvitedByEmail = { users: joined.map(({ user }) => user), invited: joined.length }
      return failed.length === 0 ? result : { ...result, failedSSOEmails: failed }
    })
  }
})

/** See the module's comment. */
export class Invites extends Context.Service<Invites, Effect.Success<typeof makeInvites>>()(
  "@lectern/core/Invites"
) {
  static readonly layer: Layer.Layer<Invites, never, Records | Access | Ids> = Layer.effect(
    Invites,
    makeInvites
  )
}
