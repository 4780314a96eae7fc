/** Rules on rows: see `SpaceRules` of `@lectern/model`. */
import type { ContentVisibility, UpdateSpace } from "@lectern/model/spaces"
import { expiryOf } from "@lectern/model/spaces"
import type { SpaceRow } from "./spaceTable.ts"

/** Whether the retention period of a space in the trash has ended. */
export const isExpired = (space: Pick<SpaceRow, "deletedAt">, nowMillis: number): boolean =>
  space.deletedAt !== null && nowMillis >= expiryOf(space.deletedAt)

/**
 * Returns the audience of the content: the visitors of the most visible published site that contains it, otherwise the
 * users of the collection that it inherits from, otherwise the users that it is shared with.
 */
export const visibilityOf = (
  space: Pick<SpaceRow, "parent" | "defaultLevel" | "published">
): ContentVisibility =>
  space.published !== null
    ? space.published.visibility
    : space.parent !== null && space.defaultLevel === "inherit"
      ? "in-collection"
      : "private"

/** The columns that an update changes, except for its default level. */
export const changesOf = (input: UpdateSpace): Partial<SpaceRow> => ({
  ...(input.title === undefined ? {} : { title: input.title }),
  ...(input.emoji === undefined ? {} : { emoji: input.emoji }),
  ...(input.icon === undefined ? {} : { icon: input.icon }),
  ...(input.editMode === undefined ? {} : { editMode: input.editMode }),
  ...(input.mergeRules === undefined ? {} : { mergeRules: input.mergeRules })
})
