/** The notice above content whose changes readers see immediately, or that cannot be edited here. */
import type { EditorContext } from "../context.ts"
import type { EditMode } from "../EditorBackend.ts"
import { element } from "./dom.ts"

/**
 * Displays how a document can be edited. `onEdit` is called when the writer chooses to edit a live document. The notice of the choice
 * remains above the text while it is edited.
 */
export const showEditMode = (
  { messages, root, announce }: EditorContext,
  mode: EditMode,
  onEdit: () => void
): void => {
  if (mode === "draft") return
  const text = element("span", {}, mode === "live" ? messages.livePage : messages.lockedPage)
  const notice = element("div", { class: "editor-live-notice", role: "note" }, text)
  if (mode === "live") {
    const button = element("button", { type: "button", class: "editor-primary" }, messages.editLive)
    button.addEventListener("click", () => {
      button.remove()
      text.textContent = messages.editingLive
      announce(messages.editingLive)
      notice.classList.add("editing")
      onEdit()
    })
    notice.append(button)
  }
  root.prepend(notice)
}
