/** A collection: a folder of spaces and of other collections. */
import type * as Brand from "effect/Brand"
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { DefaultLevel } from "../roles/Role.ts"
import { idSchema } from "../schema/Id.ts"
import { PageQuery } from "../schema/Pagination.ts"
import { resource } from "../schema/resource.ts"
import { text, trimmed } from "../schema/Text.ts"

/** The id of a collection. */
export const CollectionId = idSchema("The id of a collection.").pipe(Schema.brand("CollectionId"))

/** The id of a collection. */
export type CollectionId = string & Brand.Brand<"CollectionId">

/** The maximum nesting depth of collections; collections at the root have the depth 1. */
export const maximumDepth = 8

/** The permissions of the caller on the collection. */
export class CollectionPermissions extends resource<CollectionPermissions>()(
  Schema.Struct({
    /** Whether the caller can see the collection. */
    view: Schema.Boolean,
    /** Whether the caller can administer the collection. */
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
    /** The description of the collection, at most 100 characters. Absent if it is not set. */
    description: Schema.optionalKey(text({ max: 100 })),
    /** The organization that owns the collection. */
    organization: OrganizationId,
    /** The parent collection. Absent at the root of the organization. */
    parent: Schema.optionalKey(CollectionId),
    /**
     * The place among the collections and spaces of the same parent: in the order of their Unicode code points, keys have the
     * order of the items. A move changes it.
     */
    sortKey: Schema.String,
    /** The default role of members on the collection: `inherit` for the level of the parent, null for no role. */
    defaultLevel: DefaultLevel,
    /** URLs of the collection. */
    urls: Schema.Struct({
      /** The URL of the collection in the API. */
      location: Schema.String,
      /** The URL of the collection in the application. */
      app: Schema.String
    }),
    /** The permissions of the caller on the collection. */
    permissions: CollectionPermissions
  }).annotate({ identifier: "Collection", description: "A folder of spaces and of other collections." })
) {}

/** The fields of a new collection. */
export class CreateCollection extends resource<CreateCollection>()(
  Schema.Struct({
    /** The title of the collection, at most 50 characters; `Untitled` by default. */
    title: Schema.optionalKey(trimmed({ max: 50 })),
    /** The parent collection, in the same organization; the root of the organization by default. */
    parent: Schema.optionalKey(CollectionId)
  }).annotate({ identifier: "CreateCollection" })
) {}

/** The fields of a collection to update. Absent fields do not change. */
export class UpdateCollection extends resource<UpdateCollection>()(
  Schema.Struct({
    /** The title of the collection, at most 50 characters. */
    title: Schema.optionalKey(trimmed({ max: 50 })),
    /** The description of the collection, at most 100 characters. */
    description: Schema.optionalKey(trimmed({ max: 100 })),
    /**
     * The default role of members on the collection: `inherit` for the level of the parent, null for no role. Requires
     * the role `admin` on the collection.
     */
    defaultLevel: Schema.optionalKey(DefaultLevel)
  }).annotate({ identifier: "UpdateCollection" })
) {}

/** The filter and the page of a list of collections. */
export class ListCollections extends resource<ListCollections>()(
  Schema.Struct({
    ...PageQuery.fields,
    /** Whether to include collections that have a parent collection; true by default. */
    nested: Schema.optionalKey(Schema.Boolean)
  })
) {}
