/** Converts rows to members and teams as an identity provider manages them. */

import type { ProvisionedTeam, ProvisionedUser } from "@lectern/model/provisioning"
import type { UserId } from "@lectern/model/users"
import { sha256Hex } from "../../sha256.ts"
import type { MemberRow } from "../organizations/memberTable.ts"
import type { TeamRow } from "../organizations/teamTables.ts"
import type { UserRow } from "../users/userTable.ts"
import type { ProvisionedMemberRow, ProvisionedTeamRow } from "./provisioningTables.ts"

/** The number of hexadecimal digits of a version. */
const versionDigits = 32

const versionOf = (state: unknown): string => sha256Hex(JSON.stringify(state)).slice(0, versionDigits)

/** Returns a member. A member that no identity provider has provisioned has the names of the account. */
export const presentProvisionedUser = (
  member: Pick<MemberRow, "id" | "user" | "disabled" | "joinedAt">,
  account: Pick<UserRow, "email" | "displayName">,
  row: ProvisionedMemberRow | undefined
): ProvisionedUser => {
  const user = {
    object: "user" as const,
    id: member.user,
    position: member.id,
    userName: row?.userName ?? account.email,
    externalId: row?.externalId ?? null,
    email: account.email,
    profile: row?.profile ?? { displayName: account.displayName },
    active: !member.disabled,
    createdAt: member.joinedAt,
    updatedAt: row?.updatedAt ?? member.joinedAt
  }
  const { userName, externalId, email, profile, active } = user
  const { displayName, formatted, familyName, givenName } = profile
  const names = [displayName, formatted, familyName, givenName]
  return { ...user, version: versionOf([member.id, userName, externalId, email, names, active]) }
}

/** Returns a team; without `members`, also without its version. */
export const presentProvisionedTeam = (
  team: TeamRow,
  row: ProvisionedTeamRow | undefined,
  members: ReadonlyArray<UserId> | undefined
): ProvisionedTeam => {
  const externalId = row?.externalId ?? null
  const sorted = members?.toSorted()
  return {
    object: "team",
    id: team.id,
    position: team.id,
    title: team.title,
    externalId,
    createdAt: team.createdAt,
    updatedAt: row?.updatedAt ?? team.createdAt,
    ...(sorted === undefined
      ? {}
      : { members: sorted, version: versionOf([team.id, team.title, externalId, sorted]) })
  }
}
