/** Converts rows of teams to resources, with a fixed number of queries for any number of teams. */

import { type Caller, type GrantedReader, GrantedSpaces } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { type GrantRow, grants, type TeamMemberRow, type TeamRow, teamMembers } from "@lectern/kernel/tables"
import type { Team, TeamId } from "@lectern/model/organizations"
import { teamPermissions } from "@lectern/model/roles"
import { Effect } from "effect"

/** Converts rows of the caller's organization to resources. */
export const presentTeams = Effect.fnUntraced(function* (
  records: GrantedReader,
  caller: Caller,
  rows: ReadonlyArray<TeamRow>
): Effect.fn.Return<ReadonlyArray<Team>, StorageUnavailable> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [members, [own, given]] = yield* records.zipConcurrent(
    records.countBy(teamMembers, "team", Where.isIn<TeamMemberRow, "team">("team", ids)),
    records.zipConcurrent(
      records.find(teamMembers, {
        where: Where.and<TeamMemberRow>(Where.eq("user", caller.user), Where.isIn("team", ids))
      }),
      records.find(grants, {
        select: ["target", "team"],
        where: Where.and<GrantRow>(
          Where.eq("organization", caller.organization),
          Where.isIn<GrantRow, "team">("team", ids)
        )
      })
    )
  )
  const granted = yield* GrantedSpaces.findSpacesUnder(records, caller.organization, [
    ...new Set(given.map(({ target }) => target))
  ])
  const places = new Map(own.map(({ team, role }) => [team, role]))
  const targets = Map.groupBy(given, ({ team }) => team)
  const spacesOf = (team: TeamId): number => {
    const shared = new Set((targets.get(team) ?? []).map(({ target }) => target))
    return granted.filter((space) => GrantedSpaces.isUnder(space, shared)).length
  }
  return rows.map(({ id, title, createdAt }) => ({
    object: "team",
    id,
    title,
    members: members.get(id) ?? 0,
    spaces: spacesOf(id),
    createdAt,
    permissions: teamPermissions(caller.role, places.get(id) ?? "none")
  }))
})
