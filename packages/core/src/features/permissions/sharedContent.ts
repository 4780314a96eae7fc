/** Content whose permissions are managed, and the conditions that its permissions put on grants and members. */
import type { Caller } from "../../access/Access.ts"
import type { Granted } from "../../access/grants/Grant.ts"
import { Where } from "../../kernel/storage/index.ts"
import * as Placement from "../../model/collections/Placement.ts"
import type { MemberRow } from "../../model/organizations/Member.ts"
import type { OrganizationId } from "../../model/organizations/Organization.ts"
import { type TeamMemberRow, teamMembers } from "../../model/organizations/Team.ts"
import { type GrantRow, grants } from "../../model/permissions/Permission.ts"
import { isAtLeast, type Role, type RoleOrGuest, rolesFrom } from "../../model/roles/Role.ts"

/** Content that the caller has access to. */
export interface Shared extends Granted {
  readonly kind: GrantRow["kind"]
  readonly id: string
  readonly organization: OrganizationId
  readonly path: string
  readonly level: RoleOrGuest | "inherit"
  readonly caller: Caller
}

/** The targets whose grants apply to the content: itself, and the collections above it. */
export const targetsOf = (content: Shared): ReadonlyArray<string> => [
  content.id,
  ...Placement.ancestorsOf(content.path)
]

/** The condition for grants that apply to the content, with a role of at least `needed`. */
export const applyingTo = (content: Shared, needed: Role): Where.Where<GrantRow> =>
  Where.and<GrantRow>(
    Where.eq("organization", content.organization),
    Where.isIn("target", targetsOf(content)),
    Where.isIn("role", rolesFrom(needed))
  )

/** The condition for members whose role on the content is at least `needed`: `roleOn`, as a condition. */
export const havingRole = (content: Shared, needed: Role): Where.Where<MemberRow> => {
  const { level } = content
  const byLevel: Where.Where<MemberRow> =
    level === "inherit"
      ? Where.isIn("role", rolesFrom(needed))
      : isAtLeast(level, needed)
        ? Where.not(Where.isNull("role"))
        : Where.eq("role", "admin")
  const granted = applyingTo(content, needed)
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
