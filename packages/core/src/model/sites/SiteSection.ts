/** Sections of a site, and groups of them. */
import { Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { text, trimmed } from "../../kernel/schema/Text.ts"
import { Table } from "../../kernel/storage/index.ts"
import { SpaceId } from "../spaces/Space.ts"
import { Condition } from "./conditions/Condition.ts"
import { PathSegment, type SiteId, SiteSectionId, SiteSpaceId, sites } from "./Site.ts"
import { VisitorQuery } from "./VisitorQuery.ts"

export const SiteSectionGroupId = idSchema("The id of a group of sections.").pipe(
  Schema.brand("SiteSectionGroupId")
)
export type SiteSectionGroupId = typeof SiteSectionGroupId.Type

/** The name of an icon, at most 50 characters. */
const icon = trimmed({ max: 50 })

/** What is stored of a section, as it is shown; its site-spaces and addresses come from elsewhere. */
export const sectionFields = {
  object: Schema.Literal("site-section"),
  id: SiteSectionId,
  title: text({ min: 2, max: 128 }),
  description: Schema.optionalKey(Schema.String),
  default: Schema.Boolean,
  path: text({ min: 1, max: 100 }),
  condition: Schema.optionalKey(Schema.String),
  sectionGroup: Schema.optionalKey(SiteSectionGroupId),
  icon: Schema.optionalKey(Schema.String),
  urls: Schema.Struct({ published: Schema.optionalKey(Schema.String) })
}

/** Makes a section of a site, from the first space that is in it. By default it has the title of that. */
export const AddSiteSection = Schema.Struct({
  spaceId: SpaceId,
  title: Schema.optionalKey(Schema.NullOr(trimmed({ min: 2, max: 64 }))),
  icon: Schema.optionalKey(Schema.NullOr(icon))
}).annotate({ identifier: "AddSiteSection" })

/** What can be changed of a section. What is left out stays; null takes away. */
export const UpdateSiteSection = Schema.Struct({
  title: Schema.optionalKey(trimmed({ min: 2, max: 128 })),
  path: Schema.optionalKey(PathSegment),
  defaultSiteSpace: Schema.optionalKey(SiteSpaceId),
  condition: Schema.optionalKey(Schema.NullOr(Condition)),
  icon: Schema.optionalKey(Schema.NullOr(icon)),
  description: Schema.optionalKey(Schema.NullOr(trimmed({ max: 256 })))
}).annotate({ identifier: "UpdateSiteSection" })

const sectionPointer = Schema.Struct({
  type: Schema.Literal("site-section"),
  siteSection: SiteSectionId
}).annotate({ identifier: "SiteSectionPointer" })

/** Another place among what is beside the section; the end by default. */
export const MoveSiteSection = Schema.Struct({
  position: Schema.optionalKey(
    Schema.Struct({
      before: Schema.optionalKey(sectionPointer),
      after: Schema.optionalKey(sectionPointer)
    })
  )
}).annotate({ identifier: "MoveSiteSection" })

const groupTitle = trimmed({ min: 1, max: 100 })

/** The most sections that a group is made of at once. */
const maximumSections = 100

/** What a group is made from. */
export const AddSiteSectionGroup = Schema.Struct({
  title: groupTitle,
  icon: Schema.optionalKey(Schema.NullOr(icon)),
  sections: Schema.optionalKey(
    Schema.Array(SiteSectionId).check(
      Schema.isMaxLength(maximumSections, { message: `must be at most ${maximumSections} sections` })
    )
  )
}).annotate({ identifier: "AddSiteSectionGroup" })

/** What can be changed of a group. What is left out stays; a null icon is taken away. */
export const UpdateSiteSectionGroup = Schema.Struct({
  title: Schema.optionalKey(groupTitle),
  icon: Schema.optionalKey(Schema.NullOr(icon))
}).annotate({ identifier: "UpdateSiteSectionGroup" })

/** Puts a section into a group, at the end of it. */
export const AddSectionToGroup = Schema.Struct({ sectionId: SiteSectionId }).annotate({
  identifier: "AddSectionToGroup"
})

const groupPointer = Schema.Struct({
  type: Schema.Literals(["site-section", "site-section-group"]),
  id: Schema.Union([SiteSectionId, SiteSectionGroupId])
}).annotate({ identifier: "SiteSectionGroupPointer" })

/** Another place among the groups and sections of the top level; the end by default. */
export const MoveSiteSectionGroup = Schema.Struct({
  position: Schema.optionalKey(
    Schema.Struct({ before: Schema.optionalKey(groupPointer), after: Schema.optionalKey(groupPointer) })
  )
}).annotate({ identifier: "MoveSiteSectionGroup" })

/** What a list of sections asks for. */
export const ListSiteSections = Schema.Struct({ ...PageQuery.fields, ...VisitorQuery.fields })

/** Where groups are kept. `position` is among the groups and sections of the top level. */
export const siteSectionGroups = Table.make("siteSectionGroups", {
  columns: {
    id: Table.text<SiteSectionGroupId>(),
    site: Table.text<SiteId>(),
    position: Table.text(),
    title: Table.text(),
    icon: Table.nullable(Table.text())
  },
  key: ["id"],
  references: { site: { table: () => sites, onRemove: "cascade" } },
  indexes: [["site", "position"]]
})
export type SiteSectionGroupRow = Table.Row<typeof siteSectionGroups>

/** Where sections are kept. `position` is within the group, or at the top level where there is none. */
export const siteSections = Table.make("siteSections", {
  columns: {
    id: Table.text<SiteSectionId>(),
    site: Table.text<SiteId>(),
    sectionGroup: Table.nullable(Table.text<SiteSectionGroupId>()),
    position: Table.text(),
    title: Table.text(),
    description: Table.nullable(Table.text()),
    path: Table.text(),
    condition: Table.nullable(Table.text()),
    icon: Table.nullable(Table.text()),
    defaultSiteSpace: Table.nullable(Table.text<SiteSpaceId>())
  },
  key: ["id"],
  unique: [["site", "path"]],
  references: {
    site: { table: () => sites, onRemove: "cascade" },
    sectionGroup: { table: () => siteSectionGroups, onRemove: "restrict" }
  },
  indexes: [["site", "position"], ["sectionGroup"]]
})
export type SiteSectionRow = Table.Row<typeof siteSections>
