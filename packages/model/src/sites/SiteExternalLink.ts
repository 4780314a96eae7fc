/** Links to other websites in the structure of a site. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { Condition } from "../conditions/Condition.ts"
import { idSchema } from "../schema/Id.ts"
import { resource } from "../schema/resource.ts"
import { trimmed } from "../schema/Text.ts"
import { LinkUrl } from "../schema/Url.ts"
import { SiteSectionGroupId } from "./SiteSection.ts"

/** The id of a link in the structure of a site. */
export const SiteExternalLinkId = idSchema(
  "The id of a link to another website in the structure of a site."
).pipe(Schema.brand("SiteExternalLinkId"))

/** The id of a link in the structure of a site. */
export type SiteExternalLinkId = string & Brand.Brand<"SiteExternalLinkId">

/** A link to another website, in the navigation of a site. */
export class SiteExternalLink extends resource<SiteExternalLink>()(
  Schema.Struct({
    /** The type of the resource: always `site-external-link`. */
    object: Schema.Literal("site-external-link"),
    /** The id of the link. */
    id: SiteExternalLinkId,
    /** The title: 2 to 128 characters. */
    title: Schema.String,
    /** The description; absent when it is not set. */
    description: Schema.optionalKey(Schema.String),
    /** The URL that the link opens. */
    url: Schema.String,
    /** The name of the icon; absent without an icon. */
    icon: Schema.optionalKey(Schema.String),
    /** The section group that the link is in; absent at the top level. */
    sectionGroup: Schema.optionalKey(SiteSectionGroupId),
    /** Whether the link is a draft, which visitors do not see. */
    draft: Schema.Boolean,
    /** The condition on the claims of visitors under which they can see the link; absent when all visitors can. */
    condition: Schema.optionalKey(Schema.String)
  }).annotate({ identifier: "SiteExternalLink" })
) {}

const changeable = {
  /** The description: at most 256 characters; null removes it. */
  description: Schema.optionalKey(Schema.NullOr(trimmed({ max: 256 }))),
  /** The name of the icon: at most 50 characters; null removes it. */
  icon: Schema.optionalKey(Schema.NullOr(trimmed({ max: 50 }))),
  /** Whether the link is a draft, which visitors do not see; false by default. */
  draft: Schema.optionalKey(Schema.Boolean),
  /** The condition under which visitors can see the link: 1 to 1,024 characters; null removes it. */
  condition: Schema.optionalKey(Schema.NullOr(Condition))
}

const title = trimmed({ min: 2, max: 128 })

/** The input that adds a link to a site. */
export class AddSiteExternalLink extends resource<AddSiteExternalLink>()(
  Schema.Struct({
    /** The title: 2 to 128 characters. */
    title,
    /** The URL: http or https, at most 2048 characters. */
    url: LinkUrl,
    /** The section group to which the link is added; the top level when absent. */
    parent: Schema.optionalKey(SiteSectionGroupId),
    ...changeable
  }).annotate({ identifier: "AddSiteExternalLink" })
) {}

/** The input that updates a link. Absent fields are not changed. */
export class UpdateSiteExternalLink extends resource<UpdateSiteExternalLink>()(
  Schema.Struct({
    /** The title: 2 to 128 characters. */
    title: Schema.optionalKey(title),
    /** The URL: http or https, at most 2048 characters. */
    url: Schema.optionalKey(LinkUrl),
    /** The section group to whose end the link moves; null moves it to the end of the top level. */
    parent: Schema.optionalKey(Schema.NullOr(SiteSectionGroupId)),
    ...changeable
  }).annotate({ identifier: "UpdateSiteExternalLink" })
) {}
