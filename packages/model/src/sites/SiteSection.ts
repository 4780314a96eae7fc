/** Sections of a site, and section groups. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { Condition } from "../conditions/Condition.ts"
import { idSchema } from "../schema/Id.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { text, trimmed } from "../schema/Text.ts"
import { SpaceId } from "../spaces/Space.ts"
import { rejectingDrafts } from "./rejectedParts.ts"
import { PathSegment, SiteSectionId, SiteSpaceId } from "./Site.ts"
import { VisitorQuery } from "./VisitorQuery.ts"

/** The id of a section group. */
export const SiteSectionGroupId = idSchema("The id of a group of sections.").pipe(
  Schema.brand("SiteSectionGroupId")
)

/** The id of a section group. */
export type SiteSectionGroupId = string & Brand.Brand<"SiteSectionGroupId">

/** The name of an icon, at most 50 characters. */
const icon = trimmed({ max: 50 })

/** The fields of a section, without its site-spaces. */
export const sectionFields = {
  /** The type of the resource: always `site-section`. */
  object: Schema.Literal("site-section"),
  /** The id of the section. */
  id: SiteSectionId,
  /** The title: 2 to 128 characters. */
  title: text({ min: 2, max: 128 }),
  /** The description; absent when it is not set. */
  description: Schema.optionalKey(Schema.String),
  /** Whether this is the default section, whose URL is the URL of the site. */
  default: Schema.Boolean,
  /** The path segment of the section, unique on the site: 1 to 100 characters. */
  path: text({ min: 1, max: 100 }),
  /** Whether the section is a draft: always false, because the parts of a site have no drafts. */
  draft: Schema.Boolean,
  /** The condition on the claims of visitors under which they can see the section; absent when all visitors can. */
  condition: Schema.optionalKey(Schema.String),
  /** The group that the section is in; absent at the top level. */
  sectionGroup: Schema.optionalKey(SiteSectionGroupId),
  /** The name of the icon; absent without an icon. */
  icon: Schema.optionalKey(Schema.String),
  /** The URLs of the section. */
  urls: Schema.Struct({
    /** The URL of the published section; absent for a site that is not published. */
    published: Schema.optionalKey(Schema.String)
  })
}

/** The input that adds a section with one space to a site. */
export class AddSiteSection extends resource<AddSiteSection>()(
  Schema.Struct({
    /** The id of the first space in the section. */
    spaceId: SpaceId,
    /** The title: 2 to 64 characters; the title of the space when null or absent. */
    title: Schema.optionalKey(Schema.NullOr(trimmed({ min: 2, max: 64 }))),
    /** The name of the icon: at most 50 characters; none when null or absent. */
    icon: Schema.optionalKey(Schema.NullOr(icon))
  }).annotate({ identifier: "AddSiteSection", ...rejectingDrafts })
) {}

/** The input that updates a section. Absent fields are not changed. */
export class UpdateSiteSection extends resource<UpdateSiteSection>()(
  Schema.Struct({
    /** The title: 2 to 128 characters. */
    title: Schema.optionalKey(trimmed({ min: 2, max: 128 })),
    /** The path segment of the section, unique on the site: 1 to 100 characters. */
    path: Schema.optionalKey(PathSegment),
    /** The default site-space of the section, whose URL is the URL of the section. */
    defaultSiteSpace: Schema.optionalKey(SiteSpaceId),
    /** The condition under which visitors can see the section: 1 to 1,024 characters; null removes it. */
    condition: Schema.optionalKey(Schema.NullOr(Condition)),
    /** The name of the icon: at most 50 characters; null removes it. */
    icon: Schema.optionalKey(Schema.NullOr(icon)),
    /** The description: at most 256 characters; null removes it. */
    description: Schema.optionalKey(Schema.NullOr(trimmed({ max: 256 })))
  }).annotate({ identifier: "UpdateSiteSection", ...rejectingDrafts })
) {}

/** A reference to a section. */
class SiteSectionPointer extends resource<SiteSectionPointer>()(
  Schema.Struct({
    /** The type of the reference: always `site-section`. */
    type: Schema.Literal("site-section"),
    /** The id of a section on the same level. */
    siteSection: SiteSectionId
  }).annotate({ identifier: "SiteSectionPointer" })
) {}

/** The input that moves a section among its siblings. */
export class MoveSiteSection extends resource<MoveSiteSection>()(
  Schema.Struct({
    /** The new position; the end when absent. */
    position: Schema.optionalKey(
      Schema.Struct({
        /** The section that the moved section precedes. */
        before: Schema.optionalKey(SiteSectionPointer),
        /** The section that the moved section follows. */
        after: Schema.optionalKey(SiteSectionPointer)
      })
    )
  }).annotate({ identifier: "MoveSiteSection" })
) {}

const groupTitle = trimmed({ min: 1, max: 100 })

/** The maximum number of sections that a group is created with. */
const maximumSections = 100

/** The input that adds a section group to a site. */
export class AddSiteSectionGroup extends resource<AddSiteSectionGroup>()(
  Schema.Struct({
    /** The title: 1 to 100 characters. */
    title: groupTitle,
    /** The name of the icon: at most 50 characters; none when null or absent. */
    icon: Schema.optionalKey(Schema.NullOr(icon)),
    /** The ids of up to 100 sections of the site to move into the group; none by default. */
    sections: Schema.optionalKey(
      Schema.Array(SiteSectionId).check(
        Schema.isMaxLength(maximumSections, { message: `must be at most ${maximumSections} sections` })
      )
    )
  }).annotate({ identifier: "AddSiteSectionGroup", ...rejectingDrafts })
) {}

/** The input that updates a section group. Absent fields are not changed. */
export class UpdateSiteSectionGroup extends resource<UpdateSiteSectionGroup>()(
  Schema.Struct({
    /** The title: 1 to 100 characters. */
    title: Schema.optionalKey(groupTitle),
    /** The name of the icon: at most 50 characters; null removes it. */
    icon: Schema.optionalKey(Schema.NullOr(icon))
  }).annotate({ identifier: "UpdateSiteSectionGroup", ...rejectingDrafts })
) {}

/** The input that moves a section to the end of a section group. */
export class AddSectionToGroup extends resource<AddSectionToGroup>()(
  Schema.Struct({
    /** The id of the section of the site to move. */
    sectionId: SiteSectionId
  }).annotate({
    identifier: "AddSectionToGroup"
  })
) {}

/** A reference to a section group, or to a section at the top level. */
class SiteSectionGroupPointer extends resource<SiteSectionGroupPointer>()(
  Schema.Struct({
    /** The type of the referenced item. */
    type: Schema.Literals(["site-section", "site-section-group"]),
    /** The id of the referenced item. */
    id: Schema.Union([SiteSectionId, SiteSectionGroupId])
  }).annotate({ identifier: "SiteSectionGroupPointer" })
) {}

/** The input that moves a section group among the groups and sections of the top level. */
export class MoveSiteSectionGroup extends resource<MoveSiteSectionGroup>()(
  Schema.Struct({
    /** The new position; the end when absent. */
    position: Schema.optionalKey(
      Schema.Struct({
        /** The item that the moved group precedes. */
        before: Schema.optionalKey(SiteSectionGroupPointer),
        /** The item that the moved group follows. */
        after: Schema.optionalKey(SiteSectionGroupPointer)
      })
    )
  }).annotate({ identifier: "MoveSiteSectionGroup" })
) {}

/** The page of a list of sections, and the credentials of the visitor that it is filtered for. */
export class ListSiteSections extends resource<ListSiteSections>()(
  Schema.Struct({ ...PageQuery.fields, ...VisitorQuery.fields })
) {}
