/** An organization: the tenant that owns content and has members. */
import { Schema, SchemaTransformation } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { documented, Timestamp, text, trimmed } from "../../kernel/schema/Text.ts"
import { Url } from "../../kernel/schema/Url.ts"
import { Table } from "../../kernel/storage/index.ts"
import { RoleOrGuest } from "../roles/Role.ts"

export const OrganizationId = idSchema("The id of an organization.").pipe(Schema.brand("OrganizationId"))
export type OrganizationId = typeof OrganizationId.Type

/** What kind of an organization it is. */
export const OrganizationType = Schema.Literals(["business", "community"])

/** What the organization is for. */
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

/** What kind of a community it is. */
export const CommunityType = Schema.Literals(["nonProfit", "openSource", "education"])

/** What members of an organization are shown first: a site. */
export const DefaultContent = Schema.Struct({
  type: Schema.Literal("site"),
  site: idSchema("The id of a site.")
})

/** What the caller may do with the organization. */
export const OrganizationPermissions = Schema.Struct({
  view: Schema.Boolean,
  admin: Schema.Boolean,
  ownTeam: Schema.Boolean,
  createContent: Schema.Boolean,
  createOpenAPISpec: Schema.Boolean,
  ingestConversations: Schema.Boolean,
  viewBilling: Schema.Boolean,
  listMembers: Schema.Boolean,
  listTeams: Schema.Boolean,
  listIntegrations: Schema.Boolean,
  listInstallations: Schema.Boolean,
  installIntegration: Schema.Boolean
})

/** An organization, as the specification shows one. */
export const Organization = Schema.Struct({
  object: Schema.Literal("organization"),
  id: OrganizationId,
  title: text({ min: 2, max: 255 }),
  createdAt: Timestamp,
  emailDomains: Schema.Array(Schema.String),
  hostname: Schema.optionalKey(text({ min: 3, max: 32 })),
  type: OrganizationType,
  useCase: Schema.optionalKey(UseCase),
  communityType: Schema.optionalKey(CommunityType),
  defaultRole: Schema.optionalKey(RoleOrGuest),
  defaultContent: Schema.optionalKey(DefaultContent),
  sso: Schema.optionalKey(Schema.Boolean),
  ai: Schema.optionalKey(Schema.Boolean),
  inviteLinks: Schema.Boolean,
  plan: Schema.String,
  urls: Schema.Struct({
    location: Schema.String,
    app: Schema.String,
    logo: Schema.optionalKey(Schema.String)
  }),
  trial: Schema.Struct({ status: Schema.Literal("notapplicable") }),
  mergeRules: Schema.Struct({ type: Schema.Literal("none") }),
  internal_isOnNewTrial: Schema.Literal(true),
  permissions: OrganizationPermissions
}).annotate({ identifier: "Organization", description: "The tenant that owns content and has members." })
export type Organization = typeof Organization.Type

/** What an organization is made from. */
export const CreateOrganization = Schema.Struct({ title: trimmed({ min: 2, max: 255 }) })
export type CreateOrganization = typeof CreateOrganization.Type

/** A name on the web: labels of letters, digits and hyphens, joined by dots, at most 253 characters; in lower case. */
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

/** How many e-mail domains an organization can have. */
const maximumDomains = 100

/** What can be changed of an organization. What is left out stays; null takes away. */
export const UpdateOrganization = Schema.Struct({
  title: Schema.optionalKey(CreateOrganization.fields.title),
  /** The domains whose users find the organization by their address. */
  emailDomains: Schema.optionalKey(
    Schema.Array(Domain).check(
      Schema.isMaxLength(maximumDomains, { message: `must be at most ${maximumDomains} domains` })
    )
  ),
  /** The first part of the addresses of public content: 3 to 32 letters, digits and hyphens, in lower case. */
  hostname: Schema.optionalKey(
    text({ min: 3, max: 32 }).check(
      Schema.isPattern(/^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/u, {
        message: "must be 3 to 32 lower-case letters, digits and hyphens, without a hyphen at its ends"
      })
    )
  ),
  /** The role of members that nobody gave another. */
  defaultRole: Schema.optionalKey(RoleOrGuest),
  defaultContent: Schema.optionalKey(Schema.NullOr(DefaultContent)),
  /** The address of an image. */
  logo: Schema.optionalKey(Schema.NullOr(Url)),
  /** Whether members have to come by single sign-on. */
  sso: Schema.optionalKey(Schema.Boolean),
  ai: Schema.optionalKey(Schema.Boolean),
  /** Whether invite links work. */
  inviteLinks: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "UpdateOrganization" })
export type UpdateOrganization = typeof UpdateOrganization.Type

/** Where organizations are kept. `visitorKey` is what the claims of members are signed with, where they are. */
export const organizations = Table.make("organizations", {
  columns: {
    id: Table.text<OrganizationId>(),
    title: Table.text(),
    createdAt: Table.text(),
    type: Table.text<typeof OrganizationType.Type>(),
    useCase: Table.nullable(Table.text<typeof UseCase.Type>()),
    communityType: Table.nullable(Table.text<typeof CommunityType.Type>()),
    emailDomains: Table.json<ReadonlyArray<string>>(),
    hostname: Table.nullable(Table.text()),
    defaultRole: Table.nullable(Table.text<NonNullable<RoleOrGuest>>()),
    defaultContent: Table.nullable(Table.json<typeof DefaultContent.Type>()),
    logo: Table.nullable(Table.text()),
    sso: Table.boolean(),
    ai: Table.boolean(),
    inviteLinks: Table.boolean(),
    visitorKey: Table.nullable(Table.text())
  },
  key: ["id"],
  unique: [["hostname"]]
})
export type OrganizationRow = Table.Row<typeof organizations>

/** Where the e-mail domains of organizations are kept once more, so that they are found by them. */
export const emailDomains = Table.make("emailDomains", {
  columns: { organization: Table.text<OrganizationId>(), domain: Table.text() },
  key: ["organization", "domain"],
  references: { organization: { table: () => organizations, onRemove: "cascade" } },
  indexes: [["domain", "organization"]]
})

/** A row as a resource, for one caller. */
export const presentOrganization = (
  base: string,
  row: OrganizationRow,
  permissions: typeof OrganizationPermissions.Type
): Organization => ({
  object: "organization",
  id: row.id,
  title: row.title,
  createdAt: row.createdAt,
  emailDomains: row.emailDomains,
  ...(row.hostname === null ? {} : { hostname: row.hostname }),
  type: row.type,
  ...(row.useCase === null ? {} : { useCase: row.useCase }),
  ...(row.communityType === null ? {} : { communityType: row.communityType }),
  defaultRole: row.defaultRole,
  ...(row.defaultContent === null ? {} : { defaultContent: row.defaultContent }),
  sso: row.sso,
  ai: row.ai,
  inviteLinks: row.inviteLinks,
  plan: "free_2024",
  urls: {
    location: `${base}/v1/orgs/${row.id}`,
    app: `${base}/o/${row.id}`,
    ...(row.logo === null ? {} : { logo: row.logo })
  },
  trial: { status: "notapplicable" },
  mergeRules: { type: "none" },
  internal_isOnNewTrial: true,
  permissions
})
