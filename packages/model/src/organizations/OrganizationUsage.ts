/** How much of its quota an organization uses. */
import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { OrganizationId } from "./Organization.ts"

/** How much of one kind of resource an organization has, and can have. */
export class UsedResource extends resource<UsedResource>()(
  Schema.Struct({
    /** How much the organization has. */
    used: Schema.Int,
    /** The maximum that the operator of the server has set. Absent if it has not set one. */
    maximum: Schema.optionalKey(Schema.Int)
  }).annotate({ identifier: "UsedResource" })
) {}

/** How much of its quota an organization uses. */
export class OrganizationUsage extends resource<OrganizationUsage>()(
  Schema.Struct({
    /** The type of the object: always `organization-usage`. */
    object: Schema.Literal("organization-usage"),
    /** The id of the organization. */
    organization: OrganizationId,
    /** The spaces, including the spaces in the trash. */
    spaces: UsedResource,
    /** The members, including guests and disabled members. */
    members: UsedResource,
    /**
     * The bytes of content: of every version of the pages, the reusable contents and the files of all spaces and change requests,
     * uncompressed, and of uploads to signed URLs for 24 hours. Deleting a page or a file does not lower it, because the history
     * retains them.
     */
    bytes: UsedResource
  }).annotate({ identifier: "OrganizationUsage" })
) {}
