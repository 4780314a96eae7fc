/** The events of spaces. */
import * as Schema from "effect/Schema"
import { CollectionId } from "../collections/Collection.ts"
import { MergeRules } from "../merge-rules/MergeRules.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { DefaultLevel } from "../roles/Role.ts"
import { resource } from "../schema/resource.ts"
import { Timestamp } from "../schema/Text.ts"
import { EditMode, SpaceId } from "./Space.ts"

/** The data of the events of a space. */
export class SpaceEventData extends resource<SpaceEventData>()(
  Schema.Struct({
    id: SpaceId,
    organization: OrganizationId,
    title: Schema.String,
    emoji: Schema.NullOr(Schema.String),
    icon: Schema.NullOr(Schema.String),
    parent: Schema.NullOr(CollectionId),
    position: Schema.String,
    defaultLevel: DefaultLevel,
    editMode: EditMode,
    mergeRules: Schema.NullOr(MergeRules),
    createdAt: Timestamp,
    deletedAt: Schema.NullOr(Timestamp)
  })
) {}
