/** What a site has beside its structure: its looks, what it knows of visitors, and the key of their tokens. */
import { Schema } from "effect"
import { Url } from "../../kernel/schema/Url.ts"
import { Table } from "../../kernel/storage/index.ts"
import type { AdaptiveJsonSchema } from "./AdaptiveSchema.ts"
import { Customization } from "./Customization.ts"
import { Site, type SiteId, sites } from "./Site.ts"
import { SiteStructure } from "./SiteStructure.ts"

/** How visitors of a site show who they are: by tokens that somebody's own back end signs with the private key. */
export const PublishingAuth = Schema.Struct({
  object: Schema.Literal("publishing-auth"),
  backend: Schema.Literal("custom"),
  privateKey: Schema.String.annotate({
    description: "What tokens are signed with (HS256): its bytes, in UTF-8."
  }),
  fallbackURL: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "PublishingAuth" })
export type PublishingAuth = typeof PublishingAuth.Type

/** What can be changed of it. A null address is taken away. */
export const UpdatePublishingAuth = Schema.Struct({
  backend: Schema.optionalKey(Schema.Literal("custom")),
  /** Where visitors are sent whose token is not good. */
  fallbackURL: Schema.optionalKey(Schema.NullOr(Url))
}).annotate({ identifier: "UpdatePublishingAuth" })

/** A site as visitors are shown it. */
export const PublishedSite = Schema.Struct({
  object: Schema.Literal("published-content-site"),
  site: Site,
  structure: SiteStructure,
  customizations: Schema.Struct({
    site: Customization,
    siteSpaces: Schema.Record(Schema.String, Customization)
  }),
  scripts: Schema.Array(Schema.String)
}).annotate({ identifier: "PublishedSite" })
export type PublishedSite = typeof PublishedSite.Type

/** Where the settings of sites are kept: a row for each. */
export const siteSettings = Table.make("siteSettings", {
  columns: {
    site: Table.text<SiteId>(),
    customization: Table.nullable(Table.json<Customization>()),
    adaptiveSchema: Table.nullable(
      Table.json<{ readonly jsonSchema: AdaptiveJsonSchema; readonly updatedAt: string }>()
    ),
    privateKey: Table.text(),
    fallbackURL: Table.nullable(Table.text())
  },
  key: ["site"],
  references: { site: { table: () => sites, onRemove: "cascade" } }
})
export type SiteSettingsRow = Table.Row<typeof siteSettings>
