/** API tokens: the credentials of programs that act as a user. */
import type * as Brand from "effect/Brand"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { InstallationId } from "../integrations/Installation.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { idSchema } from "../schema/Id.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { rejecting } from "../schema/rejectedFields.ts"
import { resource } from "../schema/resource.ts"
import { secretOf } from "../schema/secretOf.ts"
import { IsoDateTime, Timestamp, trimmed } from "../schema/Text.ts"
import { IdentityProviderId } from "../sessions/IdentityProvider.ts"
import { SiteId } from "../sites/Site.ts"
import { UserId } from "../users/User.ts"
import { TokenPermission } from "./TokenPermission.ts"

/** The id of an API token. */
export const ApiTokenId = idSchema("The id of an API token.").pipe(Schema.brand("ApiTokenId"))

/** The id of an API token. */
export type ApiTokenId = string & Brand.Brand<"ApiTokenId">

/** An API token, without its secret. */
export class ApiToken extends resource<ApiToken>()(
  Schema.Struct({
    /** The kind of this object. */
    object: Schema.Literal("api-token"),
    /** The id of the token. */
    id: ApiTokenId,
    /** The id of the user whom the token authenticates. */
    user: UserId,
    /** The purpose of the token. */
    label: Schema.String,
    /** The organization that the token is limited to. Absent if it opens all organizations of the user. */
    organization: Schema.optionalKey(OrganizationId),
    /** The site that the token is limited to. Absent if it is not limited to one. */
    site: Schema.optionalKey(SiteId),
    /** Whether the token is limited to operations that change nothing. */
    readOnly: Schema.Boolean,
    /** The permissions that the token is limited to. Absent if it has all permissions of the user. */
    permissions: Schema.optionalKey(Schema.Array(Schema.String)),
    /** The SAML or OpenID Connect provider whose login issued the token. Absent for other tokens. The token ends with the provider. */
    samlProvider: Schema.optionalKey(IdentityProviderId),
    /** When the token was created. */
    createdAt: Timestamp,
    /** When the token expires. Absent if it does not expire. */
    expiresAt: Schema.optionalKey(Timestamp),
    /** Whether a rotation starts the lifetime of the token again. */
    renewable: Schema.Boolean,
    /** When the secret was last replaced. Absent if it never was. */
    rotatedAt: Schema.optionalKey(Timestamp),
    /** Until when the former secret is valid too. Absent if it is not valid. */
    formerSecretExpiresAt: Schema.optionalKey(Timestamp),
    /** When the token was last used, to the minute. Absent if it was never used. */
    lastUsedAt: Schema.optionalKey(Timestamp),
    /** When the token was revoked. Absent if it was not revoked. */
    revokedAt: Schema.optionalKey(Timestamp),
    /** URLs of the token. */
    urls: Schema.Struct({
      /** The URL of the token in this API. */
      location: Schema.String
    })
  }).annotate({ identifier: "ApiToken", description: "A credential of programs that act as a user." })
) {}

/** A new API token, with its secret. */
export interface CreatedApiToken {
  /** The token. */
  readonly token: ApiToken
  /** The secret that authenticates the user. Only its digest is stored, so it cannot be read again. */
  readonly secret: Redacted.Redacted<string>
}

/** A new API token with its secret, as the API returns it. */
export class ApiTokenWithSecret extends resource<ApiTokenWithSecret>()(
  Schema.Struct({
    ...ApiToken.fields,
    /** The secret for the header `Authorization: Bearer`. Only its digest is stored, so it cannot be read again. */
    secret: Schema.String
  }).annotate({ identifier: "ApiTokenWithSecret" })
) {}

/** An API token that opens an organization, as the administrators of the organization see it. */
export class OrganizationToken extends resource<OrganizationToken>()(
  Schema.Struct({
    /** The kind of this object. */
    object: Schema.Literal("organization-token"),
    /** The id of the token. */
    id: ApiTokenId,
    /** The user whom the token authenticates. */
    user: UserId,
    /** Whether the token opens other organizations as well. Then its label and its last use are not shown. */
    unlimited: Schema.Boolean,
    /** The purpose of the token. Absent if the token opens other organizations as well. */
    label: Schema.optionalKey(Schema.String),
    /** The site that the token is limited to. Absent if it is not limited to one. */
    site: ApiToken.fields.site,
    /** Whether the token is limited to operations that change nothing. */
    readOnly: ApiToken.fields.readOnly,
    /** The permissions that the token is limited to. Absent if it has all permissions of the user. */
    permissions: ApiToken.fields.permissions,
    /** Whether a rotation starts the lifetime of the token again. */
    renewable: ApiToken.fields.renewable,
    /** The installation of an integration that acts with the token. Absent for tokens of users. */
    installation: Schema.optionalKey(InstallationId),
    /** The id of the program of others that acts with the token. Absent for other tokens. */
    program: Schema.optionalKey(Schema.String),
    /** The SAML or OpenID Connect provider whose login issued the token. Absent for other tokens. */
    samlProvider: ApiToken.fields.samlProvider,
    /** When the token was created. */
    createdAt: Timestamp,
    /** When the token expires. Absent if it does not expire. */
    expiresAt: ApiToken.fields.expiresAt,
    /** When the token was last used. Absent if it was never used, or opens other organizations as well. */
    lastUsedAt: ApiToken.fields.lastUsedAt
  }).annotate({ identifier: "OrganizationToken" })
) {}

const label = trimmed({ min: 1, max: 100 })

/** The maximum number of permissions in an input. */
const maximumPermissions = 100

const Permissions = Schema.Array(TokenPermission).check(
  Schema.isMinLength(1, { message: "must be at least 1 permission" }),
  Schema.isMaxLength(maximumPermissions, { message: `must be at most ${maximumPermissions} permissions` })
)

/** The fields of a new API token, for the operator. */
export class CreateApiToken extends resource<CreateApiToken>()(
  Schema.Struct({
    /** The user whom the token authenticates. */
    user: UserId,
    /** The organization that the token is limited to; all organizations of the user by default. */
    organization: Schema.optionalKey(OrganizationId),
    /** The site of the organization that the token is limited to; none by default. */
    site: Schema.optionalKey(SiteId),
    /** Whether the token is limited to operations that change nothing; false by default. */
    readOnly: Schema.optionalKey(Schema.Boolean),
    /** The permissions that the token is limited to; all permissions of the user by default. */
    permissions: Schema.optionalKey(Permissions),
    /** The purpose of the token, 1 to 100 characters. Leading and trailing whitespace is removed. */
    label,
    /** When the token expires; never by default. */
    expiresAt: Schema.optionalKey(IsoDateTime),
    /** Whether a rotation starts the lifetime of the token again, which requires an expiry; false by default. */
    renewable: Schema.optionalKey(Schema.Boolean),
    /** The secret, at least 32 characters; a generated one by default. */
    secret: Schema.optionalKey(
      secretOf(Schema.String.check(Schema.isMinLength(32, { message: "must have at least 32 characters" })))
    )
  })
) {}

/** The fields of a new API token of the caller. */
export class CreateOwnToken extends resource<CreateOwnToken>()(
  Schema.Struct({
    /** The purpose of the token, 1 to 100 characters. Leading and trailing whitespace is removed. */
    label,
    /** The organization that the token is limited to. By default, all organizations that the caller's token opens. */
    organization: Schema.optionalKey(OrganizationId),
    /** The site of the organization that the token is limited to, with the spaces on it. Not limited by default. */
    site: Schema.optionalKey(SiteId),
    /** Whether the token is limited to operations that change nothing; false by default. */
    readOnly: Schema.optionalKey(Schema.Boolean),
    /** The permissions that the token is limited to, 1 to 100; all permissions of the caller by default. */
    permissions: Schema.optionalKey(Permissions),
    /**
     * When the token expires; null for a token that does not expire. By default, it expires after the lifetime that the
     * server is configured with: 90 days unless it is set. The server can limit the lifetime.
     */
    expiresAt: Schema.optionalKey(Schema.NullOr(IsoDateTime)),
    /**
     * Whether a rotation starts the lifetime of the token again; false by default. A token that does not expire, or that another
     * token or a single sign-on login creates that expires, cannot be renewable.
     */
    renewable: Schema.optionalKey(Schema.Boolean)
  }).annotate({ identifier: "CreateApiToken" })
) {}

/** The limits of a token, which clients rely on, do not change after its creation. */
const fixedLimit = { message: "cannot be changed. Create another token, and revoke this one" }

/** The fields to update on an API token. Fields that are absent keep their values. */
export class UpdateOwnToken extends resource<UpdateOwnToken>()(
  Schema.Struct({
    /** The purpose of the token, 1 to 100 characters. Leading and trailing whitespace is removed. */
    label: Schema.optionalKey(label)
  }).annotate({
    identifier: "UpdateApiToken",
    ...rejecting({
      organization: fixedLimit,
      site: fixedLimit,
      readOnly: fixedLimit,
      permissions: fixedLimit,
      expiresAt: fixedLimit,
      renewable: fixedLimit
    })
  })
) {}

/** How the former secret ends when a token is rotated. */
export class RotateOwnToken extends resource<RotateOwnToken>()(
  Schema.Struct({
    /** How long the former secret remains valid, in hours: 0 to 168. 0 by default, which ends it immediately. */
    formerSecretHours: Schema.optionalKey(
      Schema.Int.check(
        Schema.isBetween({ minimum: 0, maximum: 168 }, { message: "must be a whole number from 0 to 168" })
      )
    )
  }).annotate({ identifier: "RotateApiToken" })
) {}

/** The filter and the page of a list of the tokens that open an organization. */
export class ListOrganizationTokens extends resource<ListOrganizationTokens>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** Only tokens of this user. */
    user: Schema.optionalKey(UserId)
  })
) {}
