/** Displays a document that is edited elsewhere, such as a reusable content, within the text. */
import { EditorState } from "prosemirror-state"
import { EditorView } from "prosemirror-view"
import type { EditorContext } from "./context.ts"
import { fromDocument } from "./convert.ts"
import type { Document } from "./model.ts"
import { highlight } from "./plugins/highlight.ts"
import { element } from "./ui/dom.ts"
import { makeNodeViews } from "./views/nodeViews.ts"

/**
 * Displays a document in an element, without a way to change it. Returns the function that removes it. A reusable content in the document
 * is displayed as a card, so that one which contains itself ends.
 */
export const displayDocument = (
  context: EditorContext,
  document: Document,
  into: HTMLElement
): (() => void) => {
  const mount = element("div", { class: "content editor-included", inert: true })
  into.append(mount)
  const { display: _, comment: __, ...shared } = context
  const own: EditorContext = { ...shared, view: () => view, trackPosition: () => () => undefined }
  const view: EditorView = new EditorView(
    { mount },
    {
      state: EditorState.create({ doc: fromDocument(document), plugins: [highlight()] }),
      editable: () => false,
      nodeViews: makeNodeViews(own),
      dispatchTransaction: (transaction) => {
        // The colors of code arrive as a transaction.
        if (!transaction.docChanged) view.updateState(view.state.apply(transaction))
      }
    }
  )
  return () => view.destroy()
}
