/** Members as callers see them, with what they can see: a fixed number of look-ups for any number of members. */
import { Effect } from "effect"
import * as GrantedSpaces from "../../access/GrantedSpaces.ts"
import type { GrantedReader } from "../../access/grants/Grant.ts"
import { type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import type { Member, MemberRow } from "../../model/organizations/Member.ts"
import type { OrganizationId } from "../../model/organizations/Organization.ts"
import { type TeamMemberRow, teamMembers } from "../../model/organizations/Team.ts"
import { type GrantRow, grants } from "../../model/permissions/Permission.ts"
import { type SpaceRow, spaces } from "../../model/spaces/Space.ts"
import { presentUser, type UserId, users } from "../../model/users/User.ts"

/** How many spaces of the organization each member can see, by the rules of `roleOn`; and their teams. */
const countsOf = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  rows: ReadonlyArray<MemberRow>
) {
  const ids = rows.map(({ user }) => user)
  const existing = Where.and<SpaceRow>(Where.eq("organization", organization), Where.isNull("deletedAt"))
  const theirs = Where.and<TeamMemberRow>(Where.eq("organization", organization), Where.isIn("user", ids))
  const [[inTeams, given], [all, hidden]] = yield* records.zipConcurrent(
    records.zipConcurrent(
      records.find(teamMembers, { where: theirs }),
      records.find(grants, {
        select: ["target", "user", "team"],
        where: Where.and<GrantRow>(
          Where.eq("organization", organization),
          Where.or<GrantRow>(Where.isIn("user", ids), records.inSelect("team", teamMembers, "team", theirs))
        )
      })
    ),
    records.zipConcurrent(
      records.count(spaces, existing),
      records.count(spaces, Where.and<SpaceRow>(existing, Where.isNull("level")))
    )
  )
  const teamsOf = Map.groupBy(inTeams, ({ user }) => user)
  const granted = yield* GrantedSpaces.findSpacesUnder(records, organization, [
    ...new Set(given.map(({ target }) => target))
  ])

  const targetsOf = (user: UserId): ReadonlySet<string> => {
    const teams = new Set((teamsOf.get(user) ?? []).map(({ team }) => team))
    return new Set(
      given.flatMap((grant) =>
        grant.user === user || (grant.team !== null && teams.has(grant.team)) ? [grant.target] : []
      )
    )
  }
  /** Those that are granted, and that the member would not see without it. */
  const grantedTo = ({ user, role }: MemberRow): number => {
    const targets = targetsOf(user)
    if (targets.size === 0) return 0
    return granted.filter(
      (space) => (role === null || space.level === null) && GrantedSpaces.isUnder(space, targets)
    ).length
  }
  return {
    teams: (user: UserId) => teamsOf.get(user)?.length ?? 0,
    spaces: (row: MemberRow) =>
      row.role === "admin" ? all : (row.role === null ? 0 : all - hidden) + grantedTo(row)
  }
})

/** Rows of one organization as resources. */
export const presentMembers = Effect.fnUntraced(function* (
  records: GrantedReader,
  base: string,
  organization: OrganizationId,
  rows: ReadonlyArray<MemberRow>
): Effect.fn.Return<ReadonlyArray<Member>, StorageUnavailable> {
  if (rows.length === 0) return []
  const [found, counts] = yield* records.zipConcurrent(
    records.find(users, {
      where: Where.isIn(
        "id",
        rows.map(({ user }) => user)
      )
    }),
    countsOf(records, organization, rows)
  )
  const byId = new Map(found.map((user) => [user.id, user]))
  return rows.map((row) => ({
    object: "member",
    id: row.user,
    role: row.role,
    user: presentUser(base, byId.get(row.user)!),
    disabled: row.disabled,
    joinedAt: row.joinedAt,
    ...(row.lastSeenAt === null ? {} : { lastSeenAt: row.lastSeenAt }),
    sso: row.sso,
    spaces: counts.spaces(row),
    teams: counts.teams(row.user)
  }))
})
