/** A user with the roles that decide on their access in an organization, and the role on content. */

import type { CollectionRow } from "@lectern/kernel/tables"
import * as Placement from "@lectern/model/collections"
import type { OrganizationId } from "@lectern/model/organizations"
import { highest, type Role, type RoleOrGuest } from "@lectern/model/roles"
import type { SiteId } from "@lectern/model/sites"
import type { UserId } from "@lectern/model/users"

/** A member or guest of an organization, with the roles that decide on their access. */
export interface Caller {
  /** The id of the user. */
  readonly user: UserId
  /** The organization that the roles apply to. */
  readonly organization: OrganizationId
  /** Their role in the organization; null for a guest. */
  readonly role: RoleOrGuest
  /** The highest role that was granted to the user or to one of their teams, by the id of the space, collection or site. */
  readonly granted: ReadonlyMap<string, Role>
  /** Whether the caller must log in by single sign-on first. Until then, every action is forbidden. */
  readonly ssoRequired: boolean
  /** Whether the organization requires a second factor, which the caller has not proved. */
  readonly secondFactorRequired: boolean
  /** Present for a visitor of a site, who sees no more of a space than its published content. */
  readonly isVisitor?: true
}

/** The columns of spaces and collections that access depends on. */
export interface Placed {
  readonly id: string
  readonly organization: OrganizationId
  readonly path: string
  readonly level: CollectionRow["level"]
}

/**
 * Returns the role of a caller on a space or a collection; null without access.
 *
 * Administrators of the organization have `admin`. Other callers have the highest role of the default level of the
 * content, which does not apply to guests, and of the grants on the content and on its ancestors. The level `inherit`
 * is the caller's role in the organization.
 */
export const roleOn = (caller: Caller, content: Placed): RoleOrGuest => {
  if (caller.role === "admin") return "admin"
  const level = caller.role === null ? null : content.level === "inherit" ? caller.role : content.level
  if (caller.granted.size === 0) return level
  const ancestors = Placement.ancestorsOf(content.path)
  return highest([level, ...[content.id, ...ancestors].map((target) => caller.granted.get(target) ?? null)])
}

/** Returns the role of a caller on a site: the higher one of their role in the organization and of the grants on the site. */
export const roleOnSite = ({ role, granted }: Caller, site: SiteId): RoleOrGuest =>
  highest([role, granted.get(site) ?? null])
