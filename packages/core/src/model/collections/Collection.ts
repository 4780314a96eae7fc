/** A collection: a folder of spaces and of other collections. */

import { type Brand, Schema } from "effect"
import { idSchema } from "../../kernel/schema/Id.ts"
import { PageQuery } from "../../kernel/schema/Pagination.ts"
import { resource } from "../../kernel/schema/resource.ts"
import { text, trimmed } from "../../kernel/schema/Text.ts"
import { Table } from "../../kernel/storage/index.ts"
import { OrganizationId, organizations } from "../organizations/Organization.ts"
import { DefaultLevel } from "../roles/Role.ts"

export const CollectionId = idSchema("The id of a collection.").pipe(Schema.brand("CollectionId"))
export type CollectionId = string & Brand.Brand<"CollectionId">

/** The maximum nesting depth of collections; those at the root are at depth 1. */
export const maximumDepth = 8

/** What the caller can do with the collection. */
export class CollectionPermissions extends resource<CollectionPermissions>()(
  Schema.Struct({
    /** Whether the caller can see the collection. */
    view: Schema.Boolean,
    /** Whether the caller can administrate the collection. */
    admin: Schema.Boolean,
    /** Whether the caller can list the invite links of the collection. */
    viewInviteLinks: Schema.Boolean,
    /** Whether the caller can create content in the collection. */
    create: Schema.Boolean
  })
) {}

/** A folder of spaces and of other collections. */
export class Collection extends resource<Collection>()(
  Schema.Struct({
    /** The type of the resource: always `collection`. */
    object: Schema.Literal("collection"),
    /** The id of the collection. */
    id: CollectionId,
    /** The title of the collection, at most 50 characters. */
    title: text({ max: 50 }),
    /** A description of the collection, at most 100 characters. Absent if none was given. */
    description: Schema.optionalKey(text({ max: 100 })),
    /** The organization that owns the collection. */
    organization: OrganizationId,
    /** The collection that it is in. Absent at the root of the organization. */
    parent: Schema.optionalKey(CollectionId),
    /** The role of the members of the organization here: `inherit` takes it from the parent, null gives none. */
    defaultLevel: DefaultLevel,
    /** Addresses of the collection. */
    urls: Schema.Struct({
      /** Its address in the API. */
      location: Schema.String,
      /** Its address in the application. */
      app: Schema.String
    }),
    /** What the caller can do with the collection. */
    permissions: CollectionPermissions
  }).annotate({ identifier: "Collection", description: "A folder of spaces and of other collections." })
) {}

/** The input for creating a collection. */
export class CreateCollection extends resource<CreateCollection>()(
  Schema.Struct({
    /** The title of the collection, at most 50 characters; `Untitled` by default. */
    title: Schema.optionalKey(trimmed({ max: 50 })),
    /** The collection to create it in, in the same organization; the root of the organization by default. */
    parent: Schema.optionalKey(CollectionId)
  }).annotate({ identifier: "CreateCollection" })
) {}

/** The fields of a collection to update. Absent fields do not change. */
export class UpdateCollection extends resource<UpdateCollection>()(
  Schema.Struct({
    /** The title of the collection, at most 50 characters. */
    title: Schema.optionalKey(trimmed({ max: 50 })),
    /** A description of the collection, at most 100 characters. */
    description: Schema.optionalKey(trimmed({ max: 100 })),
    /**
     * The role of the members of the organization here: `inherit` takes it from the parent, null gives none. Requires
     * the role `admin` on the collection.
     */
    defaultLevel: Schema.optionalKey(DefaultLevel)
  }).annotate({ identifier: "UpdateCollection" })
) {}

const collectionColumns = {
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
}
export interface CollectionRow extends Table.RowOf<typeof collectionColumns> {}

/**
 * The table of collections. `path` and `level` are derived from the collection and its ancestors (`Placement.ts`);
 * they are stored so that access checks need not traverse the tree.
 */
export const collections: Table.ProtectedTable<"collections", CollectionRow, "id"> = Table.makeProtected(
  "collections",
  {
    tenant: "organization",
    columns: collectionColumns,
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
  }
)

/** Which collections to list. */
export class ListCollections extends resource<ListCollections>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** Whether to list collections in other collections too; true by default. */
    nested: Schema.optionalKey(Schema.Boolean)
  })
) {}
