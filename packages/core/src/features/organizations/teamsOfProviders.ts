/** Removes teams, also from the identity providers that refer to them. */

import { type StorageUnavailable, Where } from "@lectern/kernel"
import {
  grants,
  type OidcProviderRow,
  oidcProviders,
  samlProviders,
  type TeamMemberRow,
  teamMembers,
  teams
} from "@lectern/kernel/tables"
import type { OrganizationId, TeamId } from "@lectern/model/organizations"
import { Effect } from "effect"
import type { GrantedRecords } from "../../access/grants/Grant.ts"

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
