/** The events of collections. */
import { Schema } from "effect"
import { resource } from "../../kernel/schema/resource.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { resourceEvents } from "../../kernel/storage/ResourceEvents.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { DefaultLevel } from "../roles/Role.ts"
import { CollectionId, collections } from "./Collection.ts"

/** The data of the events of a collection. */
export class CollectionEventData extends resource<CollectionEventData>()(
  Schema.Struct({
    id: CollectionId,
    organization: OrganizationId,
    title: Schema.String,
    description: Schema.NullOr(Schema.String),
    parent: Schema.NullOr(CollectionId),
    position: Schema.String,
    defaultLevel: DefaultLevel,
    createdAt: Timestamp
  })
) {}

/** The events of collections. */
export const collectionEvents = resourceEvents("collection", "A collection of spaces.", collections, {
  data: CollectionEventData,
  actions: ["transferred"],
  actionOf: ({ organization }) => (organization === undefined ? undefined : "transferred")
})
