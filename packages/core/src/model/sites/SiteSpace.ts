/** A site-space: a space on a site, at the root of it or in one of its sections. */
import { Schema } from "effect"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { text } from "../../kernel/schema/Text.ts"
import { Table } from "../../kernel/storage/index.ts"
import { Space, SpaceId, spaces } from "../spaces/Space.ts"
import { Condition } from "./conditions/Condition.ts"
import { PathSegment, type SiteId, SiteSectionId, SiteSpaceId, sites } from "./Site.ts"
import { siteSections } from "./SiteSection.ts"
import { VisitorQuery } from "./VisitorQuery.ts"

/** A site-space, as the specification shows one. */
export const SiteSpace = Schema.Struct({
  object: Schema.Literal("site-space"),
  id: SiteSpaceId,
  path: text({ min: 1, max: 100 }),
  section: Schema.optionalKey(SiteSectionId),
  space: Space,
  title: Schema.String,
  default: Schema.Boolean,
  condition: Schema.optionalKey(Schema.String),
  urls: Schema.Struct({ published: Schema.optionalKey(Schema.String) })
}).annotate({ identifier: "SiteSpace", description: "A space on a site." })
export type SiteSpace = typeof SiteSpace.Type

/** Puts a space on a site: into a section, or where none is named into the default section, or to the root. */
export const AddSiteSpace = Schema.Struct({
  spaceId: SpaceId,
  sectionId: Schema.optionalKey(SiteSectionId)
}).annotate({ identifier: "AddSiteSpace" })

/** What can be changed of a site-space. What is left out stays; a null condition is taken away. */
export const UpdateSiteSpace = Schema.Struct({
  path: Schema.optionalKey(PathSegment),
  condition: Schema.optionalKey(Schema.NullOr(Condition))
}).annotate({ identifier: "UpdateSiteSpace" })

const pointer = Schema.Struct({ type: Schema.Literal("site-space"), siteSpace: SiteSpaceId }).annotate({
  identifier: "SiteSpacePointer"
})

/** Another place among the site-spaces beside it; the end by default. */
export const MoveSiteSpace = Schema.Struct({
  position: Schema.optionalKey(
    Schema.Struct({ before: Schema.optionalKey(pointer), after: Schema.optionalKey(pointer) })
  )
}).annotate({ identifier: "MoveSiteSpace" })

/** What a list of site-spaces asks for. */
export const ListSiteSpaces = Schema.Struct({
  ...PageQuery.fields,
  ...VisitorQuery.fields,
  /** Only the default of the site (`true`), or only the others. */
  default: Schema.optionalKey(Schema.Boolean)
})

/** Where site-spaces are kept; `section` is null at the root. */
export const siteSpaces = Table.make("siteSpaces", {
  columns: {
    id: Table.text<SiteSpaceId>(),
    site: Table.text<SiteId>(),
    section: Table.nullable(Table.text<SiteSectionId>()),
    space: Table.text<SpaceId>(),
    position: Table.text(),
    path: Table.text(),
    condition: Table.nullable(Table.text())
  },
  key: ["id"],
  unique: [["site", "space"]],
  references: {
    site: { table: () => sites, onRemove: "cascade" },
    section: { table: () => siteSections, onRemove: "cascade" },
    space: { table: () => spaces, onRemove: "cascade" }
  },
  indexes: [["site", "position"], ["section"], ["space"]]
})
export type SiteSpaceRow = Table.Row<typeof siteSpaces>
