/** Converts rows of members to resources, with a fixed number of queries for any number of members. */

import { type GrantedReader, GrantedSpaces } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type GrantRow,
  grants,
  type MemberRow,
  presentUser,
  type SiteRow,
  type SpaceRow,
  sites,
  spaces,
  type TeamMemberRow,
  teamMembers,
  users
} from "@lectern/kernel/tables"
import type { Member, OrganizationId } from "@lectern/model/organizations"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"

/** Counts the spaces of the organization that each member can see, by the rules of `roleOn`, and the sites and teams of each member. */
const loadCounts = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  rows: ReadonlyArray<MemberRow>
) {
  const ids = rows.map(({ user }) => user)
  const existing = Where.and<SpaceRow>(Where.eq("organization", organization), Where.isNull("deletedAt"))
  const ofMembers = Where.and<TeamMemberRow>(Where.eq("organization", organization), Where.isIn("user", ids))
  const [[inTeams, given], [all, [hidden, allSites]]] = yield* records.zipConcurrent(
    records.zipConcurrent(
      records.find(teamMembers, { where: ofMembers }),
      records.find(grants, {
        select: ["target", "kind", "user", "team"],
        where: Where.and<GrantRow>(
          Where.eq("organization", organization),
          Where.or<GrantRow>(
            Where.isIn("user", ids),
            records.inSelect("team", teamMembers, "team", ofMembers)
          )
        )
      })
    ),
    records.zipConcurrent(
      records.count(spaces, existing),
      records.zipConcurrent(
        records.count(spaces, Where.and<SpaceRow>(existing, Where.isNull("level"))),
        records.count(sites, Where.eq<SiteRow, "organization">("organization", organization))
      )
    )
  )
  const teamsOf = Map.groupBy(inTeams, ({ user }) => user)
  const granted = yield* GrantedSpaces.findSpacesUnder(records, organization, [
    ...new Set(given.map(({ target }) => target))
  ])

  const siteIds = new Set(given.flatMap(({ kind, target }) => (kind === "site" ? [target] : [])))

  const targetsOf = (user: UserId): ReadonlySet<string> => {
    const teams = new Set((teamsOf.get(user) ?? []).map(({ team }) => team))
    return new Set(
      given.flatMap((grant) =>
        grant.user === user || (grant.team !== null && teams.has(grant.team)) ? [grant.target] : []
      )
    )
  }
  /** Counts the spaces that the member can see by grants only. */
  const countGranted = ({ user, role }: MemberRow): number => {
    const targets = targetsOf(user)
    if (targets.size === 0) return 0
    return granted.filter(
      (space) => (role === null || space.level === null) && GrantedSpaces.isUnder(space, targets)
    ).length
  }
  return {
    sites: ({ user, role }: MemberRow) =>
      role === null ? [...targetsOf(user)].filter((target) => siteIds.has(target)).length : allSites,
    teams: (user: UserId) => teamsOf.get(user)?.length ?? 0,
    spaces: (row: MemberRow) =>
      row.role === "admin" ? all : (row.role === null ? 0 : all - hidden) + countGranted(row)
  }
})

/** Converts rows of one organization to resources. */
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
    loadCounts(records, organization, rows)
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
    sites: counts.sites(row),
    teams: counts.teams(row.user)
  }))
})
