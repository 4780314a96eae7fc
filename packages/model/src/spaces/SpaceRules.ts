/** The rules of spaces and of their life cycle, as pure functions. */
import { Conflict } from "../errors/errors.ts"
import type { UpdateSpace } from "./Space.ts"

/** The retention period of spaces in the trash, in milliseconds: 7 days. */
export const retentionMillis = 7 * 24 * 60 * 60 * 1000

/** Returns the time after which a space that was deleted at `deletedAt` can no longer be restored, in milliseconds. */
export const expiryOf = (deletedAt: string): number => Date.parse(deletedAt) + retentionMillis

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
