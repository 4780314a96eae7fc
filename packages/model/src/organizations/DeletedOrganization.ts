/** Organizations in the trash. */
import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { OrganizationId } from "./Organization.ts"

/** How long an organization in the trash can be restored, in milliseconds: 30 days. */
export const organizationRetentionMillis = 30 * 24 * 60 * 60 * 1000

/** An organization in the trash. */
export class DeletedOrganization extends resource<DeletedOrganization>()(
  Schema.Struct({
    /** The type of the object: always `deleted-organization`. */
    object: Schema.Literal("deleted-organization"),
    /** The id of the organization. */
    id: OrganizationId,
    /** The title of the organization. */
    title: Schema.String,
    /** When the organization was moved to the trash. */
    deletedAt: Timestamp,
    /** Until when the organization can be restored. It is removed permanently after that. */
    restorableUntil: Timestamp
  }).annotate({ identifier: "DeletedOrganization" })
) {}

/** The organizations in the trash that the caller can restore. */
export class OrganizationTrash extends resource<OrganizationTrash>()(
  Schema.Struct({
    /** The organizations, the last deleted one first: at most 100. */
    items: Schema.Array(DeletedOrganization)
  }).annotate({ identifier: "OrganizationTrash" })
) {}
