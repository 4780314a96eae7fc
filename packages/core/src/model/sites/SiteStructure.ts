/** The parts of a site as the specification shows them: sections, groups, and the whole that they make. */
import { Schema } from "effect"
import { text } from "../../kernel/schema/Text.ts"
import { SiteSectionGroupId, sectionFields } from "./SiteSection.ts"
import { SiteSpace } from "./SiteSpace.ts"

/** A section, with its site-spaces. */
export const SiteSection = Schema.Struct({
  ...sectionFields,
  siteSpaces: Schema.Array(SiteSpace)
}).annotate({ identifier: "SiteSection", description: "A part of a site, with variants of its content." })
export type SiteSection = typeof SiteSection.Type

/** A group of sections. `children` are its sections too, by their name in newer clients. */
export const SiteSectionGroup = Schema.Struct({
  object: Schema.Literal("site-section-group"),
  id: SiteSectionGroupId,
  title: text({ min: 1, max: 100 }),
  icon: Schema.optionalKey(Schema.String),
  sections: Schema.Array(SiteSection),
  children: Schema.Array(SiteSection)
}).annotate({ identifier: "SiteSectionGroup", description: "Sections of a site under one title." })
export type SiteSectionGroup = typeof SiteSectionGroup.Type

/** The whole of a site: its sections and groups, or its site-spaces where it has no sections. */
export const SiteStructure = Schema.Union([
  Schema.Struct({
    type: Schema.Literal("sections"),
    structure: Schema.Array(Schema.Union([SiteSection, SiteSectionGroup]))
  }),
  Schema.Struct({ type: Schema.Literal("siteSpaces"), structure: Schema.Array(SiteSpace) })
]).annotate({ identifier: "SiteStructure" })
export type SiteStructure = typeof SiteStructure.Type
