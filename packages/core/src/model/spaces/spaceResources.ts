/** The events of spaces. */
import { Schema } from "effect"
import { resource } from "../../kernel/schema/resource.ts"
import { Timestamp } from "../../kernel/schema/Text.ts"
import { resourceEvents } from "../../kernel/storage/ResourceEvents.ts"
import { CollectionId } from "../collections/Collection.ts"
import { MergeRules } from "../merge-rules/MergeRules.ts"
import { OrganizationId } from "../organizations/Organization.ts"
import { DefaultLevel } from "../roles/Role.ts"
import { EditMode, SpaceId, spaces } from "./Space.ts"

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

/** The events of spaces. Changes of the content are `revision.created`. */
export const spaceEvents = resourceEvents("space", "A space. Changes of its content are revisions.", spaces, {
  data: SpaceEventData,
  actions: ["trashed", "restored", "transferred"],
  actionOf: ({ organization, deletedAt }) => {
    if (organization !== undefined) return "transferred"
    if (deletedAt === undefined) return undefined
    return deletedAt === null ? "restored" : "trashed"
  }
})
