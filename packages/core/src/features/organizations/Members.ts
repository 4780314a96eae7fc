/** What callers do with the members of an organization (decision D13). */

import { Clock, Context, Effect, Layer } from "effect"
import { Access, roleOn } from "../../access/Access.ts"
import { CurrentUser } from "../../access/CurrentUser.ts"
import { NotFound } from "../../kernel/errors.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { readPage } from "../../kernel/pagination/paginate.ts"
import { folded } from "../../kernel/schema/Text.ts"
import { Records, Where } from "../../kernel/storage/index.ts"
import { now } from "../../kernel/time.ts"
import {
  ListMembers,
  type Member,
  type MemberRow,
  members,
  UpdateMember
} from "../../model/organizations/Member.ts"
import { OrganizationId, organizations } from "../../model/organizations/Organization.ts"
import {
  ListMemberTeams,
  type MemberTeam,
  type TeamId,
  type TeamMemberRow,
  type TeamRow,
  teamMembers,
  teams
} from "../../model/organizations/Team.ts"
import { ListMemberSpaces, type MemberSpace } from "../../model/spaces/MemberSpace.ts"
import { type SpaceRow, spaces } from "../../model/spaces/Space.ts"
import { UserId } from "../../model/users/User.ts"
import { presentMembers } from "../../views/organizations/MemberView.ts"
import { presentTeams } from "../../views/organizations/TeamView.ts"
import { presentSpace } from "../../views/spaces/SpaceView.ts"
import { leave, membership, spare } from "./memberships.ts"
import { visitorClaims } from "./visitorClaims.ts"

const makeMembers = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const base = yield* PublicUrl

  const change = command(records)

  const present = (row: MemberRow): Effect.Effect<Member, Effect.Error<ReturnType<typeof presentMembers>>> =>
    Effect.map(presentMembers(records, base, row.organization, [row]), ([member]) => member!)

  const store = Effect.fnUntraced(function* (row: MemberRow, changes: Partial<MemberRow>) {
    const { organization, user, ...set } = changes
    yield* records.update(members, membership(row.organization, row.user), set)
    return { ...row, ...set }
  })

  /** The condition that a query of a list comes to. */
  const filter = ({ role, search, sort }: typeof ListMembers.Type): Where.Where<MemberRow> =>
    Where.and<MemberRow>(
      role === undefined ? Where.all : Where.is("role", role === "guest" ? null : role),
      search === undefined ? Where.all : Where.contains("folded", folded(search)),
      sort === "lastSeenAt" ? Where.not(Where.isNull("lastSeenAt")) : Where.all
    )

  return {
    /** The members of an organization, the last joined first. */
    list: query([OrganizationId, ListMembers], function* (organization, input) {
      yield* access.organization(organization, "listMembers")
      const { page, limit, order = "desc", ...filters } = input
      return yield* readPage(records, input, {
        table: members,
        list: ["members", organization, filters],
        where: Where.and<MemberRow>(Where.eq("organization", organization), filter(input)),
        orderBy: [input.sort === "lastSeenAt" ? "lastSeenAt" : "id"],
        direction: order,
        present: (rows) => presentMembers(records, base, organization, rows)
      })
    }),

    /** A member. Everybody may see their own membership. */
    get: query([OrganizationId, UserId], function* (organization, user) {
      return yield* present((yield* access.member(organization, user, "view")).member)
    }),

    /** Gives a member another role; null makes a guest of them. The last administrator stays one. */
    update: change([OrganizationId, UserId, UpdateMember], function* (organization, user, { role }) {
      const { member } = yield* access.member(organization, user, "change")
      if (role !== "admin") yield* spare(records, member)
      return yield* present(yield* store(member, { role }))
    }),

    /** Removes a member, with their places in teams and what was shared with them. The last administrator stays. */
    remove: change([OrganizationId, UserId], function* (organization, user) {
      const { member } = yield* access.member(organization, user, "change")
      yield* spare(records, member)
      yield* leave(records, member)
    }),

    /** Makes a member one who comes by single sign-on. */
    setSso: change([OrganizationId, UserId], function* (organization, user) {
      const { member } = yield* access.member(organization, user, "change")
      return yield* present(yield* store(member, { sso: true, ssoMissing: false }))
    }),

    /**
     * Notes that the caller is there. Answers claims about them for published sites, signed with the organization's
     * key, where it has one.
     */
    ping: change([OrganizationId], function* (organization) {
      const { id } = yield* CurrentUser
      const { member } = yield* access.member(organization, id, "view")
      yield* store(member, { lastSeenAt: yield* now })
      const [owner, inTeams] = yield* records.both(
        records.get(organizations, { id: organization }, ["visitorKey"]),
        records.find(teamMembers, {
          select: ["team"],
          where: Where.and<TeamMemberRow>(Where.eq("user", id), Where.eq("organization", organization))
        })
      )
      if (owner === undefined) return yield* NotFound.of("organization")
      if (owner.visitorKey === null) return {}
      const claims = { member, teams: inTeams.map(({ team }) => team), issuer: base }
      const time = yield* Clock.currentTimeMillis
      return { serviceVisitorClaims: yield* visitorClaims(owner.visitorKey, claims, time) }
    }),

    /** The spaces that a member sees, with their role on each, as the caller sees the spaces. */
    spaces: query([OrganizationId, UserId, ListMemberSpaces], function* (organization, user, input) {
      const { caller } = yield* access.member(organization, user, "inspect")
      const theirs = yield* access.callerAs(user, organization)
      const visible = theirs === undefined ? Where.none : yield* access.visible(theirs)
      return yield* readPage(records, input, {
        table: spaces,
        list: ["spaces of member", organization, user],
        where: Where.and<SpaceRow>(
          Where.eq("organization", organization),
          Where.isNull("deletedAt"),
          visible
        ),
        orderBy: ["id"],
        direction: input.order ?? "desc",
        present: (rows) =>
          Effect.succeed(
            rows.map(
              (row): MemberSpace => ({
                permission: roleOn(theirs!, row)!,
                space: presentSpace(base, row, roleOn(caller, row))
              })
            )
          )
      })
    }),

    /** The teams that a member is in, newest first, with what they are in each. */
    teams: query([OrganizationId, UserId, ListMemberTeams], function* (organization, user, input) {
      const { caller } = yield* access.member(organization, user, "view")
      const theirs = Where.and<TeamMemberRow>(Where.eq("user", user), Where.eq("organization", organization))
      return yield* readPage(records, input, {
        table: teams,
        list: ["teams of member", organization, user, input.title],
        where: Where.and<TeamRow>(
          Where.eq("organization", organization),
          Where.inSelect("id", teamMembers, "team", theirs),
          input.title === undefined ? Where.all : Where.contains("folded", folded(input.title))
        ),
        orderBy: ["id"],
        direction: "desc",
        present: Effect.fnUntraced(function* (rows) {
          const ids: ReadonlyArray<TeamId> = rows.map(({ id }) => id)
          const [shown, places] = yield* records.both(
            presentTeams(records, caller, rows),
            records.find(teamMembers, { where: Where.and(theirs, Where.isIn("team", ids)) })
          )
          const roles = new Map(places.map(({ team, role }) => [team, role]))
          return shown.map((team): MemberTeam => ({ team, member: { role: roles.get(team.id)! } }))
        })
      })
    })
  }
})

/** See the module's comment. */
export class Members extends Context.Service<Members, Effect.Success<typeof makeMembers>>()(
  "@lectern/core/Members"
) {
  static readonly layer: Layer.Layer<Members, never, Records | Access> = Layer.effect(Members, makeMembers)
}
