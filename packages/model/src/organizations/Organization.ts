/** Organizations: the tenants that own content and have members. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { StandaloneMergeRules } from "../merge-rules/MergeRules.ts"
import { RoleOrGuest } from "../roles/Role.ts"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { documented, Timestamp, text, trimmed } from "../schema/Text.ts"
import { Url } from "../schema/Url.ts"

/** The id of an organization. */
export const OrganizationId = idSchema("The id of an organization.").pipe(Schema.brand("OrganizationId"))

/** The id of an organization. */
export type OrganizationId = string & Brand.Brand<"OrganizationId">

/** The type of an organization. */
export const OrganizationType = Schema.Literals(["business", "community"])

/** The purpose of an organization. */
export const UseCase = Schema.Literals([
  "internalDocs",
  "docsSite",
  "audienceControlledSite",
  "productDocs",
  "teamKnowledgeBase",
  "designSystem",
  "openSourceDocs",
  "notes",
  "other"
])

/** The type of a community organization. */
export const CommunityType = Schema.Literals(["nonProfit", "openSource", "education"])

/** The content that members of an organization see first: a site. */
export class DefaultContent extends resource<DefaultContent>()(
  Schema.Struct({
    /** The type of the content. */
    type: Schema.Literal("site"),
    /** The id of a site of the organization. */
    site: idSchema("The id of a site.")
  })
) {}

/** The permissions of the caller in the organization. */
export class OrganizationPermissions extends resource<OrganizationPermissions>()(
  Schema.Struct({
    /** Whether the caller can view the organization. */
    view: Schema.Boolean,
    /** Whether the caller can view the organization in the application. */
    access: Schema.Boolean,
    /** Whether the caller can administer the organization. */
    admin: Schema.Boolean,
    /** Whether the caller owns a team of the organization. */
    ownTeam: Schema.Boolean,
    /** Whether the caller can create spaces, collections and sites. */
    createContent: Schema.Boolean,
    /** Whether the caller can create OpenAPI specifications. */
    createOpenAPISpec: Schema.Boolean,
    /** Whether the caller can ingest conversations. */
    ingestConversations: Schema.Boolean,
    /** Whether the caller can view billing information. */
    viewBilling: Schema.Boolean,
    /** Whether the caller can list the members. */
    listMembers: Schema.Boolean,
    /** Whether the caller can list the teams. */
    listTeams: Schema.Boolean,
    /** Whether the caller can list the integrations. */
    listIntegrations: Schema.Boolean,
    /** Whether the caller can list the installations of integrations. */
    listInstallations: Schema.Boolean,
    /** Whether the caller can install integrations. */
    installIntegration: Schema.Boolean
  })
) {}

/** An organization: the tenant that owns content and has members. */
export class Organization extends resource<Organization>()(
  Schema.Struct({
    /** The kind of this object. */
    object: Schema.Literal("organization"),
    /** The id of the organization. */
    id: OrganizationId,
    /** The name of the organization, 2 to 255 characters. */
    title: text({ min: 2, max: 255 }),
    /** When the organization was created. */
    createdAt: Timestamp,
    /** The e-mail domains whose users find the organization by their address. */
    emailDomains: Schema.Array(Schema.String),
    /** The first part of the URLs of public content, 3 to 32 characters; absent when none is set. */
    hostname: Schema.optionalKey(text({ min: 3, max: 32 })),
    /** The type of the organization. */
    type: OrganizationType,
    /** The purpose of the organization; absent when none is set. */
    useCase: Schema.optionalKey(UseCase),
    /** The type of the community; absent when none is set. */
    communityType: Schema.optionalKey(CommunityType),
    /** The role of new members whose invitation names none; null for guests. */
    defaultRole: Schema.optionalKey(RoleOrGuest),
    /** The content that members see first; absent when none is set. */
    defaultContent: Schema.optionalKey(DefaultContent),
    /** Whether members must log in by single sign-on. */
    sso: Schema.optionalKey(Schema.Boolean),
    /** Whether members must prove a second factor: a passkey or a recovery code. */
    secondFactor: Schema.optionalKey(Schema.Boolean),
    /** Whether AI features are enabled. */
    ai: Schema.optionalKey(Schema.Boolean),
    /** Whether users can join by invite links. */
    inviteLinks: Schema.Boolean,
    /** Whether users whose address is in one of the e-mail domains can join, once they have proved the address. */
    domainJoin: Schema.Boolean,
    /** The plan of the organization; always `free_2024`. */
    plan: Schema.String,
    /** URLs of the organization. */
    urls: Schema.Struct({
      /** The URL of the organization in this API. */
      location: Schema.String,
      /** The URL of the organization in the app. */
      app: Schema.String,
      /** The URL of the logo. Absent if it is not set. */
      logo: Schema.optionalKey(Schema.String)
    }),
    /** The trial of the organization. */
    trial: Schema.Struct({
      /** The state of the trial: always `notapplicable`. */
      status: Schema.Literal("notapplicable"),
      /** The number of trials of the organization: always 0. */
      count: Schema.Int
    }),
    /** The rules for merging change requests, which spaces inherit: none by default. */
    mergeRules: StandaloneMergeRules,
    /** Whether the organization uses the current trial model; always true. */
    internal_isOnNewTrial: Schema.Literal(true),
    /** The permissions of the caller in the organization. */
    permissions: OrganizationPermissions
  }).annotate({ identifier: "Organization", description: "The tenant that owns content and has members." })
) {}

/** The organizations of an e-mail domain. */
export class OrganizationsOfDomain extends resource<OrganizationsOfDomain>()(
  Schema.Struct({
    /** The organizations that list the domain, at most 100. Empty when the caller's address is in another domain. */
    organizations: Schema.Array(Organization)
  }).annotate({ identifier: "OrganizationsOfDomain" })
) {}

/** The fields of a new organization. */
export class CreateOrganization extends resource<CreateOrganization>()(
  Schema.Struct({
    /** The name of the organization, 2 to 255 characters. Leading and trailing whitespace is removed. */
    title: trimmed({ min: 2, max: 255 })
  })
) {}

/** A domain name of 4 to 253 characters: dot-separated labels of letters, digits and hyphens. Stored in lower case. */
export const Domain = Schema.String.check(documented({ minLength: 4, maxLength: 253 })).pipe(
  Schema.decodeTo(
    Schema.String.check(
      Schema.isPattern(/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/, {
        message: "must be a domain, as in example.com"
      })
    ),
    SchemaTransformation.composeTransformation(
      SchemaTransformation.trim(),
      SchemaTransformation.toLowerCase()
    )
  )
)

/** The maximum number of e-mail domains of an organization. */
const maximumDomains = 100

/** The fields to update on an organization. Fields that are absent keep their values; null removes a value. */
export class UpdateOrganization extends resource<UpdateOrganization>()(
  Schema.Struct({
    /** The name of the organization, 2 to 255 characters. Leading and trailing whitespace is removed. */
    title: Schema.optionalKey(CreateOrganization.fields.title),
    /** The e-mail domains whose users find the organization by their address, at most 100. */
    emailDomains: Schema.optionalKey(
      Schema.Array(Domain).check(
        Schema.isMaxLength(maximumDomains, { message: `must be at most ${maximumDomains} domains` })
      )
    ),
    /** The first part of the URLs of public content: 3 to 32 lower-case letters, digits and hyphens. Unique. */
    hostname: Schema.optionalKey(
      text({ min: 3, max: 32 }).check(
        Schema.isPattern(/^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/u, {
          message: "must be 3 to 32 lower-case letters, digits and hyphens, without a hyphen at its ends"
        })
      )
    ),
    /** The role of new members whose invitation names none; null for guests. */
    defaultRole: Schema.optionalKey(RoleOrGuest),
    /** The content that members see first, a site of the organization; null removes it. */
    defaultContent: Schema.optionalKey(Schema.NullOr(DefaultContent)),
    /** The URL of an image; null removes the logo. */
    logo: Schema.optionalKey(Schema.NullOr(Url)),
    /** Whether members must log in by single sign-on. Requires an administrator who does. */
    sso: Schema.optionalKey(Schema.Boolean),
    /**
     * Whether members must prove a second factor: their sessions by a passkey or a recovery code, and their API tokens by having a
     * passkey. Logins by an identity provider of the organization are exempt. Requires an administrator who has a passkey.
     */
    secondFactor: Schema.optionalKey(Schema.Boolean),
    /** Whether AI features are enabled. */
    ai: Schema.optionalKey(Schema.Boolean),
    /** Whether users can join by invite links. */
    inviteLinks: Schema.optionalKey(Schema.Boolean),
    /**
     * Whether users whose address is in one of the e-mail domains can join with the default role, once they have proved the
     * address. False by default.
     */
    domainJoin: Schema.optionalKey(Schema.Boolean),
    /** The rules for merging change requests, which spaces inherit. */
    mergeRules: Schema.optionalKey(StandaloneMergeRules)
  }).annotate({ identifier: "UpdateOrganization" })
) {}
