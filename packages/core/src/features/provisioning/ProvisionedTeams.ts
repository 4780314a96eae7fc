/** The teams of an organization, as its identity provider manages them. */

import {
  type AccessError,
  type Authorization,
  type Command,
  type CurrentUser,
  type GrantedReader,
  type GrantedRecords,
  Locks,
  Operations,
  type Query
} from "@lectern/access"
import { Ids, now, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type MemberRow,
  members,
  type ProvisionedTeamRow,
  presentProvisionedTeam,
  provisionedTeams,
  type TeamMemberRow,
  type TeamRow,
  teamMembers,
  teams
} from "@lectern/kernel/tables"
import { type Forbidden, InvalidInput, NotFound, type PreconditionFailed } from "@lectern/model/errors"
import { OrganizationId, TeamId } from "@lectern/model/organizations"
import {
  FindProvisionedTeams,
  maximumProvisionedMembers,
  NewProvisionedTeam,
  type ProvisionedTeam,
  type ProvisionedTeamList,
  RemoveProvisioned,
  UpdateProvisionedTeam
} from "@lectern/model/provisioning"
import { folded } from "@lectern/model/schema"
import type { UserId } from "@lectern/model/users"
import { Context, Effect, Layer } from "effect"
import { removeTeam, requireGrantableTeam } from "../organizations/teamsOfProviders.ts"
import { requireVersion } from "./ProvisionedMembers.ts"

interface OneTeam {
  readonly organization: OrganizationId
  readonly team: TeamId
}

/**
 * Operations on teams as an identity provider manages them, on behalf of the `CurrentUser`. They require the permission
 * `organization.provision` of an administrator, and fail with `NotFound` for teams of other organizations.
 */
export interface ProvisionedTeamsOperations {
  /** Finds teams, in the order of their creation. Fails with `InvalidInput` if they have more than 10,000 members together. */
  readonly find: Query<
    { organization: OrganizationId; input: FindProvisionedTeams },
    ProvisionedTeamList,
    AccessError
  >
  /** Creates a team. Fails with `InvalidInput` if one of the users is not a member of the organization. */
  readonly create: Command<
    { organization: OrganizationId; input: NewProvisionedTeam },
    ProvisionedTeam,
    AccessError
  >
  /**
   * Renames a team, and adds and removes members. Fails with `InvalidInput` if a user to add is not a member of the organization, and
   * with `PreconditionFailed` if the team has another version.
   */
  readonly update: Command<
    OneTeam & { input: UpdateProvisionedTeam },
    ProvisionedTeam,
    AccessError | PreconditionFailed
  >
  /** Removes a team, as `Teams.remove` does, if it has the version. */
  readonly remove: Command<OneTeam & { input?: RemoveProvisioned }, void, AccessError | PreconditionFailed>
}

const inTeams = (ids: ReadonlyArray<TeamId>) => Where.isIn<TeamMemberRow, "team">("team", ids)

const presentTeams = Effect.fnUntraced(function* (
  records: GrantedReader,
  organization: OrganizationId,
  rows: ReadonlyArray<TeamRow>,
  withMembers: boolean
): Effect.fn.Return<ReadonlyArray<ProvisionedTeam>, InvalidInput | StorageUnavailable> {
  const ids = rows.map(({ id }) => id)
  const provisioned = yield* records.find(provisionedTeams, {
    where: Where.and<ProvisionedTeamRow>(Where.eq("organization", organization), Where.isIn("team", ids))
  })
  const rowOf = new Map(provisioned.map((row) => [row.team, row]))
  if (!withMembers) return rows.map((row) => presentProvisionedTeam(row, rowOf.get(row.id), undefined))
  const found = yield* records.find(teamMembers, {
    select: ["team", "user"],
    where: inTeams(ids),
    limit: maximumProvisionedMembers + 1
  })
  if (found.length > maximumProvisionedMembers) {
    return yield* InvalidInput.at(
      "members",
      `are more than ${maximumProvisionedMembers}. Read fewer teams, or read them without members`
    )
  }
  const membersOf = Map.groupBy(found, ({ team }) => team)
  return rows.map((row) => {
    const users = (membersOf.get(row.id) ?? []).map(({ user }) => user)
    return presentProvisionedTeam(row, rowOf.get(row.id), users)
  })
})

/** The condition that teams match which have one of the ids, titles, external ids or members. */
const whereFound = (
  records: GrantedReader,
  organization: OrganizationId,
  { ids, titles, externalIds, members: users }: NonNullable<FindProvisionedTeams["lookup"]>
): Where.Where<TeamRow> =>
  Where.or<TeamRow>(
    Where.isIn("id", ids as ReadonlyArray<TeamId>),
    Where.isIn("folded", titles.map(folded)),
    records.inSelect(
      "id",
      provisionedTeams,
      "team",
      Where.and<ProvisionedTeamRow>(
        Where.eq("organization", organization),
        Where.isIn("externalId", externalIds)
      )
    ),
    records.inSelect(
      "id",
      teamMembers,
      "team",
      Where.and<TeamMemberRow>(
        Where.isIn("user", users as ReadonlyArray<UserId>),
        Where.eq("organization", organization)
      )
    )
  )

/** Adds users to a team. Fails with `InvalidInput` if one of them is not a member of the organization. */
const addMembers = Effect.fnUntraced(function* (
  records: GrantedRecords,
  { organization, team }: OneTeam,
  users: ReadonlyArray<UserId>
): Effect.fn.Return<void, InvalidInput | Forbidden | StorageUnavailable, CurrentUser> {
  if (users.length === 0) return
  const found = yield* records.find(members, {
    select: ["user"],
    where: Where.and<MemberRow>(Where.eq("organization", organization), Where.isIn("user", users))
  })
  yield* requireGrantableTeam(records, team)
  const own = new Set(found.map(({ user }) => user))
  const index = users.findIndex((user) => !own.has(user))
  if (index !== -1) {
    return yield* InvalidInput.at(`members.${index}`, "must be the id of a user of the organization")
  }
  const rows = [...own].map((user) => ({ team, user, organization, role: "member" as const }))
  yield* records.insertMissing(teamMembers, rows)
})

const makeProvisionedTeams = Effect.gen(function* () {
  const ids = yield* Ids
  const { query, command, allow } = yield* Operations
  const provision = allow.organization("provision")
  const load = allow.loading(provision, (records, { team }: OneTeam) => records.get(teams, { id: team }))

  const allowTeam: Authorization<OneTeam, { readonly row: TeamRow }, AccessError> = {
    rule: provision.rule,
    check: Effect.fnUntraced(function* (target) {
      const [{ grant }, row] = yield* load(target)
      return row?.organization === target.organization ? { grant, row } : yield* NotFound.of("team")
    })
  }

  const present = (records: GrantedReader, row: TeamRow) =>
    Effect.map(presentTeams(records, row.organization, [row], true), ([team]) => team!)

  return {
    find: query(
      "ProvisionedTeams.find",
      { parameters: { organization: OrganizationId, input: FindProvisionedTeams }, authorize: provision },
      function* ({ organization, input }, { records }) {
        const { lookup, offset = 0, after, limit, withMembers } = input
        const matching = Where.and<TeamRow>(
          Where.eq("organization", organization),
          lookup === undefined ? Where.all : whereFound(records, organization, lookup)
        )
        const skipped =
          offset === 0
            ? []
            : yield* records.find(teams, { select: ["id"], where: matching, orderBy: ["id"], limit: offset })
        const start = (skipped.at(-1)?.id ?? after ?? "") as TeamId
        const rows = yield* records.find(teams, {
          where: Where.and<TeamRow>(matching, Where.gt("id", start)),
          orderBy: ["id"],
          limit
        })
        return {
          total: yield* records.count(teams, matching),
          teams: yield* presentTeams(records, organization, rows, withMembers)
        }
      }
    ),

    create: command(
      "ProvisionedTeams.create",
      {
        parameters: { organization: OrganizationId, input: NewProvisionedTeam },
        authorize: provision,
        locks: Locks.organization
      },
      function* ({ organization, input: { title, externalId, members: users } }, { records }) {
        const id = TeamId.make(yield* ids.next)
        const createdAt = yield* now
        const row: TeamRow = { id, organization, title, folded: folded(title), createdAt }
        yield* records.insert(teams, row)
        yield* records.insert(provisionedTeams, { organization, team: id, externalId, updatedAt: createdAt })
        yield* addMembers(records, { organization, team: id }, users)
        return yield* present(records, row)
      }
    ),

    update: command(
      "ProvisionedTeams.update",
      {
        parameters: { organization: OrganizationId, team: TeamId, input: UpdateProvisionedTeam },
        authorize: allowTeam,
        locks: Locks.organization
      },
      function* ({ organization, team, input: { title, externalId, add, remove, expected } }, target) {
        const { row, records } = target
        if (expected !== undefined) yield* requireVersion(yield* present(records, row), expected)
        const changes = { title, folded: folded(title) }
        yield* records.update(teams, Where.eq("id", team), changes)
        const own = { organization, team, externalId, updatedAt: yield* now }
        yield* records.remove(provisionedTeams, Where.eq<ProvisionedTeamRow, "team">("team", team))
        yield* records.insert(provisionedTeams, own)
        if (remove.length > 0) {
          const removed = Where.and<TeamMemberRow>(inTeams([team]), Where.isIn("user", remove))
          yield* records.remove(teamMembers, removed)
        }
        yield* addMembers(records, { organization, team }, add)
        return yield* present(records, { ...row, ...changes })
      }
    ),

    remove: command(
      "ProvisionedTeams.remove",
      {
        parameters: { organization: OrganizationId, team: TeamId, input: RemoveProvisioned },
        authorize: allowTeam,
        locks: Locks.organization
      },
      function* ({ organization, team, input: { expected } }, { row, records }) {
        if (expected !== undefined) yield* requireVersion(yield* present(records, row), expected)
        yield* removeTeam(records, organization, team)
      }
    )
  } satisfies ProvisionedTeamsOperations
})

/** Operations on teams as an identity provider manages them: see {@link ProvisionedTeamsOperations}. */
export class ProvisionedTeams extends Context.Service<ProvisionedTeams, ProvisionedTeamsOperations>()(
  "@lectern/core/ProvisionedTeams"
) {
  static readonly layer: Layer.Layer<ProvisionedTeams, never, Operations | Ids> = Layer.effect(
    ProvisionedTeams,
    makeProvisionedTeams
  )
}
