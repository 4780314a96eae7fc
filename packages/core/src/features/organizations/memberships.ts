/** How people come into an organization and go out of it: whatever brings them, it is done here. */
import { Effect } from "effect"
import { Conflict } from "../../kernel/errors.ts"
import type { Ids } from "../../kernel/ids/Ids.ts"
import { folded } from "../../kernel/schema/Text.ts"
import { type Records, type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { now } from "../../kernel/time.ts"
import { type MemberRow, members } from "../../model/organizations/Member.ts"
import type { OrganizationId, OrganizationRow } from "../../model/organizations/Organization.ts"
import { type TeamMemberRow, teamMembers } from "../../model/organizations/Team.ts"
import { type GrantRow, grants } from "../../model/permissions/Permission.ts"
import type { RoleOrGuest } from "../../model/roles/Role.ts"
import { type Email, UserId, type UserRow, users } from "../../model/users/User.ts"

type Store = Records["Service"]

/** What a search for members looks through. */
export const searchTextOf = (user: Pick<UserRow, "displayName" | "email">): string =>
  folded(`${user.displayName}\n${user.email}`)

/** The name of a user who gave none: the part of the address before the @. */
const nameFrom = (email: string): string => email.slice(0, email.indexOf("@"))

/** The most characters of a name that an account is made with. */
const longestName = 64

/** A new account, not yet stored. */
export const makeUser = Effect.fnUntraced(function* (
  ids: Ids["Service"],
  email: typeof Email.Type,
  name: string | undefined
) {
  const given = Array.from(name?.trim() ?? "")
    .slice(0, longestName)
    .join("")
  const row: UserRow = {
    id: UserId.make(yield* ids.next),
    email,
    displayName: given === "" ? nameFrom(email) : given,
    photoURL: null,
    createdAt: yield* now
  }
  return row
})

/** The accounts of e-mail addresses: those that are there, and new ones for the others, with the names given. */
export const usersOf = Effect.fnUntraced(function* (
  records: Store,
  ids: Ids["Service"],
  named: ReadonlyMap<typeof Email.Type, string | undefined>
): Effect.fn.Return<ReadonlyMap<string, UserRow>, StorageUnavailable> {
  const found = yield* records.find(users, {
    where: Where.isIn<UserRow, "email">("email", [...named.keys()])
  })
  const byEmail = new Map(found.map((user) => [user.email, user]))
  const made: Array<UserRow> = []
  for (const [email, name] of named) {
    if (byEmail.has(email)) continue
    const row = yield* makeUser(ids, email, name)
    byEmail.set(email, row)
    made.push(row)
  }
  yield* records.insertMany(users, made)
  return byEmail
})

/** What somebody is by a membership. */
interface Joining {
  readonly role: RoleOrGuest
  /** Whether they come by single sign-on; false by default. */
  readonly sso?: boolean
}

/** A membership of somebody who is no member, not yet stored. */
export const makeMember = Effect.fnUntraced(function* (
  ids: Ids["Service"],
  organization: Pick<OrganizationRow, "id" | "sso">,
  user: UserRow,
  { role, sso = false }: Joining
) {
  const row: MemberRow = {
    organization: organization.id,
    user: user.id,
    id: yield* ids.next,
    role,
    disabled: false,
    sso,
    joinedAt: yield* now,
    lastSeenAt: null,
    ssoMissing: organization.sso && !sso,
    folded: searchTextOf(user)
  }
  return row
})

/** Makes somebody a member who is none. */
export const join = (
  records: Store,
  ids: Ids["Service"],
  organization: Pick<OrganizationRow, "id" | "sso">,
  user: UserRow,
  joining: Joining
): Effect.Effect<void, StorageUnavailable> =>
  Effect.flatMap(makeMember(ids, organization, user, joining), (row) => records.insert(members, row))

/** The condition that names one membership. */
export const membership = (organization: OrganizationId, user: UserId): Where.Where<MemberRow> =>
  Where.and<MemberRow>(Where.eq("organization", organization), Where.eq("user", user))

/** The administrators who can come in, of all organizations: with single sign-on enforced, those who come by it. */
export const administrating: Where.Where<MemberRow> = Where.and<MemberRow>(
  Where.eq("role", "admin"),
  Where.eq("disabled", false),
  Where.eq("ssoMissing", false)
)

/** The administrators of an organization who can come in. */
export const administratorsOf = (organization: OrganizationId): Where.Where<MemberRow> =>
  Where.and<MemberRow>(Where.eq("organization", organization), administrating)

/** An organization always has somebody who can administrate it (decision D13). */
const lastAdministrator = new Conflict({
  message: "The organization needs an administrator, and this is its last."
})

/** Fails with `Conflict` where the organization would be without an administrator if the member were none. */
export const spare = Effect.fnUntraced(function* (records: Store, member: MemberRow) {
  if (member.role !== "admin" || member.disabled || member.ssoMissing) return
  const administrators = yield* records.count(members, administratorsOf(member.organization))
  if (administrators === 1) return yield* lastAdministrator
})

/** Takes a membership away, with all that it gave: the places in teams, and the grants. */
export const leave = Effect.fnUntraced(function* (records: Store, { organization, user }: MemberRow) {
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
