/** The rules of spaces and of their life cycle, as pure functions. */
import { Conflict } from "../../kernel/errors.ts"
import type { ContentVisibility, SpaceRow, UpdateSpace } from "./Space.ts"

/** The retention period of spaces in the trash, in milliseconds: 7 days. */
export const retentionMillis = 7 * 24 * 60 * 60 * 1000

/** Returns the time after which a space that was deleted at `deletedAt` can no longer be restored, in milliseconds. */
export const expiryOf = (deletedAt: string): number => Date.parse(deletedAt) + retentionMillis

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

/** The error of a transfer to the organization that owns the content already. */
export const sameOrganization = new Conflict({
  reason: "SameOrganization",
  message: "The content is in this organization already. Choose another organization."
})

/** The default emoji of a space. */
export const defaultEmoji = "📖"

/** The default title of a space or a collection. */
export const defaultTitle = "Untitled"

const copySuffix = " (copy)"

/** The title of a copy, truncated to the 50 characters that a title can have. */
export const titleOfCopy = (title: string): string =>
  Array.from(title)
    .slice(0, 50 - copySuffix.length)
    .join("") + copySuffix

/** Whether an update changes settings that only administrators of the space can change. */
export const requiresAdministrator = ({ editMode, defaultLevel, mergeRules }: UpdateSpace): boolean =>
  editMode !== undefined || defaultLevel !== undefined || mergeRules !== undefined

/** The columns that an update changes, except for its default level. */
export const changesOf = (input: UpdateSpace): Partial<SpaceRow> => ({
  ...(input.title === undefined ? {} : { title: input.title }),
  ...(input.emoji === undefined ? {} : { emoji: input.emoji }),
  ...(input.icon === undefined ? {} : { icon: input.icon }),
  ...(input.editMode === undefined ? {} : { editMode: input.editMode }),
  ...(input.mergeRules === undefined ? {} : { mergeRules: input.mergeRules })
})
