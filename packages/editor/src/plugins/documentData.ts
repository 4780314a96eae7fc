/** Footnotes and definitions of links in the state of the editor. */
import type { EditorView } from "prosemirror-view"
import { fromDocument } from "../convert.ts"
import type { Document } from "../model.ts"
import { schema } from "../schema/schema.ts"

/** Replaces the footnotes and the definitions of links by the ones of a document. */
export const applyData = (view: EditorView, document: Document): void => {
  const { doc, tr: transaction } = view.state
  const after = fromDocument(document)
  const footnotes = after.children.filter(({ type }) => type === schema.nodes.footnote)
  const start = doc.children.reduce(
    (sum, node) => (node.type === schema.nodes.footnote ? sum : sum + node.nodeSize),
    0
  )
  view.dispatch(
    transaction.replaceWith(start, doc.content.size, footnotes).setDocAttribute("data", after.attrs.data)
  )
}
