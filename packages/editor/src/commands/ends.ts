/** Commands at the end of the document. */
import { type Command, type EditorState, NodeSelection, Selection } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import { schema } from "../schema/schema.ts"

const { nodes } = schema

/** Returns the position after the cursor, or after the row of its table: a cell has other cells next to it. */
const positionBelow = ({ selection: { $to } }: EditorState): number => {
  for (let depth = 1; depth < $to.depth; depth++) {
    if ($to.node(depth).type === nodes.table_row) return $to.after(depth)
  }
  return $to.after()
}

/** Whether the cursor is in the last line of text. `view` determines its line in its block. */
const isLastLine = (state: EditorState, view: EditorView | undefined): boolean => {
  const { $to, empty } = state.selection
  if (!empty || !$to.parent.isTextblock) return false
  if (Selection.findFrom(state.doc.resolve(positionBelow(state)), 1, true) !== null) return false
  return view === undefined || view.endOfTextblock("down", state)
}

/** The down key in the last line adds a paragraph, if the document ends with a block that a writer cannot leave otherwise. */
export const continueAfter: Command = (state, dispatch, view) => {
  const { selection, doc } = state
  const last = doc.lastChild
  if (last === null || last.type === nodes.footnote || last.type.isInGroup("list")) return false
  if (last.isTextblock && last.type !== nodes.code) return false
  const isSelected = selection instanceof NodeSelection && selection.to === doc.content.size
  if (!isSelected && !isLastLine(state, view)) return false
  if (dispatch !== undefined) {
    const transaction = state.tr.insert(doc.content.size, nodes.paragraph!.create())
    dispatch(transaction.setSelection(Selection.atEnd(transaction.doc)).scrollIntoView())
  }
  return true
}

/** Moves the cursor to the end of the document. Browsers stop before a last block that is not text, such as an image. */
export const goToEnd: Command = (state, dispatch) => {
  dispatch?.(state.tr.setSelection(Selection.atEnd(state.doc)).scrollIntoView())
  return true
}
