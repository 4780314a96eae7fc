/** The roles of users and teams, and their order. */
import * as Schema from "effect/Schema"

/** All roles, lowest first. Each role includes the ones before it. */
export const roles = ["read", "comment", "edit", "review", "create", "admin"] as const

/** The role of a user on content or in an organization. See `roles` for the order. */
export const Role = Schema.Literals(roles).annotate({
  identifier: "Role",
  description:
    "read: view the content. comment: comment on it. edit: edit it. review: merge changes to it. create: create content. admin: administer it."
})
/** The role of a user on content or in an organization. See `roles` for the order. */
export type Role = typeof Role.Type

/** A role in an organization; null for a guest, who sees only content that is shared with them. */
export const RoleOrGuest = Schema.NullOr(Role)
/** A role in an organization; null for a guest, who sees only content that is shared with them. */
export type RoleOrGuest = typeof RoleOrGuest.Type

/** The role of all members of the organization on content: `inherit` for the level of the parent, null for no role. */
export const DefaultLevel = Schema.NullOr(Schema.Literals([...roles, "inherit"])).annotate({
  identifier: "DefaultLevel",
  description:
    "The role of all members of the organization on the content: `inherit` for the level of the parent collection or the role in the organization, null for no role."
})
/** The role of all members of the organization on content: `inherit` for the level of the parent, null for no role. */
export type DefaultLevel = typeof DefaultLevel.Type

const rank = (role: RoleOrGuest): number => (role === null ? -1 : roles.indexOf(role))

/** Whether a role is `needed` or a higher one. */
export const isAtLeast = (role: RoleOrGuest, needed: Role): boolean => rank(role) >= rank(needed)

/** The roles that are `needed` or higher. */
export const rolesFrom = (needed: Role): ReadonlyArray<Role> => roles.slice(rank(needed))

/** Returns the highest of the roles; null for an empty list. */
export const highest = (candidates: Iterable<RoleOrGuest>): RoleOrGuest => {
  let best: RoleOrGuest = null
  for (const role of candidates) if (rank(role) > rank(best)) best = role
  return best
}
