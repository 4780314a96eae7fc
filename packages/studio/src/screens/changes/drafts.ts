/** Text that was typed on this device and is not on the server yet. */

/** The text of a page. */
export interface Draft {
  readonly title: string
  readonly markdown: string
  /** The text of the server that the draft began with. */
  readonly base: string
}

const keyOf = (spaceId: string, change: string, pageId: string): string =>
  `lectern.draft.${spaceId}.${change}.${pageId}`

const isDraft = (value: unknown): value is Draft => {
  if (typeof value !== "object" || value === null) return false
  const fields = value as Readonly<Record<string, unknown>>
  return ["title", "markdown", "base"].every((name) => typeof fields[name] === "string")
}

/** Returns the draft of a page, if there is one on this device. */
export const readDraft = (spaceId: string, change: string, pageId: string): Draft | undefined => {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf(spaceId, change, pageId)) ?? "null")
    return isDraft(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Stores a draft. Returns whether the browser has stored it. */
export const writeDraft = (spaceId: string, change: string, pageId: string, draft: Draft): boolean => {
  try {
    localStorage.setItem(keyOf(spaceId, change, pageId), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

/** Removes the draft of a page, once the server has stored it. */
export const removeDraft = (spaceId: string, change: string, pageId: string): void =>
  localStorage.removeItem(keyOf(spaceId, change, pageId))
