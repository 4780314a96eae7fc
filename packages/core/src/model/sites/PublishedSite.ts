/** A published site, as its visitors receive it. */
import { Schema } from "effect"
import { Customization } from "./Customization.ts"
import { Site } from "./Site.ts"
import { SiteStructure } from "./SiteStructure.ts"

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
