/** A collection: a folder of spaces and of other collections. */

import { Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { text, trimmed } from "../../kernel/schema/Text.ts"
import { Table } from "../../kernel/storage/index.ts"
import { OrganizationId, organizations } from "../organizations/Organization.ts"
import { DefaultLevel } from "../roles/Role.ts"

export const CollectionId = idSchema("The id of a collection.").pipe(Schema.brand("CollectionId"))
export type CollectionId = typeof CollectionId.Type

/** How deep collections nest: the outermost is at depth 1. */
export const maximumDepth = 8

/** What the caller may do with the collection. */
export const CollectionPermissions = Schema.Struct({
  view: Schema.Boolean,
  admin: Schema.Boolean,
  viewInviteLinks: Schema.Boolean,
  create: Schema.Boolean
})

/** A collection, as the specification shows one. */
export const Collection = Schema.Struct({
  object: Schema.Literal("collection"),
  id: CollectionId,
  title: text({ max: 50 }),
  description: Schema.optionalKey(text({ max: 100 })),
  organization: OrganizationId,
  parent: Schema.optionalKey(CollectionId),
  defaultLevel: DefaultLevel,
  urls: Schema.Struct({ location: Schema.String, app: Schema.String }),
  permissions: CollectionPermissions
}).annotate({ identifier: "Collection", description: "A folder of spaces and of other collections." })
export type Collection = typeof Collection.Type

/** What a collection is made from. */
export const CreateCollection = Schema.Struct({
  title: Schema.optionalKey(trimmed({ max: 50 })),
  parent: Schema.optionalKey(CollectionId)
}).annotate({ identifier: "CreateCollection" })
export type CreateCollection = typeof CreateCollection.Type

/** What can be changed of a collection. What is left out stays. */
export const UpdateCollection = Schema.Struct({
  title: Schema.optionalKey(trimmed({ max: 50 })),
  description: Schema.optionalKey(trimmed({ max: 100 })),
  defaultLevel: Schema.optionalKey(DefaultLevel)
}).annotate({ identifier: "UpdateCollection" })
export type UpdateCollection = typeof UpdateCollection.Type

/**
 * Where collections are kept. `path`, `depth` and `level` follow from the collection and those above it
 * (`Placement.ts`); they are kept so that no question about access has to climb the tree.
 */
export const collections = Table.make("collections", {
  columns: {
    id: Table.text<CollectionId>(),
    organization: Table.text<OrganizationId>(),
    title: Table.text(),
    description: Table.nullable(Table.text()),
    parent: Table.nullable(Table.text<CollectionId>()),
    position: Table.text(),
    path: Table.text(),
    defaultLevel: Table.nullable(Table.text<NonNullable<DefaultLevel>>()),
    level: Table.nullable(Table.text<NonNullable<DefaultLevel>>()),
    createdAt: Table.text()
  },
  key: ["id"],
  references: {
    organization: { table: () => organizations, onRemove: "cascade" },
    parent: { table: (): Table.AnyTable => collections, onRemove: "restrict" }
  },
  indexes: [
    ["organization", "id"],
    ["organization", "parent", "position"],
    ["organization", "path"],
    ["parent", "position"]
  ]
})
export type CollectionRow = Table.Row<typeof collections>

/** What a list of collections asks for. */
export const ListCollections = Schema.Struct({
  ...PageQuery.fields,
  /** Whether those in other collections are listed too; true by default. */
  nested: Schema.optionalKey(Schema.Boolean)
})
