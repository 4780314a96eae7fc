/** Creates and removes accounts and memberships, for every operation by which users join and leave organizations. */

import type { GrantedReader, GrantedRecords } from "@lectern/access"
import { type Ids, now, type StorageUnavailable, Where } from "@lectern/kernel"
import {
  type ApiTokenRow,
  type GrantRow,
  grants,
  type InvitationRow,
  invitations,
  isSsoMissing,
  type MemberRow,
  members,
  type OrganizationRow,
  type ProvisionedMemberRow,
  provisionedMembers,
  type SessionRow,
  type SignInLinkRow,
  signInLinks,
  type TeamMemberRow,
  teamMembers,
  type UserRow,
  users,
  whereAdmittedBySso
} from "@lectern/kernel/tables"
import { Conflict, Forbidden } from "@lectern/model/errors"
import type { OrganizationId } from "@lectern/model/organizations"
import type { RoleOrGuest } from "@lectern/model/roles"
import { folded } from "@lectern/model/schema"
import { type Email, UserId } from "@lectern/model/users"
import { Effect } from "effect"
import { endSessions, rotateSessions } from "../sessions/endSessions.ts"
import { revokeTokens } from "../tokens/revokeTokens.ts"

/** The case-folded text that a search for members matches: the name and the e-mail address. */
export const searchTextOf = (user: Pick<UserRow, "displayName" | "email">): string =>
  folded(`${user.displayName}\n${user.email}`)

/** The default name of a user: the part of the e-mail address before the `@`. */
const defaultNameOf = (email: string): string => email.slice(0, email.indexOf("@"))

/** The maximum length of the name of a new account, in characters. Longer names are cut. */
const maximumNameLength = 64

/** Builds the row of a new account, without storing it. */
export const newUser = Effect.fnUntraced(function* (
  ids: Ids["Service"],
  email: typeof Email.Type,
  name: string | undefined
): Effect.fn.Return<UserRow> {
  const given = Array.from(name?.trim() ?? "")
    .slice(0, maximumNameLength)
    .join("")
  const row: UserRow = {
    id: UserId.make(yield* ids.next),
    email,
    displayName: given === "" ? defaultNameOf(email) : given,
    photoURL: null,
    createdAt: yield* now
  }
  return row
})

/** Finds the accounts with these e-mail addresses, and creates the missing accounts with the given names. */
export const findOrCreateUsers = Effect.fnUntraced(function* (
  records: GrantedRecords,
  ids: Ids["Service"],
  names: ReadonlyMap<typeof Email.Type, string | undefined>
): Effect.fn.Return<ReadonlyMap<string, UserRow>, StorageUnavailable> {
  const found = yield* records.find(users, {
    where: Where.isIn<UserRow, "email">("email", [...names.keys()])
  })
  const byEmail = new Map(found.map((user) => [user.email, user]))
  const created: Array<UserRow> = []
  for (const [email, name] of names) {
    if (byEmail.has(email)) continue
    const row = yield* newUser(ids, email, name)
    byEmail.set(email, row)
    created.push(row)
  }
  yield* records.insertMany(users, created)
  return byEmail
})

/** The settings of a new membership. */
interface MembershipSettings {
  readonly role: RoleOrGuest
  /** Whether the member logs in by single sign-on; false by default. */
  readonly sso?: boolean
  /** Whether `sso` is set because of a login; false by default. */
  readonly ssoLogin?: boolean
}

/** Builds the row of a new membership, without storing it. */
export const newMember = Effect.fnUntraced(function* (
  ids: Ids["Service"],
  organization: Pick<OrganizationRow, "id" | "sso" | "secondFactor">,
  user: UserRow,
  { role, sso = false, ssoLogin = false }: MembershipSettings
): Effect.fn.Return<MemberRow> {
  const row: MemberRow = {
    organization: organization.id,
    user: user.id,
    id: yield* ids.next,
    role,
    disabled: false,
    sso,
    joinedAt: yield* now,
    lastSeenAt: null,
    ssoLogin,
    ssoMissing: isSsoMissing(organization, { sso, ssoLogin }),
    secondFactor: organization.secondFactor,
    folded: searchTextOf(user)
  }
  return row
})

/** Creates the membership of a user who is not a member. */
export const insertMember = (
  records: GrantedRecords,
  ids: Ids["Service"],
  organization: Pick<OrganizationRow, "id" | "sso" | "secondFactor">,
  user: UserRow,
  settings: MembershipSettings
): Effect.Effect<void, StorageUnavailable> =>
  Effect.flatMap(newMember(ids, organization, user, settings), (row) => records.insert(members, row))

/** The condition that selects one membership. */
export const membership = (organization: OrganizationId, user: UserId): Where.Where<MemberRow> =>
  Where.and<MemberRow>(Where.eq("organization", organization), Where.eq("user", user))

/** The condition for administrators with access to their organization: enabled, and by single sign-on if required. */
export const isAdministratorWithAccess: Where.Where<MemberRow> = Where.and<MemberRow>(
  Where.eq("role", "admin"),
  Where.eq("disabled", false),
  whereAdmittedBySso
)

/** The condition for the administrators of an organization who have access to it. */
export const administratorsOf = (organization: OrganizationId): Where.Where<MemberRow> =>
  Where.and<MemberRow>(Where.eq("organization", organization), isAdministratorWithAccess)

/** Without an administrator, only the operator of the workspace could restore access to the organization. */
const lastAdministrator = new Conflict({
  reason: "LastAdministrator",
  message:
    "The member is the last administrator of the organization. Make another member an administrator first."
})

/** The error for users whose membership is disabled. */
export const membershipDisabled = new Forbidden({
  reason: "MembershipDisabled",
  message: "Your membership of the organization is disabled. Ask an administrator to enable it."
})

/** Fails with `Conflict` if the member is the last administrator with access to the organization. */
export const requireOtherAdministrator = Effect.fnUntraced(function* (
  records: GrantedReader,
  member: MemberRow
): Effect.fn.Return<void, Conflict | StorageUnavailable> {
  if (member.role !== "admin" || member.disabled || (member.ssoMissing && !member.sso)) return
  const administrators = yield* records.count(members, administratorsOf(member.organization))
  if (administrators === 1) return yield* lastAdministrator
})

/**
 * Revokes the tokens and the sessions of a user that are limited to an organization, such as the sessions of logins. The secrets
 * of other sessions are replaced.
 */
export const endAccess = Effect.fnUntraced(function* (
  records: GrantedRecords,
  { organization, user }: MemberRow
): Effect.fn.Return<void, StorageUnavailable> {
  yield* revokeTokens(
    records,
    Where.and<ApiTokenRow>(Where.eq("user", user), Where.eq("organization", organization))
  )
  yield* endSessions(
    records,
    Where.and<SessionRow>(Where.eq("user", user), Where.eq("organization", organization))
  )
  yield* rotateSessions(records, user)
})

/**
 * Removes a membership, with the team memberships of the user, the grants to the user and the statements of an identity provider about
 * the user, and ends the access of the user. An invitation ends with its links.
 */
export const removeMembership = Effect.fnUntraced(function* (
  records: GrantedRecords,
  member: MemberRow
): Effect.fn.Return<void, StorageUnavailable> {
  const { organization, user } = member
  yield* endAccess(records, member)
  yield* records.remove(
    provisionedMembers,
    Where.and<ProvisionedMemberRow>(Where.eq("organization", organization), Where.eq("user", user))
  )
  yield* records.remove(
    invitations,
    Where.and<InvitationRow>(Where.eq("organization", organization), Where.eq("user", user))
  )
  yield* records.remove(
    signInLinks,
    Where.and<SignInLinkRow>(Where.eq("user", user), Where.eq("firstSignInOf", organization))
  )
  yield* records.remove(
    teamMembers,
    Where.and<TeamMemberRow>(Where.eq("user", user), Where.eq("organization", organization))
  )
  yield* records.remove(
    grants,
    Where.and<GrantRow>(Where.eq("organization", organization), Where.eq("user", user))
  )
  yield* records.remove(members, membership(organization, user))
})
