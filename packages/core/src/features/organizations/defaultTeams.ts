/** The teams that identity providers refer to. */

import type { Caller, GrantedReader } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { teams } from "@lectern/kernel/tables"
import { InvalidInput } from "@lectern/model/errors"
import type { OrganizationId, Team, TeamId } from "@lectern/model/organizations"
import { Effect } from "effect"
import { presentTeams } from "../../views/organizations/TeamView.ts"

/** Returns the default teams of identity providers by their ids. */
export const presentDefaultTeams = Effect.fnUntraced(function* (
  records: GrantedReader,
  caller: Caller,
  rows: ReadonlyArray<{ readonly defaultTeam: TeamId | null }>
): Effect.fn.Return<ReadonlyMap<TeamId, Team>, StorageUnavailable> {
  const ids = rows.flatMap(({ defaultTeam }) => (defaultTeam === null ? [] : [defaultTeam]))
  const found =
    ids.length === 0 ? [] : yield* records.find(teams, { where: Where.isIn("id", [...new Set(ids)]) })
  return new Map((yield* presentTeams(records, caller, found)).map((team) => [team.id, team]))
})

/** Fails with `InvalidInput` if one of the teams, each with its field, is not in the organization. */
export const requireTeams = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  named: ReadonlyArray<readonly [field: string, team: TeamId | null | undefined]>
): Effect.fn.Return<void, InvalidInput | StorageUnavailable> {
  const given = named.flatMap(([field, id]) => (id == null ? [] : [[field, id] as const]))
  if (given.length === 0) return
  const found = yield* records.find(teams, {
    select: ["id", "organization"],
    where: Where.isIn("id", [...new Set(given.map(([, id]) => id))])
  })
  const own = new Set(found.flatMap((team) => (team.organization === organization ? [team.id] : [])))
  const unknown = given.find(([, id]) => !own.has(id))
  if (unknown !== undefined) return yield* InvalidInput.at(unknown[0], "must be a team of the organization")
})
