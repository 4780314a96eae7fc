/** Moves and transfers of collections and spaces, which share one order among the siblings of a parent. */

import * as Schema from "effect/Schema"
import { CollectionId } from "../collections/Collection.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { resource } from "../schema/resource.ts"
import { SpaceId } from "./Space.ts"

class SpacePointer extends resource<SpacePointer>()(
  Schema.Struct({
    /** The type of the sibling: `space`. */
    type: Schema.Literal("space"),
    /** The id of the space. */
    space: SpaceId
  })
) {}

class CollectionPointer extends resource<CollectionPointer>()(
  Schema.Struct({
    /** The type of the sibling: `collection`. */
    type: Schema.Literal("collection"),
    /** The id of the collection. */
    collection: CollectionId
  })
) {}

/** Identifies a sibling: a space or a collection. */
export const Pointer = Schema.Union([SpacePointer, CollectionPointer]).annotate({
  identifier: "ContentPointer"
})
/** A reference to a sibling: a space or a collection. */
export type Pointer = SpacePointer | CollectionPointer

/** A position among siblings: before one, after one, or, with both, between the two. */
export class Position extends resource<Position>()(
  Schema.Struct({
    /** The sibling to come directly before. */
    before: Schema.optionalKey(Pointer),
    /** The sibling to come directly after. */
    after: Schema.optionalKey(Pointer)
  }).annotate({ identifier: "ContentPosition" })
) {}

/** The target of a move. */
export class Move extends resource<Move>()(
  Schema.Struct({
    /**
     * The new parent collection, in the same organization. Null moves it to the root of the organization. If absent,
     * the parent does not change.
     */
    parent: Schema.optionalKey(Schema.NullOr(CollectionId)),
    /** The position among the items of the parent; the end by default. */
    position: Schema.optionalKey(Position)
  }).annotate({ identifier: "MoveContent" })
) {}

/** The target of a transfer to another organization. */
export class Transfer extends resource<Transfer>()(
  Schema.Struct({
    /** The target organization. The caller must be able to create content there. */
    organization: OrganizationId
  }).annotate({
    identifier: "TransferContent"
  })
) {}
