/** The events of permissions. */
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { TeamId } from "../organizations/Team.ts"
import { Role } from "../roles/Role.ts"
import { resource } from "../schema/resource.ts"
import { UserId } from "../users/User.ts"

/** The data of the events of a permission. */
export class PermissionEventData extends resource<PermissionEventData>()(
  Schema.Struct({
    id: Schema.String,
    organization: OrganizationId,
    kind: Schema.Literals(["space", "collection", "site"]),
    target: Schema.String,
    user: Schema.NullOr(UserId),
    team: Schema.NullOr(TeamId),
    role: Role
  })
) {}
