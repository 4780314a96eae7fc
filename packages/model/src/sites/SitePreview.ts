/** Previews of published sites, as visitors with given claims see them. */
import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { text } from "../schema/Text.ts"
import { SiteSpaceId } from "./Site.ts"

/** The site-space and the visitor of a preview. */
export class PreviewSite extends resource<PreviewSite>()(
  Schema.Struct({
    /** The id of the site-space to preview; the default one by default. */
    siteSpace: Schema.optionalKey(SiteSpaceId),
    /** The claims of the visitor as Rison, an object of at most 2,048 characters. None by default. */
    claims: Schema.optionalKey(text({ max: 2_048 }))
  })
) {}

/** The URL of a preview. */
export class SitePreview extends resource<SitePreview>()(
  Schema.Struct({
    /** The URL of the published site, with a visitor token that is valid for one hour. */
    url: Schema.String
  }).annotate({ identifier: "SitePreview" })
) {}
