/** An organization: the tenant that owns content and has members. */
import { Schema } from "effect"
import { RoleOrGuest } from "../access/Role.ts"
import * as Id from "../shared/Id.ts"
import { Timestamp, text, trimmed } from "../shared/Text.ts"
import { Table } from "../storage/index.ts"

export const OrganizationId = Id.schema("The id of an organization.").pipe(Schema.brand("OrganizationId"))
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
export const DefaultContent = Schema.Struct({ type: Schema.Literal("site"), site: Schema.String })

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

/** Where organizations are kept. */
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
    inviteLinks: Table.boolean()
  },
  key: ["id"],
  unique: [["hostname"]]
})
export type OrganizationRow = Table.Row<typeof organizations>

/** A row as a resource, for one caller. */
export const present = (
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
