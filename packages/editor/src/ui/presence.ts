/** Announces the editor to others, and displays who else has the document open. */
import type { EditorContext } from "../context.ts"

/** The time after a change in which others see that the writer edits the text, in milliseconds. */
export const editingMs = 60_000

const shortestInterval = 1_000

/** The announcements of an editor. */
export interface AnnouncedEditor {
  /** Announces that the writer has changed the text, if others do not see it yet. */
  readonly changed: () => void
}

/** Announces the editor until it is destroyed. While the page is hidden, the announcement expires. */
export const watchPresence = (
  { backend, messages, signal }: EditorContext,
  isEditing: () => boolean,
  show: (names: ReadonlyArray<string>) => void
): AnnouncedEditor => {
  const presence = backend?.presence
  if (presence === undefined) return { changed: () => undefined }
  let wasEditing = false
  const announce = async (): Promise<void> => {
    if (document.visibilityState === "hidden" || signal.aborted) return
    wasEditing = isEditing()
    const others = await presence.announce({ isEditing: wasEditing }, signal).catch(() => undefined)
    if (signal.aborted || others === undefined) return
    // Several windows of one person are one name.
    const names = new Map<string, boolean>()
    for (const { name, isEditing: edits } of others) names.set(name, names.get(name) === true || edits)
    show(Array.from(names, ([name, edits]) => (edits ? messages.editing(name) : name)))
  }
  const timer = setInterval(() => void announce(), Math.max(shortestInterval, presence.intervalMs))
  signal.addEventListener("abort", () => {
    clearInterval(timer)
    presence.leave()
  })
  window.addEventListener("pagehide", () => presence.leave(), { signal })
  document.addEventListener("visibilitychange", () => void announce(), { signal })
  void announce()
  return {
    changed: () => {
      if (!wasEditing) void announce()
    }
  }
}
