/** The structure of a site: its sections, section groups, site-spaces and links. */

import * as Schema from "effect/Schema"
import { resource } from "../schema/resource.ts"
import { text } from "../schema/Text.ts"
import { SiteExternalLink } from "./SiteExternalLink.ts"
import { SiteSectionGroupId, sectionFields } from "./SiteSection.ts"
import { SiteSpace } from "./SiteSpace.ts"

/** A section of a site, with its site-spaces. */
export class SiteSection extends resource<SiteSection>()(
  Schema.Struct({
    ...sectionFields,
    /** The site-spaces of the section, in their order. */
    siteSpaces: Schema.Array(SiteSpace)
  }).annotate({ identifier: "SiteSection", description: "A part of a site, with variants of its content." })
) {}

/** A section group of a site, with its sections and links. */
export class SiteSectionGroup extends resource<SiteSectionGroup>()(
  Schema.Struct({
    /** The type of the resource: always `site-section-group`. */
    object: Schema.Literal("site-section-group"),
    /** The id of the section group. */
    id: SiteSectionGroupId,
    /** The title: 1 to 100 characters. */
    title: text({ min: 1, max: 100 }),
    /** The name of the icon; absent without an icon. */
    icon: Schema.optionalKey(Schema.String),
    /** Whether the group is a draft: always false, because the parts of a site have no drafts. */
    draft: Schema.Boolean,
    /** The sections of the group, in their order. */
    sections: Schema.Array(SiteSection),
    /** The sections and the links of the group, in their order. */
    children: Schema.Array(Schema.Union([SiteSection, SiteExternalLink]))
  }).annotate({ identifier: "SiteSectionGroup", description: "Sections of a site under one title." })
) {}

/** The structure of a site with sections. */
export class SectionStructure extends resource<SectionStructure>()(
  Schema.Struct({
    /** The kind of the structure: `sections`. */
    type: Schema.Literal("sections"),
    /** The sections, section groups and links of the top level, in their order. */
    structure: Schema.Array(Schema.Union([SiteSection, SiteSectionGroup, SiteExternalLink]))
  })
) {}

/** The structure of a site without sections. */
export class SiteSpaceStructure extends resource<SiteSpaceStructure>()(
  Schema.Struct({
    /** The kind of the structure: `siteSpaces`. */
    type: Schema.Literal("siteSpaces"),
    /** The site-spaces of the site, in their order. */
    structure: Schema.Array(SiteSpace)
  })
) {}

/** The structure of a site: its sections and section groups, or its site-spaces when it has no sections. */
export const SiteStructure: Schema.Codec<SiteStructure, unknown> = Schema.Union([
  SectionStructure,
  SiteSpaceStructure
]).annotate({
  identifier: "SiteStructure"
})
/** The structure of a site. */
export type SiteStructure = SectionStructure | SiteSpaceStructure

/** An item of the structure of a site. */
export const SiteStructureItem: Schema.Codec<SiteStructureItem, unknown> = Schema.Union([
  SiteSpace,
  SiteSection,
  SiteSectionGroup,
  SiteExternalLink
]).annotate({ identifier: "SiteStructureItem" })
/** An item of the structure of a site. */
export type SiteStructureItem = SiteSpace | SiteSection | SiteSectionGroup | SiteExternalLink

/** A reference to an item of the structure of a site. */
export class SiteStructurePointer extends resource<SiteStructurePointer>()(
  Schema.Struct({
    /** The type of the item. */
    type: Schema.Literals(["site-space", "site-section", "site-section-group", "site-external-link"]),
    /** The id of the item, 1 to 100 characters. */
    id: text({ min: 1, max: 100 })
  })
) {}

/** The item to move, and its new position. */
export class SortSiteStructure extends resource<SortSiteStructure>()(
  Schema.Struct({
    /** The item to move. */
    item: SiteStructurePointer,
    /** The new position. With both neighbors, `after` must be in front of `before`. */
    position: Schema.Struct({
      /** The item before which it is placed. */
      before: Schema.optionalKey(SiteStructurePointer),
      /** The item after which it is placed. */
      after: Schema.optionalKey(SiteStructurePointer)
    })
  }).annotate({ identifier: "SortSiteStructure" })
) {}
