/** What is true of a space: derivations and the rules of its life, as pure functions. */
import { Conflict } from "../../kernel/errors.ts"
import type { ContentVisibility, SpaceRow } from "./Space.ts"

/** How long a deleted space can be restored, in milliseconds: 7 days. */
export const retentionMillis = 7 * 24 * 60 * 60 * 1000

/** The moment from which on a space that was deleted at `deletedAt` is gone for good, in milliseconds. */
export const expiryOf = (deletedAt: string): number => Date.parse(deletedAt) + retentionMillis

/** Whether a space is in the bin for so long that it cannot come back. */
export const isExpired = (space: Pick<SpaceRow, "deletedAt">, nowMillis: number): boolean =>
  space.deletedAt !== null && nowMillis >= expiryOf(space.deletedAt)

/**
 * Who can read the content: those whom a published site that it is on is for; else those of the collection, where it
 * inherits from one; else those it is shared with.
 */
export const visibilityOf = (
  space: Pick<SpaceRow, "parent" | "defaultLevel" | "published">
): ContentVisibility =>
  space.published !== null
    ? space.published.visibility
    : space.parent !== null && space.defaultLevel === "inherit"
      ? "in-collection"
      : "private"

/** What a transfer to the organization that owns the content already is answered with. */
export const sameOrganization = new Conflict({ message: "The content is in this organization already." })

/** The emoji of a space that has none of its own. */
export const defaultEmoji = "📖"

/** The title of content that was made without one. */
export const defaultTitle = "Untitled"

const copySuffix = " (copy)"

/** The title of a copy, within the 50 characters that a title can have. */
export const titleOfCopy = (title: string): string =>
  Array.from(title)
    .slice(0, 50 - copySuffix.length)
    .join("") + copySuffix
