/** What callers do with who has access to a space or a collection: the grants on it, and all who come by it. */
import { Context, Effect, Layer } from "effect"
import { Access, type Caller, roleOn } from "../../access/Access.ts"
import { Forbidden, NotFound } from "../../kernel/errors.ts"
import { Ids } from "../../kernel/ids/Ids.ts"
import { PublicUrl } from "../../kernel/network/PublicUrl.ts"
import { command, query } from "../../kernel/operation/Operation.ts"
import { readPage } from "../../kernel/pagination/paginate.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import type { CollectionId } from "../../model/collections/Collection.ts"
import * as Placement from "../../model/collections/Placement.ts"
import { type MemberRow, members } from "../../model/organizations/Member.ts"
import type { OrganizationId } from "../../model/organizations/Organization.ts"
import {
  TeamId,
  type TeamMemberRow,
  type TeamRow,
  teamMembers,
  teams
} from "../../model/organizations/Team.ts"
import {
  type GrantRow,
  grants,
  ListPermissions,
  Share,
  SharedContent,
  type TeamPermission,
  UpdatePermission,
  type UserPermission
} from "../../model/permissions/Permission.ts"
import { organizationActions } from "../../model/roles/Policy.ts"
import { highest, isAtLeast, type Role, type RoleOrGuest, roles, rolesFrom } from "../../model/roles/Role.ts"
import type { SpaceId } from "../../model/spaces/Space.ts"
import { presentUser, UserId, type UserRow, users } from "../../model/users/User.ts"
import { presentTeams } from "../../views/organizations/TeamView.ts"

/** What is shared, and by whom. */
interface Shared {
  readonly kind: GrantRow["kind"]
  readonly id: string
  readonly organization: OrganizationId
  readonly path: string
  readonly level: RoleOrGuest | "inherit"
  readonly caller: Caller
}

/** The targets whose grants reach the content: itself, and the collections above it. */
const lineOf = (content: Shared): ReadonlyArray<string> => [
  content.id,
  ...Placement.ancestorsOf(content.path)
]

/** The grants of an organization that reach the content, with a role that is enough. */
const reaching = (content: Shared, needed: Role): Where.Where<GrantRow> =>
  Where.and<GrantRow>(
    Where.eq("organization", content.organization),
    Where.isIn("target", lineOf(content)),
    Where.isIn("role", rolesFrom(needed))
  )

/** The members who have a role on the content, or a higher one: `roleOn`, as a condition. */
const holding = (content: Shared, needed: Role): Where.Where<MemberRow> => {
  const { level } = content
  const byLevel: Where.Where<MemberRow> =
    level === "inherit"
      ? Where.isIn("role", rolesFrom(needed))
      : isAtLeast(level, needed)
        ? Where.not(Where.isNull("role"))
        : Where.eq("role", "admin")
  const granted = reaching(content, needed)
  return Where.or<MemberRow>(
    byLevel,
    Where.inSelect("user", grants, "user", Where.and(granted, Where.not(Where.isNull("user")))),
    Where.inSelect(
      "user",
      teamMembers,
      "user",
      Where.inSelect<TeamMemberRow, "team", typeof grants, "team">(
        "team",
        grants,
        "team",
        Where.and(granted, Where.not(Where.isNull("team")))
      )
    )
  )
}

const makeGrants = Effect.gen(function* () {
  const records = yield* Records
  const access = yield* Access
  const ids = yield* Ids
  const base = yield* PublicUrl

  const change = command(records)

  const load = Effect.fnUntraced(function* (ref: SharedContent, action: "view" | "share") {
    if ("space" in ref) {
      const { space, caller } = yield* access.space(ref.space as SpaceId, action)
      return { kind: "space", ...space, caller } as Shared
    }
    const { collection, caller } = yield* access.collection(ref.collection as CollectionId, action)
    return { kind: "collection", ...collection, caller } as Shared
  })

  /** Content whose people are listed: to see it is not enough, one has to be somebody who may see members. */
  const toList = Effect.fnUntraced(function* (ref: SharedContent) {
    const content = yield* load(ref, "view")
    if (!isAtLeast(content.caller.role, organizationActions.listMembers)) {
      return yield* new Forbidden({ message: "Guests of the organization do not see who its members are." })
    }
    return content
  })

  const to = (
    content: Shared,
    whom: "user" | "team",
    all: ReadonlyArray<UserId | TeamId>
  ): Where.Where<GrantRow> =>
    Where.and<GrantRow>(
      Where.eq("target", content.id),
      whom === "user"
        ? Where.isIn("user", all as ReadonlyArray<UserId>)
        : Where.isIn("team", all as ReadonlyArray<TeamId>)
    )

  /** Who is granted something has to be in the organization. */
  const demand = Effect.fnUntraced(function* (
    { organization }: Shared,
    whom: "user" | "team",
    all: ReadonlyArray<UserId | TeamId>
  ): Effect.fn.Return<void, NotFound | StorageUnavailable> {
    const there = yield* whom === "user"
      ? records.count(
          members,
          Where.and<MemberRow>(
            Where.eq("organization", organization),
            Where.isIn("user", all as ReadonlyArray<UserId>)
          )
        )
      : records.count(
          teams,
          Where.and<TeamRow>(
            Where.eq("organization", organization),
            Where.isIn("id", all as ReadonlyArray<TeamId>)
          )
        )
    if (there < all.length) return yield* NotFound.of(whom === "user" ? "member" : "team")
  })

  /**
   * Gives each of them the role on the content, in the place of what they had there; null takes that alone. Who had one
   * keeps the place in the list: nobody who goes through it misses them, and to say the same twice changes nothing.
   */
  const grant = Effect.fnUntraced(function* (
    content: Shared,
    whom: "user" | "team",
    all: ReadonlyArray<UserId | TeamId>,
    role: RoleOrGuest
  ) {
    if (all.length === 0) return
    yield* demand(content, whom, all)
    if (role === null) {
      yield* records.remove(grants, to(content, whom, all))
      return
    }
    const had = yield* records.update(grants, to(content, whom, all), { role })
    if (had === all.length) return
    const rows: Array<GrantRow> = []
    for (const id of all) {
      rows.push({
        id: yield* ids.next,
        organization: content.organization,
        kind: content.kind,
        target: content.id,
        user: whom === "user" ? (id as UserId) : null,
        team: whom === "team" ? (id as TeamId) : null,
        role
      })
    }
    yield* records.insertMissing(grants, rows)
  })

  const withdraw = Effect.fnUntraced(function* (
    ref: SharedContent,
    whom: "user" | "team",
    id: UserId | TeamId
  ) {
    const removed = yield* records.remove(grants, to(yield* load(ref, "share"), whom, [id]))
    if (removed === 0) return yield* NotFound.of("permission")
  })

  /** A page of the grants on content: to users, or to teams; the last made first. */
  const list = Effect.fnUntraced(function* <A>(
    content: Shared,
    whom: "user" | "team",
    page: PageQuery,
    present: (rows: ReadonlyArray<GrantRow>) => Effect.Effect<ReadonlyArray<A>, StorageUnavailable>
  ) {
    return yield* readPage(records, page, {
      table: grants,
      list: ["permissions", whom, content.id],
      where: Where.and<GrantRow>(Where.eq("target", content.id), Where.not(Where.isNull(whom))),
      orderBy: ["id"],
      direction: "desc",
      present
    })
  })

  const usersById = (all: ReadonlyArray<UserId>) =>
    Effect.map(
      records.find(users, { where: Where.isIn<UserRow, "id">("id", all) }),
      (rows) => new Map(rows.map((row) => [row.id, row]))
    )

  /** The roles of members on content. */
  const rolesOf = Effect.fnUntraced(function* (content: Shared, rows: ReadonlyArray<MemberRow>) {
    const all = rows.map(({ user }) => user)
    const [places, given] = yield* records.both(
      records.find(teamMembers, {
        where: Where.and<TeamMemberRow>(
          Where.eq("organization", content.organization),
          Where.isIn("user", all)
        )
      }),
      records.find(grants, { where: reaching(content, "read") })
    )
    const teamsOf = Map.groupBy(places, ({ user }) => user)
    return rows.map(({ user, role }) => {
      const theirs = new Set<string | null>([user, ...(teamsOf.get(user) ?? []).map(({ team }) => team)])
      const caller: Caller = {
        user,
        organization: content.organization,
        role,
        isRefused: false,
        granted: new Map()
      }
      const granted = given.filter(
        (row) => (row.user !== null && theirs.has(row.user)) || (row.team !== null && theirs.has(row.team))
      )
      return highest([roleOn(caller, content), ...granted.map((row) => row.role)])!
    })
  })

  return {
    /** Shares content with members and teams: gives all of them the role, or takes what they had where it is null. */
    share: change([SharedContent, Share], function* (ref, input) {
      const content = yield* load(ref, "share")
      yield* grant(content, "user", [...new Set(input.users)], input.role)
      yield* grant(content, "team", [...new Set(input.teams)], input.role)
    }),

    /** The users with whom content is shared, the last one first. */
    users: query([SharedContent, PageQuery], function* (ref, page) {
      return yield* list(
        yield* toList(ref),
        "user",
        page,
        Effect.fnUntraced(function* (rows) {
          const byId = yield* usersById(rows.map(({ user }) => user!))
          return rows.map(
            ({ user, role }): UserPermission => ({
              permission: role,
              user: presentUser(base, byId.get(user!)!)
            })
          )
        })
      )
    }),

    /** The teams with which content is shared, the last one first. */
    teams: query([SharedContent, PageQuery], function* (ref, page) {
      const content = yield* toList(ref)
      return yield* list(
        content,
        "team",
        page,
        Effect.fnUntraced(function* (rows) {
          const found = yield* records.find(teams, {
            where: Where.isIn<TeamRow, "id">(
              "id",
              rows.map(({ team }) => team!)
            )
          })
          const shown = yield* presentTeams(records, content.caller, found)
          const byId = new Map(shown.map((team) => [team.id, team]))
          return rows.map(({ team, role }): TeamPermission => ({ permission: role, team: byId.get(team!)! }))
        })
      )
    }),

    /** All members who can see content, however they come by it, with the role that they have; the last joined first. */
    aggregate: query([SharedContent, ListPermissions], function* (ref, input) {
      const content = yield* toList(ref)
      const { role } = input
      const above = role === undefined ? undefined : roles[roles.indexOf(role) + 1]
      return yield* readPage(records, input, {
        table: members,
        list: ["all permissions", content.id, role],
        where: Where.and<MemberRow>(
          Where.eq("organization", content.organization),
          Where.eq("disabled", false),
          Where.eq("ssoMissing", false),
          holding(content, role ?? "read"),
          above === undefined ? Where.all : Where.not(holding(content, above))
        ),
        orderBy: ["id"],
        direction: "desc",
        present: Effect.fnUntraced(function* (rows) {
          const [byId, theirs] = yield* records.both(
            usersById(rows.map(({ user }) => user)),
            rolesOf(content, rows)
          )
          return rows.map(
            ({ user }, index): UserPermission => ({
              permission: theirs[index]!,
              user: presentUser(base, byId.get(user)!)
            })
          )
        })
      })
    }),

    /** Gives a member a role on content, in the place of what was shared with them there; null takes it. */
    updateUser: change([SharedContent, UserId, UpdatePermission], function* (ref, user, { role }) {
      yield* grant(yield* load(ref, "share"), "user", [user], role)
    }),

    /** Gives a team a role on content, in the place of what was shared with it there; null takes it. */
    updateTeam: change([SharedContent, TeamId, UpdatePermission], function* (ref, team, { role }) {
      yield* grant(yield* load(ref, "share"), "team", [team], role)
    }),

    /** Takes back what was shared with a user there; what they have by other ways stays. */
    removeUser: change([SharedContent, UserId], function* (ref, user) {
      yield* withdraw(ref, "user", user)
    }),

    /** Takes back what was shared with a team there. */
    removeTeam: change([SharedContent, TeamId], function* (ref, team) {
      yield* withdraw(ref, "team", team)
    })
  }
})

/** See the module's comment. */
export class Grants extends Context.Service<Grants, Effect.Success<typeof makeGrants>>()(
  "@lectern/core/Grants"
) {
  static readonly layer: Layer.Layer<Grants, never, Records | Access | Ids> = Layer.effect(Grants, makeGrants)
}
