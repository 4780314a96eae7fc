/** The events of collections. */
import * as Schema from "effect/Schema"
import { OrganizationId } from "../organizations/Organization.ts"
import { DefaultLevel } from "../roles/Role.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { CollectionId } from "./Collection.ts"

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
