/** Queries and updates of the grants on content. */

import { type Caller, type GrantedReader, type GrantedRecords, roleOn } from "@lectern/access"
import { readPage, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type GrantRow,
  grants,
  type MemberRow,
  type TeamMemberRow,
  teamMembers,
  type UserRow,
  users
} from "@lectern/kernel/tables"
import { NotFound } from "@lectern/model/errors"
import type { TeamId } from "@lectern/model/organizations"
import { highest } from "@lectern/model/roles"
import type { PageQuery } from "@lectern/model/schema"
import type { UserId } from "@lectern/model/users"
import { Effect } from "effect"
import type { Grantee } from "./permissionAuthorizations.ts"
import { grantsAffecting, type Shared } from "./sharedContent.ts"

/** Matches the grants of a user or a team on content. */
export const grantsTo = (
  shared: Shared,
  grantee: Grantee,
  granteeIds: ReadonlyArray<UserId | TeamId>
): Where.Where<GrantRow> =>
  Where.and<GrantRow>(
    Where.eq("target", shared.id),
    grantee === "user"
      ? Where.isIn("user", granteeIds as ReadonlyArray<UserId>)
      : Where.isIn("team", granteeIds as ReadonlyArray<TeamId>)
  )

/** Removes the grant of a user or a team on content. */
export const removeGrant = Effect.fnUntraced(function* (
  records: GrantedRecords,
  shared: Shared,
  grantee: Grantee,
  id: UserId | TeamId
) {
  const removed = yield* records.remove(grants, grantsTo(shared, grantee, [id]))
  if (removed === 0) return yield* NotFound.of("permission")
})

/** Reads a page of the grants on content. */
export const readGrants = <A>(
  records: GrantedReader,
  shared: Shared,
  grantee: Grantee,
  page: PageQuery,
  present: (rows: ReadonlyArray<GrantRow>) => Effect.Effect<ReadonlyArray<A>, StorageUnavailable>
) =>
  readPage(records, page, {
    table: grants,
    list: ["permissions", grantee, shared.id],
    where: Where.and<GrantRow>(Where.eq("target", shared.id), Where.not(Where.isNull(grantee))),
    orderBy: ["id"],
    direction: "desc",
    present
  })

/** Loads users by their ids. */
export const usersById = (records: GrantedReader, userIds: ReadonlyArray<UserId>) =>
  Effect.map(
    records.find(users, { where: Where.isIn<UserRow, "id">("id", userIds) }),
    (rows) => new Map(rows.map((row) => [row.id, row]))
  )

/** Returns the effective roles of members on the content, in their order. */
export const rolesOf = Effect.fnUntraced(function* (
  records: GrantedReader,
  shared: Shared,
  rows: ReadonlyArray<MemberRow>
) {
  const userIds = rows.map(({ user }) => user)
  const [memberships, affecting] = yield* records.zipConcurrent(
    records.find(teamMembers, {
      where: Where.and<TeamMemberRow>(
        Where.eq("organization", shared.organization),
        Where.isIn("user", userIds)
      )
    }),
    records.find(grants, { where: grantsAffecting(shared, "read") })
  )
  const teamsByUser = Map.groupBy(memberships, ({ user }) => user)
  return rows.map(({ user, role }) => {
    const granteeIds = new Set<string | null>([
      user,
      ...(teamsByUser.get(user) ?? []).map(({ team }) => team)
    ])
    const member: Caller = {
      user,
      organization: shared.organization,
      role,
      ssoRequired: false,
      secondFactorRequired: false,
      granted: new Map()
    }
    const granted = affecting.filter(
      (row) =>
        (row.user !== null && granteeIds.has(row.user)) || (row.team !== null && granteeIds.has(row.team))
    )
    return highest([roleOn(member, shared), ...granted.map((row) => row.role)])!
  })
})
