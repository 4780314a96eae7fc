/** A site-space: a space on a site, at its root or in one of its sections. */
import * as Schema from "effect/Schema"
import { Condition } from "../conditions/Condition.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { text } from "../schema/Text.ts"
import { Space, SpaceId } from "../spaces/Space.ts"
import { rejectingDrafts } from "./rejectedParts.ts"
import { PathSegment, SiteSectionId, SiteSpaceId } from "./Site.ts"
import { VisitorQuery } from "./VisitorQuery.ts"

/** A space on a site. */
export class SiteSpace extends resource<SiteSpace>()(
  Schema.Struct({
    /** The type of the resource: always `site-space`. */
    object: Schema.Literal("site-space"),
    /** The id of the site-space. */
    id: SiteSpaceId,
    /** The path segment of the site-space, unique in its section or at the root: 1 to 100 characters. */
    path: text({ min: 1, max: 100 }),
    /** The section that the site-space is in; absent at the root. */
    section: Schema.optionalKey(SiteSectionId),
    /** The space itself. */
    space: Space,
    /** The title of the space. */
    title: Schema.String,
    /** Whether this is the default of its section, or of the root, whose URL it then has. */
    default: Schema.Boolean,
    /** Whether the site-space is a draft: always false, because the parts of a site have no drafts. */
    draft: Schema.Boolean,
    /**
     * The condition on the claims of visitors under which they can see the site-space; absent when all visitors can.
     */
    condition: Schema.optionalKey(Schema.String),
    /** The URLs of the site-space. */
    urls: Schema.Struct({
      /** The URL of the published site-space; absent for a site that is not published. */
      published: Schema.optionalKey(Schema.String)
    })
  }).annotate({ identifier: "SiteSpace", description: "A space on a site." })
) {}

/** The input that adds a space to a site. */
export class AddSiteSpace extends resource<AddSiteSpace>()(
  Schema.Struct({
    /** The id of a space of the same organization that is not on the site yet. */
    spaceId: SpaceId,
    /** The section to add the space to; when absent, the default section, or the root of a site without sections. */
    sectionId: Schema.optionalKey(SiteSectionId)
  }).annotate({ identifier: "AddSiteSpace", ...rejectingDrafts })
) {}

/** The input that updates a site-space. Absent fields are not changed. */
export class UpdateSiteSpace extends resource<UpdateSiteSpace>()(
  Schema.Struct({
    /** The path segment of the site-space, unique in its section or at the root: 1 to 100 characters. */
    path: Schema.optionalKey(PathSegment),
    /** The condition under which visitors can see the site-space: 1 to 1,024 characters; null removes it. */
    condition: Schema.optionalKey(Schema.NullOr(Condition))
  }).annotate({ identifier: "UpdateSiteSpace", ...rejectingDrafts })
) {}

/** A reference to a site-space. */
class SiteSpacePointer extends resource<SiteSpacePointer>()(
  Schema.Struct({
    /** The type of the reference: always `site-space`. */
    type: Schema.Literal("site-space"),
    /** The id of a site-space on the same level. */
    siteSpace: SiteSpaceId
  }).annotate({ identifier: "SiteSpacePointer" })
) {}

/** The input that moves a site-space among its siblings. */
export class MoveSiteSpace extends resource<MoveSiteSpace>()(
  Schema.Struct({
    /** The new position; the end when absent. */
    position: Schema.optionalKey(
      Schema.Struct({
        /** The site-space that the moved site-space precedes. */
        before: Schema.optionalKey(SiteSpacePointer),
        /** The site-space that the moved site-space follows. */
        after: Schema.optionalKey(SiteSpacePointer)
      })
    )
  }).annotate({ identifier: "MoveSiteSpace" })
) {}

/** The filter and the page of a list of site-spaces, and the credentials of the visitor that it is filtered for. */
export class ListSiteSpaces extends resource<ListSiteSpaces>()(
  Schema.Struct({
    ...PageQuery.fields,
    ...VisitorQuery.fields,
    /** Only the default site-space of the site (`true`), or only the others (`false`). */
    default: Schema.optionalKey(Schema.Boolean)
  })
) {}
