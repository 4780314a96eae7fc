/** Announces the editor to others, and displays who else has the document open. */
import type { EditorContext } from "../context.ts"

const shortestInterval = 1_000

/** Announces the editor until it is destroyed. While the page is hidden, the announcement expires. */
export const watchPresence = (
  { backend, messages, signal }: EditorContext,
  isEditing: () => boolean,
  show: (names: ReadonlyArray<string>) => void
): void => {
  const presence = backend?.presence
  if (presence === undefined) return
  const announce = async (): Promise<void> => {
    if (document.visibilityState === "hidden") return
    const others = await presence.announce({ isEditing: isEditing() }, signal).catch(() => [])
    if (!signal.aborted)
      show(others.map(({ name, isEditing: edits }) => (edits ? messages.editing(name) : name)))
  }
  const timer = setInterval(() => void announce(), Math.max(shortestInterval, presence.intervalMs))
  signal.addEventListener("abort", () => {
    clearInterval(timer)
    presence.leave()
  })
  window.addEventListener("pagehide", () => presence.leave(), { signal })
  void announce()
}
