/** What callers do with teams and the people in them. */
import { Context, Effect, Layer } from "effect"
import { Access, type Caller } from "../../access/Access.ts"
import { InvalidInput, NotFound } from "../../kernel/errors.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { readPage } from "../../kernel/pagination/paginate.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { folded } from "../../kernel/schema/Text.ts"
import { Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { now } from "../../kernel/time.ts"
import { type MemberRow, members } from "../../model/organizations/Member.ts"
import { OrganizationId } from "../../model/organizations/Organization.ts"
import {
  CreateTeam,
  ListTeams,
  PutTeamMember,
  TeamId,
  type TeamMember,
  type TeamMemberRow,
  type TeamRole,
  type TeamRow,
  teamMembers,
  teams,
  UpdateTeam,
  UpdateTeamMembers
} from "../../model/organizations/Team.ts"
import { grants } from "../../model/permissions/Permission.ts"
import { samlProviders } from "../../model/saml/SamlProvider.ts"
import { UserId, type UserRow, users } from "../../model/users/User.ts"
import { presentMembers } from "../../views/organizations/MemberView.ts"
import { presentTeams } from "../../views/organizations/TeamView.ts"

const makeTeams = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const ids = yield* Ids
  const base = yield* PublicUrl

  const change = command(records)

  const present = (caller: Caller, row: TeamRow) =>
    Effect.map(presentTeams(records, caller, [row]), ([team]) => team!)

  /** Those of the names that are members' ids or e-mail addresses, by name. */
  const resolve = Effect.fnUntraced(function* (
    organization: OrganizationId,
    names: ReadonlyArray<string>
  ): Effect.fn.Return<ReadonlyMap<string, UserId>, StorageUnavailable> {
    if (names.length === 0) return new Map()
    const asEmail = new Map(names.map((name) => [name, name.trim().toLowerCase()]))
    const found = yield* records.find(users, {
      select: ["id", "email"],
      where: Where.and<UserRow>(
        Where.or<UserRow>(
          Where.isIn("id", names as ReadonlyArray<UserId>),
          Where.isIn("email", [...asEmail.values()])
        ),
        Where.inSelect(
          "id",
          members,
          "user",
          Where.eq<MemberRow, "organization">("organization", organization)
        )
      )
    })
    const known = new Map<string, UserId>(
      found.flatMap(({ id, email }) => [[id, id] as const, [email, id] as const])
    )
    return new Map(
      names.flatMap((name) => {
        const id = known.get(name) ?? known.get(asEmail.get(name)!)
        return id === undefined ? [] : [[name, id] as const]
      })
    )
  })

  const inTeam = (team: TeamId, theirs: ReadonlyArray<UserId>): Where.Where<TeamMemberRow> =>
    Where.and<TeamMemberRow>(Where.eq("team", team), Where.isIn("user", theirs))

  /** Gives people these roles in a team, whether they were in it or not. */
  const place = Effect.fnUntraced(function* (team: TeamRow, roles: ReadonlyMap<UserId, TeamRole>) {
    for (const role of ["owner", "member"] as const) {
      const theirs = [...roles].flatMap(([user, its]) => (its === role ? [user] : []))
      if (theirs.length === 0) continue
      const missing = theirs.map((user) => ({ team: team.id, user, organization: team.organization, role }))
      yield* records.insertMissing(teamMembers, missing)
      yield* records.update(teamMembers, inTeam(team.id, theirs), { role })
    }
  })

  /** Names that no member has are refused, each by its place in the input. */
  const demandMembers = (
    field: string,
    names: ReadonlyArray<string>,
    resolved: ReadonlyMap<string, UserId>
  ): Effect.Effect<void, InvalidInput> => {
    const unknown = names.flatMap((name, index) =>
      resolved.has(name) ? [] : [{ path: `${field}.${index}`, message: "is no member of the organization" }]
    )
    return unknown.length === 0 ? Effect.void : Effect.fail(InvalidInput.of(unknown))
  }

  return {
    /** The teams of an organization, newest first. */
    list: query([OrganizationId, ListTeams], function* (organization, input) {
      const caller = yield* access.organization(organization, "listMembers")
      const { title, owner } = input
      const manager =
        owner === undefined ? undefined : yield* records.get(members, { organization, user: owner }, ["role"])
      const managed: Where.Where<TeamRow> =
        owner === undefined || manager?.role === "admin"
          ? Where.all
          : Where.inSelect(
              "id",
              teamMembers,
              "team",
              Where.and<TeamMemberRow>(
                Where.eq("user", owner),
                Where.eq("organization", organization),
                Where.eq("role", "owner")
              )
            )
      return yield* readPage(records, input, {
        table: teams,
        list: ["teams", organization, title, owner],
        where: Where.and<TeamRow>(
          Where.eq("organization", organization),
          title === undefined ? Where.all : Where.contains("folded", folded(title)),
          managed
        ),
        orderBy: ["id"],
        direction: "desc",
        present: (rows) => presentTeams(records, caller, rows)
      })
    }),

    /** Makes a team, of these members. */
    create: change([OrganizationId, CreateTeam], function* (organization, { title, members: named = [] }) {
      const caller = yield* access.organization(organization, "administrate")
      const resolved = yield* resolve(organization, named)
      yield* demandMembers("members", named, resolved)
      const row: TeamRow = {
        id: TeamId.make(yield* ids.next),
        organization,
        title,
        folded: folded(title),
        createdAt: yield* now
      }
      yield* records.insert(teams, row)
      yield* place(row, new Map([...resolved.values()].map((user) => [user, "member"])))
      return yield* present(caller, row)
    }),

    /** The team. */
    get: query([OrganizationId, TeamId], function* (organization, id) {
      const { caller, team } = yield* access.team(organization, id, "view")
      return yield* present(caller, team)
    }),

    /** Renames the team. */
    update: change([OrganizationId, TeamId, UpdateTeam], function* (organization, id, { title }) {
      const { caller, team } = yield* access.team(organization, id, "manage")
      const changes = { title, folded: folded(title) }
      yield* records.update(teams, Where.eq("id", id), changes)
      return yield* present(caller, { ...team, ...changes })
    }),

    /** Removes the team, with all that was shared with it. */
    remove: change([OrganizationId, TeamId], function* (organization, id) {
      yield* access.team(organization, id, "remove")
      yield* records.remove(grants, Where.eq("team", id))
      yield* records.update(samlProviders, Where.eq("defaultTeam", id), { defaultTeam: null })
      yield* records.remove(teamMembers, Where.eq("team", id))
      yield* records.remove(teams, Where.eq("id", id))
    }),

    /** The members of a team, in the order of their accounts, the newest first. */
    members: query([OrganizationId, TeamId, PageQuery], function* (organization, id, input) {
      yield* access.team(organization, id, "listMembers")
      return yield* readPage(records, input, {
        table: teamMembers,
        list: ["members of team", id],
        where: Where.eq<TeamMemberRow, "team">("team", id),
        orderBy: ["user"],
        direction: "desc",
        present: Effect.fnUntraced(function* (rows) {
          const found = yield* records.find(members, {
            where: Where.and<MemberRow>(
              Where.eq("organization", organization),
              Where.isIn(
                "user",
                rows.map(({ user }) => user)
              )
            )
          })
          const shown = yield* presentMembers(records, base, organization, found)
          const byId = new Map(shown.map((member) => [member.id, member]))
          return rows.map(
            ({ user, role }): TeamMember => ({
              organization: byId.get(user)!,
              team: { role },
              permissions: { view: true }
            })
          )
        })
      })
    }),

    /**
     * Takes people into a team and out of it, and says what they are in it. Members are named by id or by address;
     * who is to come in has to be a member of the organization, who is to go need not.
     */
    updateMembers: change([OrganizationId, TeamId, UpdateTeamMembers], function* (organization, id, input) {
      const { team } = yield* access.team(organization, id, "manage")
      const { add = [], remove = [], memberships = {} } = input
      const placed = Object.keys(memberships)
      const resolved = yield* resolve(organization, [...add, ...remove, ...placed])
      yield* demandMembers("add", add, resolved)
      const strangers = placed.filter((name) => !resolved.has(name))
      if (strangers.length > 0) {
        return yield* InvalidInput.of(
          strangers.map((name) => ({
            path: `memberships.${name}`,
            message: "is no member of the organization"
          }))
        )
      }
      const gone = new Set(remove.flatMap((name) => resolved.get(name) ?? []))
      const roles = new Map(placed.map((name) => [resolved.get(name)!, memberships[name]!.role]))
      for (const user of gone) roles.delete(user)
      const coming = add
        .map((name) => resolved.get(name)!)
        .filter((user) => !gone.has(user) && !roles.has(user))
      yield* records.remove(teamMembers, inTeam(id, [...gone]))
      yield* records.insertMissing(
        teamMembers,
        [...new Set(coming)].map((user) => ({ team: id, user, organization, role: "member" as const }))
      )
      yield* place(team, roles)
    }),

    /** Takes a member into a team, or says what they are in it. */
    putMember: change(
      [OrganizationId, TeamId, UserId, PutTeamMember],
      function* (organization, id, user, { role }) {
        const { team } = yield* access.team(organization, id, "manage")
        const member = yield* records.get(members, { organization, user }, ["id"])
        if (member === undefined) return yield* NotFound.of("member")
        if (role === undefined) {
          yield* records.insertMissing(teamMembers, [{ team: id, user, organization, role: "member" }])
        } else {
          yield* place(team, new Map([[user, role]]))
        }
      }
    ),

    /** Takes a member out of a team. */
    removeMember: change([OrganizationId, TeamId, UserId], function* (organization, id, user) {
      yield* access.team(organization, id, "manage")
      const removed = yield* records.remove(teamMembers, inTeam(id, [user]))
      if (removed === 0) return yield* NotFound.of("team member")
    })
  }
})

/** See the module's comment. */
export class Teams extends Context.Service<Teams, Effect.Success<typeof makeTeams>>()("@lectern/core/Teams") {
  static readonly layer: Layer.Layer<Teams, never, Records | Access | Ids> = Layer.effect(Teams, makeTeams)
}
