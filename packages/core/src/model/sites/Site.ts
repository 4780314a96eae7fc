/** A docs site: spaces, put together and published under one address (decision D10). */
import { Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { Timestamp, text, trimmed } from "../../kernel/schema/Text.ts"
import { Table } from "../../kernel/storage/index.ts"
import { type OrganizationId, organizations } from "../organizations/Organization.ts"
import { SpaceId } from "../spaces/Space.ts"

export const SiteId = idSchema("The id of a site.").pipe(Schema.brand("SiteId"))
export type SiteId = typeof SiteId.Type
export const SiteSectionId = idSchema("The id of a section of a site.").pipe(Schema.brand("SiteSectionId"))
export type SiteSectionId = typeof SiteSectionId.Type
export const SiteSpaceId = idSchema("The id of a space on a site.").pipe(Schema.brand("SiteSpaceId"))
export type SiteSpaceId = typeof SiteSpaceId.Type

/** What kind of a site it is. */
export const SiteType = Schema.Literals([
  "basic",
  "premium",
  "ultimate",
  "sponsored",
  "legacy-basic",
  "legacy-premium"
])

/** Who a published site is for: everybody, everybody but search engines, holders of a link, or of a token. */
export const SiteVisibility = Schema.Literals(["public", "unlisted", "share-link", "visitor-auth"])
export type SiteVisibility = typeof SiteVisibility.Type

/** Whether agents that answer questions may look at the site. */
export const AgentsContext = Schema.Literals(["excluded", "included"])

/** An image, for light and for dark surroundings. */
export const ThemedUrl = Schema.Struct({ light: Schema.String, dark: Schema.String })

/** The first segments of the address of a site, behind a host name: at most 512 characters, without a scheme. */
const proxyOrigin = text({ max: 512 }).check(
  Schema.isPattern(/^([\w-]+\.)*[\w-]+\.[a-zA-Z]{2,}(\/[\w-]+)+$/u, {
    message: "must be a host name with one path segment or more, without a scheme, as in company.com/docs"
  })
)

/** A part of an address: 1 to 100 characters that need no encoding. */
export const PathSegment = text({ min: 1, max: 100 }).check(
  Schema.isPattern(/^(?!\.{1,2}$)[\p{L}\p{M}\p{N}._~-]+$/u, {
    message: "must be letters, digits, and the characters . _ ~ -"
  })
)

/** A site, as the specification shows one. */
export const Site = Schema.Struct({
  object: Schema.Literal("site"),
  id: SiteId,
  type: SiteType,
  title: text({ min: 2, max: 128 }),
  icon: Schema.optionalKey(Schema.Struct({ icon: ThemedUrl })),
  basename: Schema.optionalKey(Schema.String),
  proxy: Schema.optionalKey(Schema.Struct({ origin: Schema.String, target: Schema.String })),
  visibility: SiteVisibility,
  published: Schema.Boolean,
  siteSpaces: Schema.Int.annotate({ description: "How many spaces are on it." }),
  createdAt: Timestamp,
  adaptiveContent: Schema.Struct({ enabled: Schema.Boolean }),
  ads: Schema.Struct({ status: Schema.Literal("pending"), submittable: Schema.Boolean }),
  agentsContext: AgentsContext,
  features: Schema.Array(Schema.Struct({ id: Schema.String, plan: SiteType, frozen: Schema.Boolean })),
  urls: Schema.Struct({
    location: Schema.String,
    app: Schema.String,
    published: Schema.optionalKey(Schema.String)
  })
}).annotate({ identifier: "Site", description: "Spaces, published under one address." })
export type Site = typeof Site.Type

const title = trimmed({ min: 2, max: 128 })

/** The most spaces that a site is made with. */
const maximumSpaces = 100

/** What a site is made from. `spaces` are those that are put on it; `new` makes one with the title of the site. */
export const CreateSite = Schema.Struct({
  type: Schema.optionalKey(SiteType),
  title: Schema.optionalKey(title),
  visibility: Schema.optionalKey(SiteVisibility),
  spaces: Schema.optionalKey(
    Schema.Union([
      Schema.Literal("new"),
      Schema.Array(SpaceId).check(
        Schema.isMaxLength(maximumSpaces, { message: `must be at most ${maximumSpaces} spaces` })
      )
    ])
  )
}).annotate({ identifier: "CreateSite" })
export type CreateSite = typeof CreateSite.Type

/** What can be changed of a site. What is left out stays; a null proxy is taken away. */
export const UpdateSite = Schema.Struct({
  title: Schema.optionalKey(title),
  visibility: Schema.optionalKey(SiteVisibility),
  /** The last part of the site's address. */
  basename: Schema.optionalKey(PathSegment),
  adaptiveContent: Schema.optionalKey(Schema.Struct({ enabled: Schema.Boolean })),
  agentsContext: Schema.optionalKey(AgentsContext),
  /** The default of the root, or of the default section where there are sections. */
  defaultSiteSpace: Schema.optionalKey(SiteSpaceId),
  defaultSiteSection: Schema.optionalKey(SiteSectionId),
  proxy: Schema.optionalKey(Schema.NullOr(proxyOrigin))
}).annotate({ identifier: "UpdateSite" })
export type UpdateSite = typeof UpdateSite.Type

/** What a list of sites asks for. */
export const ListSites = Schema.Struct({
  ...PageQuery.fields,
  /** Those that this space is on. */
  space: Schema.optionalKey(SpaceId),
  /** Those whose title has this in it, in whatever case. */
  title: Schema.optionalKey(text({ max: 255 })),
  published: Schema.optionalKey(Schema.Boolean)
})

/** Where sites are kept. */
export const sites = Table.make("sites", {
  columns: {
    id: Table.text<SiteId>(),
    organization: Table.text<OrganizationId>(),
    type: Table.text<typeof SiteType.Type>(),
    title: Table.text(),
    /** The title, as searches compare it. */
    folded: Table.text(),
    icon: Table.nullable(Table.json<{ readonly icon: typeof ThemedUrl.Type }>()),
    basename: Table.nullable(Table.text()),
    proxy: Table.nullable(Table.text()),
    visibility: Table.text<SiteVisibility>(),
    published: Table.boolean(),
    adaptive: Table.boolean(),
    agentsContext: Table.text<typeof AgentsContext.Type>(),
    defaultSection: Table.nullable(Table.text<SiteSectionId>()),
    /** The default of what is at the root. */
    defaultSiteSpace: Table.nullable(Table.text<SiteSpaceId>()),
    createdAt: Table.text()
  },
  key: ["id"],
  unique: [["organization", "basename"]],
  references: { organization: { table: () => organizations, onRemove: "cascade" } },
  indexes: [["organization", "id"]]
})
export type SiteRow = Table.Row<typeof sites>
