/** The members who can see a site, with their roles. */
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { Role } from "../roles/Role.ts"
import { resource } from "../schema/resource.ts"
import { User } from "../users/User.ts"

/** The role of a user on a site. */
export class SitePermission extends resource<SitePermission>()(
  Schema.Struct({
    /** The role on the site. */
    permission: Role,
    /** The user. */
    user: User,
    /** Whether the membership is disabled: always false, because disabled members see no site. */
    disabled: Schema.Boolean,
    /** The origin of the role: the organization, because sites have no permissions of their own. */
    origin: Schema.Struct({
      /** The type of the origin. */
      type: Schema.Literal("organization"),
      /** The id of the organization. */
      organization: OrganizationId
    })
  }).annotate({ identifier: "SitePermission" })
) {}
