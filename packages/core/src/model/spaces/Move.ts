/** Moves: where a collection or a space is to go. Both kinds share one order among the siblings of a parent. */
import { Schema } from "effect"
import { CollectionId } from "../collections/Collection.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { SpaceId } from "./Space.ts"

/** Names a sibling. */
export const Pointer = Schema.Union([
  Schema.Struct({ type: Schema.Literal("space"), space: SpaceId }),
  Schema.Struct({ type: Schema.Literal("collection"), collection: CollectionId })
]).annotate({ identifier: "ContentPointer" })
export type Pointer = typeof Pointer.Type

/** A place among siblings: before one, after one, or (where both are given) between the two. */
export const Position = Schema.Struct({
  before: Schema.optionalKey(Pointer),
  after: Schema.optionalKey(Pointer)
}).annotate({ identifier: "ContentPosition" })
export type Position = typeof Position.Type

/**
 * A move. Without `parent` it stays where it is, with null it goes to the root of the organization; without
 * `position` it goes to the end.
 */
export const Move = Schema.Struct({
  parent: Schema.optionalKey(Schema.NullOr(CollectionId)),
  position: Schema.optionalKey(Position)
}).annotate({ identifier: "MoveContent" })
export type Move = typeof Move.Type

/** A transfer to another organization. */
export const Transfer = Schema.Struct({ organization: OrganizationId }).annotate({
  identifier: "TransferContent"
})
export type Transfer = typeof Transfer.Type
