/** Changes of the elements of a view that the editor must not read as content. */
import type { ViewMutationRecord } from "prosemirror-view"

/** Whether a mutation changed only elements of the view around its content, which the view itself controls. */
export const isOutsideContent = (mutation: ViewMutationRecord, content: HTMLElement): boolean => {
  if (mutation.type === "selection") return false
  if (!content.contains(mutation.target)) return true
  return mutation.target === content && mutation.type === "attributes"
}
