/** A published site, as a visitor can see it. */

import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { CompleteCustomization } from "./completeCustomization.ts"
import { Site } from "./Site.ts"
import { SiteIntegrationScript } from "./SiteScript.ts"
import { SiteStructure } from "./SiteStructure.ts"

/** A published site with its structure and customization, filtered for a visitor. */
export class PublishedSite extends resource<PublishedSite>()(
  Schema.Struct({
    /** The type of the resource: always `published-content-site`. */
    object: Schema.Literal("published-content-site"),
    /** The site. */
    site: Site,
    /** The structure of the site that the visitor can see. */
    structure: SiteStructure,
    /** The customizations of the site and of its site-spaces. */
    customizations: Schema.Struct({
      /** The customization of the site. */
      site: CompleteCustomization,
      /**
       * The customizations of the site-spaces, by their ids: that of the site, with the values that the site-space overrides.
       * Those without an override are absent if all would have more than 1,000,000 characters.
       */
      siteSpaces: Schema.Record(Schema.String, CompleteCustomization)
    }),
    /** The scripts that pages of the site load, at the host name of the site. */
    scripts: Schema.Array(SiteIntegrationScript)
  }).annotate({ identifier: "PublishedSite" })
) {}
