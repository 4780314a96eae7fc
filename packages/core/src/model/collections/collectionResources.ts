/** The events of collections. */
import { Schema } from "effect"
import { resourceEvents } from "../../kernel/events/ResourceEvents.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { DefaultLevel } from "../roles/Role.ts"
import { CollectionId, collections } from "./Collection.ts"

/** The events of collections. */
export const collectionEvents = resourceEvents("collection", "A collection of spaces.", collections, {
  data: {
    id: CollectionId,
    organization: OrganizationId,
    title: Schema.String,
    description: Schema.NullOr(Schema.String),
    parent: Schema.NullOr(CollectionId),
    position: Schema.String,
    defaultLevel: DefaultLevel,
    createdAt: Timestamp
  },
  actions: ["transferred"],
  actionOf: ({ organization }) => (organization === undefined ? undefined : "transferred")
})
