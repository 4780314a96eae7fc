/** Content whose permissions are managed, and the conditions that select the grants on it and its members. */

import type { Caller, Granted } from "@lectern/access"
import { Where } from "@lectern/kernel"
import {
  type GrantRow,
  grants,
  type MemberRow,
  type SiteRow,
  type TeamMemberRow,
  teamMembers
} from "@lectern/kernel/tables"
import * as Placement from "@lectern/model/collections"
import type { OrganizationId } from "@lectern/model/organizations"
import { isAtLeast, type Role, type RoleOrGuest, rolesFrom } from "@lectern/model/roles"

/** A space, a collection or a site that the caller has access to. */
export interface Shared extends Granted {
  readonly kind: GrantRow["kind"]
  readonly id: string
  readonly organization: OrganizationId
  readonly path: string
  readonly level: RoleOrGuest | "inherit"
  readonly caller: Caller
}

/** Returns a site as shared content: it is in no collection, and its level is the role in the organization. */
export const sharedSite = ({
  site,
  caller,
  grant
}: Granted & { readonly site: SiteRow; readonly caller: Caller }): Shared => ({
  kind: "site",
  id: site.id,
  organization: site.organization,
  path: "",
  level: "inherit",
  caller,
  grant
})

/** The ids of the content itself and of its ancestors, whose grants affect it. */
const selfAndAncestors = (content: Shared): ReadonlyArray<string> => [
  content.id,
  ...Placement.ancestorsOf(content.path)
]

/** The condition that selects the grants that affect the content, with a role of at least `needed`. */
export const grantsAffecting = (content: Shared, needed: Role): Where.Where<GrantRow> =>
  Where.and<GrantRow>(
    Where.eq("organization", content.organization),
    Where.isIn("target", selfAndAncestors(content)),
    Where.isIn("role", rolesFrom(needed))
  )

/** The condition that selects the members whose role on the content is at least `needed`. Equivalent to `roleOn`. */
export const membersWithRole = (content: Shared, needed: Role): Where.Where<MemberRow> => {
  const { level } = content
  const byLevel: Where.Where<MemberRow> =
    level === "inherit"
      ? Where.isIn("role", rolesFrom(needed))
      : isAtLeast(level, needed)
        ? Where.not(Where.isNull("role"))
        : Where.eq("role", "admin")
  const granted = grantsAffecting(content, needed)
  const { records } = content.grant
  return Where.or<MemberRow>(
    byLevel,
    records.inSelect("user", grants, "user", Where.and(granted, Where.not(Where.isNull("user")))),
    records.inSelect(
      "user",
      teamMembers,
      "user",
      records.inSelect<TeamMemberRow, "team", typeof grants, "team">(
        "team",
        grants,
        "team",
        Where.and(granted, Where.not(Where.isNull("team")))
      )
    )
  )
}
