/** The events of permissions. */
import { Schema } from "effect"
import { resource } from "../../kernel/schema/resource.ts"
import { resourceEvents } from "../../kernel/storage/ResourceEvents.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { TeamId } from "../organizations/Team.ts"
import { Role } from "../roles/Role.ts"
import { UserId } from "../users/User.ts"
import { grants } from "./Permission.ts"

/** The data of the events of a permission. */
export class PermissionEventData extends resource<PermissionEventData>()(
  Schema.Struct({
    id: Schema.String,
    organization: OrganizationId,
    kind: Schema.Literals(["space", "collection"]),
    target: Schema.String,
    user: Schema.NullOr(UserId),
    team: Schema.NullOr(TeamId),
    role: Role
  })
) {}

/** The events of permissions. */
export const permissionEvents = resourceEvents(
  "permission",
  "The role of a user or a team on a space or a collection.",
  grants,
  {
    data: PermissionEventData
  }
)
