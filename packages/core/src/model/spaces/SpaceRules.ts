/** The rules of spaces and of their life cycle, as pure functions. */
import { Conflict } from "../../kernel/errors.ts"
import type { ContentVisibility, SpaceRow } from "./Space.ts"

/** How long a deleted space can be restored, in milliseconds: 7 days. */
export const retentionMillis = 7 * 24 * 60 * 60 * 1000

/** When a space that was deleted at `deletedAt` expires: it can no longer be restored. In milliseconds. */
export const expiryOf = (deletedAt: string): number => Date.parse(deletedAt) + retentionMillis

/** Whether a space is in the trash for so long that it can no longer be restored. */
export const isExpired = (space: Pick<SpaceRow, "deletedAt">, nowMillis: number): boolean =>
  space.deletedAt !== null && nowMillis >= expiryOf(space.deletedAt)

/**
 * Who can read the content: the visitors of the most visible published site that it is on; else the users of the
 * collection that it inherits from; else the users that it is shared with.
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

/** The emoji of a space that has none. */
export const defaultEmoji = "📖"

/** The title of content that is created without one. */
export const defaultTitle = "Untitled"

const copySuffix = " (copy)"

/** The title of a copy, truncated to the 50 characters that a title can have. */
export const titleOfCopy = (title: string): string =>
  Array.from(title)
    .slice(0, 50 - copySuffix.length)
    .join("") + copySuffix
