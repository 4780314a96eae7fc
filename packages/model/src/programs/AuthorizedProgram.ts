/** The programs of others that people have authorized to act for them. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp, text } from "../schema/Text.ts"
import { SiteId } from "../sites/Site.ts"
import { TokenPermission, tokenPermissions } from "../tokens/TokenPermission.ts"

/** The id of an authorization of a program. It is the id of the API token that represents it. */
export const AuthorizedProgramId = idSchema("The id of an authorization of a program.").pipe(
  Schema.brand("AuthorizedProgramId")
)

/** The id of an authorization of a program. */
export type AuthorizedProgramId = string & Brand.Brand<"AuthorizedProgramId">

/** A program of others that acts for the caller. */
export class AuthorizedProgram extends resource<AuthorizedProgram>()(
  Schema.Struct({
    /** The kind of this object. */
    object: Schema.Literal("authorized-program"),
    /** The id of the authorization. A program that was authorized several times has several. */
    id: AuthorizedProgramId,
    /** The name that the program has registered with, and the host that it returns to. Lectern has not verified the name. */
    name: Schema.String,
    /** The id with which the program is registered. */
    program: Schema.String,
    /** The permissions of the program, which are limited by the permissions of the caller. */
    permissions: Schema.Array(Schema.String),
    /** The organization that the program is limited to. Absent if it acts in all organizations of the caller. */
    organization: Schema.optionalKey(OrganizationId),
    /** The site that the program is limited to. Absent if it is not limited to one. */
    site: Schema.optionalKey(SiteId),
    /** When the caller has authorized the program. */
    createdAt: Timestamp,
    /** When the authorization ends. */
    expiresAt: Timestamp,
    /** When the program was last active, to the minute. Absent if it never was. */
    lastUsedAt: Schema.optionalKey(Timestamp)
  }).annotate({
    identifier: "AuthorizedProgram",
    description: "A program of others that acts for the caller."
  })
) {}

/** The authorization of a program by a person. */
export class AuthorizeProgram extends resource<AuthorizeProgram>()(
  Schema.Struct({
    /** The id with which the program is registered. */
    program: text({ min: 1, max: 200 }),
    /** The name of the program with the host that it returns to. */
    name: text({ min: 1, max: 200 }),
    /** The permissions that it receives. */
    permissions: Schema.Array(TokenPermission).check(
      Schema.isMinLength(1, { message: "must be at least 1 permission" }),
      Schema.isMaxLength(tokenPermissions.length, {
        message: `must be at most ${tokenPermissions.length} permissions`
      })
    ),
    /** The site that it is limited to, with its organization; not limited by default. */
    site: Schema.optionalKey(Schema.Struct({ organization: OrganizationId, site: SiteId }))
  })
) {}
