/** Roles, and their order. */
import { Schema } from "effect"

/** The roles from the least to the most: each may do what those before it may. */
export const roles = ["read", "comment", "edit", "review", "create", "admin"] as const

/** What a user may do with content. See `roles` for the order. */
export const Role = Schema.Literals(roles).annotate({
  identifier: "Role",
  description:
    "read: see the content. comment: discuss it. edit: change it. review: merge changes to it. create: make content. admin: administrate it."
})
export type Role = typeof Role.Type

/** A role in an organization, or null for a guest, who sees only what was shared with them. */
export const RoleOrGuest = Schema.NullOr(Role)
export type RoleOrGuest = typeof RoleOrGuest.Type

/** What everybody in the organization may do with a piece of content: `inherit` for what holds above it. */
export const DefaultLevel = Schema.NullOr(Schema.Literals([...roles, "inherit"])).annotate({
  identifier: "DefaultLevel",
  description:
    "The role that members of the organization have here: `inherit` takes it from what is above, null gives none."
})
export type DefaultLevel = typeof DefaultLevel.Type

const rank = (role: RoleOrGuest): number => (role === null ? -1 : roles.indexOf(role))

/** Whether a role is enough where `needed` is asked for. */
export const isAtLeast = (role: RoleOrGuest, needed: Role): boolean => rank(role) >= rank(needed)

/** The roles that are enough where `needed` is asked for. */
export const rolesFrom = (needed: Role): ReadonlyArray<Role> => roles.slice(rank(needed))

/** The highest of the roles, null of none. */
export const highest = (all: Iterable<RoleOrGuest>): RoleOrGuest => {
  let best: RoleOrGuest = null
  for (const role of all) if (rank(role) > rank(best)) best = role
  return best
}
