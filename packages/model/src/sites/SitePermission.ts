/** The members who can see a site, with their roles. */
import * as Schema from "effect/Schema"
import { ListMembers } from "../organizations/Member.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { TeamId } from "../organizations/Team.ts"
import { Role } from "../roles/Role.ts"
import { resource } from "../schema/resource.ts"
import { User } from "../users/User.ts"
import { SiteId } from "./Site.ts"

class FromOrganization extends resource<FromOrganization>()(
  Schema.Struct({
    /** The type of the origin. */
    type: Schema.Literal("organization"),
    /** The id of the organization. */
    organization: OrganizationId
  })
) {}

class FromSite extends resource<FromSite>()(
  Schema.Struct({
    /** The type of the origin. */
    type: Schema.Literal("site"),
    /** The id of the organization of the site. */
    organization: OrganizationId,
    /** The id of the site. */
    site: SiteId,
    /** Whether the role was granted to the member or to one of their teams. */
    reason: Schema.Literals(["member", "team"]),
    /** The id of the team, for the reason `team`. */
    team: Schema.optionalKey(TeamId)
  })
) {}

/** The filter, order and page of a list of the members who see a site. */
export class ListSitePermissions extends resource<ListSitePermissions>()(
  Schema.Struct({
    ...ListMembers.fields,
    /** Only members of this team. */
    team: Schema.optionalKey(TeamId)
  })
) {}

/** The role of a user on a site. */
export class SitePermission extends resource<SitePermission>()(
  Schema.Struct({
    /** The role on the site. */
    permission: Role,
    /** The user. */
    user: User,
    /** Whether the membership is disabled: always false, because disabled members see no site. */
    disabled: Schema.Boolean,
    /** The origin of the role: the organization, or a role on the site itself that is higher. */
    origin: Schema.Union([FromOrganization, FromSite])
  }).annotate({ identifier: "SitePermission" })
) {}
