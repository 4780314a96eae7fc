/** Integrations: what extends a workspace, published under names that are one for all organizations (decision D14). */
import { Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { mapOf } from "../../kernel/schema/MapOf.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { text, trimmed } from "../../kernel/schema/Text.ts"
import { Url } from "../../kernel/schema/Url.ts"
import { Table } from "../../kernel/storage/index.ts"
import { Organization, OrganizationId, organizations } from "../organizations/Organization.ts"

/** What names and domains are written in. */
const wireName = Schema.isPattern(/^[a-zA-Z0-9\-_.]+$/u, {
  message: "must be 1 to 100 letters, digits, and the characters - _ ."
})

/** The name of an integration: 1 to 100 letters, digits and the characters - _ . */
export const IntegrationName = text({ min: 1, max: 100 })
  .check(wireName)
  .pipe(Schema.brand("IntegrationName"))
export type IntegrationName = typeof IntegrationName.Type

/** Who finds an integration: everybody, everybody who knows its name, or its owner. */
export const IntegrationVisibility = Schema.Literals(["public", "private", "unlisted"])

/** What it can be installed on. */
export const IntegrationTarget = Schema.Literals(["all", "site", "space", "organization"])

export const IntegrationCategory = Schema.Literals([
  "analytics",
  "collaboration",
  "content",
  "gitsync",
  "marketing",
  "visitor-auth",
  "other"
])

/** What it is allowed to do. */
export const IntegrationScope = Schema.Literals([
  "space:content:read",
  "space:content:write",
  "space:metadata:read",
  "space:metadata:write",
  "space:git:sync",
  "space:views:read",
  "page:feedback:read",
  "site:metadata:read",
  "site:views:read",
  "site:script:inject",
  "site:script:cookies",
  "site:visitor:auth",
  "site:adaptive:read",
  "site:adaptive:write",
  "openapi:read",
  "openapi:write",
  "conversations:ingest"
])

const atMost = <S extends Schema.Top>(item: S, max: number) =>
  Schema.Array(item).check(Schema.isMaxLength(max, { message: `must be at most ${max}` }))

const name = text({ min: 1, max: 100 })

/** A block that the integration adds to documents. */
const Block = Schema.Struct({
  id: name,
  title: text({ min: 2, max: 40 }),
  description: Schema.optionalKey(text({ max: 150 })),
  icon: Schema.optionalKey(text({ max: 2048 })),
  urlUnfurl: Schema.optionalKey(atMost(text({ max: 2048 }), 100)),
  markdown: Schema.optionalKey(Schema.Struct({ codeblock: name, body: name }))
})

/** A source of content that the integration offers. */
const ContentSource = Schema.Struct({
  id: name,
  title: text({ min: 2, max: 40 }),
  description: Schema.optionalKey(text({ max: 150 })),
  icon: Schema.optionalKey(text({ max: 2048 })),
  configuration: Schema.Struct({ componentId: name })
})

const Property = Schema.Struct({
  title: Schema.optionalKey(text({ max: 100 })),
  description: Schema.optionalKey(text({ max: 1_000 })),
  type: Schema.Literals(["string", "number", "boolean", "button"]),
  default: Schema.optionalKey(Schema.Union([text({ max: 10_000 }), Schema.Finite, Schema.Boolean])),
  completion_url: Schema.optionalKey(text({ max: 2048 })),
  callback_url: Schema.optionalKey(text({ max: 2048 })),
  button_text: Schema.optionalKey(text({ max: 100 })),
  enum: Schema.optionalKey(atMost(text({ max: 1_000 }), 100))
})

/** What has to be said where the integration is installed: properties, or a component that asks. */
const Configuration = Schema.Union([
  Schema.Struct({ componentId: name }),
  Schema.Struct({
    properties: mapOf(Property, { min: 1, max: 100, most: 100, called: "properties" }),
    required: Schema.optionalKey(atMost(name, 100))
  })
])
export type Configuration = typeof Configuration.Type

const Configurations = Schema.Struct({
  account: Schema.optionalKey(Configuration),
  space: Schema.optionalKey(Configuration),
  site: Schema.optionalKey(Configuration)
})

const ContentSecurityPolicy = Schema.Union([
  text({ max: 10_000 }),
  mapOf(text({ max: 10_000 }), { max: 100, most: 50, called: "directives" })
])

/** What its maker says of an integration, as it is shown too. */
const manifest = {
  title: trimmed({ min: 2, max: 30 }),
  description: Schema.optionalKey(text({ max: 100 })),
  summary: Schema.optionalKey(text({ max: 2048 })),
  target: IntegrationTarget,
  visibility: IntegrationVisibility,
  scopes: atMost(IntegrationScope, 100),
  categories: atMost(IntegrationCategory, 100),
  blocks: Schema.optionalKey(atMost(Block, 100)),
  contentSources: Schema.optionalKey(atMost(ContentSource, 100)),
  configurations: Schema.optionalKey(Configurations),
  externalLinks: atMost(Schema.Struct({ url: Url, label: text({ max: 100 }) }), 5),
  contentSecurityPolicy: Schema.optionalKey(ContentSecurityPolicy)
}
const Manifest = Schema.Struct(manifest)
export type Manifest = typeof Manifest.Type

/** An integration, as the specification shows one. Neither its script nor its secrets are in it. */
export const Integration = Schema.Struct({
  object: Schema.Literal("integration"),
  name: IntegrationName,
  version: Schema.Int,
  ...manifest,
  previewImages: Schema.Array(Schema.String),
  verified: Schema.Boolean,
  owner: Organization,
  urls: Schema.Struct({
    location: Schema.String,
    icon: Schema.optionalKey(Schema.String),
    app: Schema.String,
    assets: Schema.String,
    publicEndpoint: Schema.String
  }),
  permissions: Schema.Struct({ admin: Schema.Boolean, install: Schema.Boolean })
}).annotate({ identifier: "Integration", description: "What extends a workspace." })
export type Integration = typeof Integration.Type

/** The longest image, in characters of base64: 1 MiB of bytes. */
const longestImage = Math.ceil((1024 * 1024) / 3) * 4

const Image = Schema.String.check(
  Schema.isMaxLength(longestImage, { message: "must be at most 1 MiB" }),
  Schema.isPattern(/^[A-Za-z0-9+/]+={0,2}$/u, { message: "must be base64" })
)

/** Publishes an integration, or its next version. */
export const PublishIntegration = Schema.Struct({
  ...manifest,
  description: text({ max: 100 }),
  target: Schema.optionalKey(manifest.target),
  visibility: Schema.optionalKey(manifest.visibility),
  categories: Schema.optionalKey(manifest.categories),
  externalLinks: Schema.optionalKey(manifest.externalLinks),
  runtime: Schema.optionalKey(Schema.Literals(["v1", "v2"])),
  /** An image, in base64. */
  icon: Schema.optionalKey(Image),
  previewImages: Schema.optionalKey(atMost(Image, 3)),
  script: text({ min: 1, max: 5_000_000 }),
  /** The organization that owns it, by its id or its hostname. */
  organization: idSchema("The id of an organization, or its hostname."),
  secrets: Schema.optionalKey(mapOf(text({ max: 10_000 }), { min: 1, max: 100, most: 20, called: "secrets" }))
}).annotate({ identifier: "PublishIntegration" })
export type PublishIntegration = typeof PublishIntegration.Type

/** What a list of integrations asks for. All of it has to hold. */
export const ListIntegrations = Schema.Struct({
  ...PageQuery.fields,
  /** Those whose name or title has this in it, in whatever case. */
  search: Schema.optionalKey(text({ max: 255 })),
  category: Schema.optionalKey(IntegrationCategory),
  /** Those with a block that takes addresses of this domain. */
  blockDomain: Schema.optionalKey(text({ min: 1, max: 100 }).check(wireName)),
  /** Those with blocks, or those without. */
  blocks: Schema.optionalKey(Schema.Boolean),
  /** Those with sources of content, or those without. */
  contentSources: Schema.optionalKey(Schema.Boolean),
  owner: Schema.optionalKey(OrganizationId),
  scope: Schema.optionalKey(IntegrationScope)
})
export type ListIntegrations = typeof ListIntegrations.Type

/** Where integrations are kept. What lists are filtered by is beside the manifest; sets are lines of text. */
export const integrations = Table.make("integrations", {
  columns: {
    id: Table.text(),
    name: Table.text<IntegrationName>(),
    organization: Table.text<OrganizationId>(),
    version: Table.integer(),
    runtime: Table.text<"v1" | "v2">(),
    visibility: Table.text<typeof IntegrationVisibility.Type>(),
    manifest: Table.json<Manifest>(),
    folded: Table.text(),
    categories: Table.text(),
    scopes: Table.text(),
    blockDomains: Table.text(),
    hasBlocks: Table.boolean(),
    hasContentSources: Table.boolean(),
    icon: Table.nullable(Table.text()),
    previewImages: Table.json<ReadonlyArray<string>>(),
    /** Encrypted, by their names. */
    secrets: Table.json<{ readonly [name: string]: string }>(),
    createdAt: Table.text(),
    updatedAt: Table.text()
  },
  key: ["id"],
  unique: [["name"]],
  references: { organization: { table: () => organizations, onRemove: "cascade" } },
  indexes: [
    ["organization", "id"],
    ["visibility", "id"]
  ]
})
export type IntegrationRow = Table.Row<typeof integrations>

/** Where the images and the script of integrations are kept, by their digests. */
export const integrationAssets = Table.make("integrationAssets", {
  columns: {
    integration: Table.text(),
    hash: Table.text(),
    kind: Table.text<"image" | "script">(),
    contentType: Table.text(),
    bytes: Table.bytes()
  },
  key: ["integration", "hash"],
  references: { integration: { table: () => integrations, onRemove: "cascade" } }
})
