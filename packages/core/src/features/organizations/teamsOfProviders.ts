/** Rules of teams: their members have the roles that are granted to them, and identity providers refer to them. */

import { type CurrentUser, type GrantedRecords, requireGrantable } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type GrantRow,
  grants,
  type OidcProviderRow,
  oidcProviders,
  samlProviders,
  type TeamMemberRow,
  teamMembers,
  teams
} from "@lectern/kernel/tables"
import type { Forbidden } from "@lectern/model/errors"
import type { OrganizationId, TeamId } from "@lectern/model/organizations"
import { Effect } from "effect"

/** Clears a team that is removed from the default teams and the groups of the providers of its organization. */
const clearTeamOfProviders = Effect.fnUntraced(function* (
  records: GrantedRecords,
  organization: OrganizationId,
  team: TeamId
): Effect.fn.Return<void, StorageUnavailable> {
  yield* records.update(samlProviders, Where.eq("defaultTeam", team), { defaultTeam: null })
  const rows = yield* records.find(oidcProviders, {
    where: Where.eq<OidcProviderRow, "organization">("organization", organization)
  })
  for (const { id, defaultTeam, groups } of rows) {
    if (defaultTeam !== team && groups.every((group) => group.team !== team)) continue
    yield* records.update(oidcProviders, Where.eq("id", id), {
      defaultTeam: defaultTeam === team ? null : defaultTeam,
      groups: groups.map(({ team: other, ...group }) =>
        other === undefined || other === team ? group : { ...group, team: other }
      )
    })
  }
})

/** Removes a team with its memberships and the permissions granted to it. */
export const removeTeam = Effect.fnUntraced(function* (
  records: GrantedRecords,
  organization: OrganizationId,
  team: TeamId
): Effect.fn.Return<void, StorageUnavailable> {
  yield* records.remove(grants, Where.eq("team", team))
  yield* clearTeamOfProviders(records, organization, team)
  yield* records.remove(teamMembers, Where.eq<TeamMemberRow, "team">("team", team))
  yield* records.remove(teams, Where.eq("id", team))
})

/**
 * Fails with `Forbidden` if the caller cannot grant a role that the team has on content, which everyone receives who is added to it. A
 * token without limits can grant all roles, and reads nothing.
 */
export const requireGrantableTeam = (
  records: GrantedRecords,
  team: TeamId
): Effect.Effect<void, Forbidden | StorageUnavailable, CurrentUser> =>
  Effect.catchTag(requireGrantable(["admin"]), "Forbidden", (notGrantable) =>
    Effect.flatMap(
      records.first(grants, {
        select: ["id"],
        where: Where.and<GrantRow>(Where.eq("team", team), Where.eq("role", "admin"))
      }),
      (found) => (found === undefined ? Effect.void : Effect.fail(notGrantable))
    )
  )
