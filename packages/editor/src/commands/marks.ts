/** Commands on marks and links. */
import type { Mark, MarkType } from "prosemirror-model"
import type { Command, EditorState } from "prosemirror-state"
import type { JsonObject } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"

/** Whether the selection, or the text that is typed next, has a mark. */
export const hasMark = (state: EditorState, type: MarkType): boolean => {
  const { from, to, empty, $from } = state.selection
  if (empty) return type.isInSet(state.storedMarks ?? $from.marks()) !== undefined
  return state.doc.rangeHasMark(from, to, type)
}

/** A mark with the range of the text that has it. */
export interface MarkRange {
  readonly mark: Mark
  readonly from: number
  readonly to: number
}

/** Returns the mark of a type at the cursor, with its range. */
export const markRangeAt = (state: EditorState, type: MarkType): MarkRange | undefined => {
  const { $from, empty } = state.selection
  const { parent, parentOffset } = $from
  const inside = parent.childAfter(parentOffset)
  const before = parent.childBefore(parentOffset)
  const child =
    inside.node !== null && type.isInSet(inside.node.marks)
      ? inside
      : empty && before.node !== null && type.isInSet(before.node.marks)
        ? before
        : undefined
  if (child?.node == null) return undefined
  const mark = type.isInSet(child.node.marks)!
  let [first, last] = [child.index, child.index]
  while (first > 0 && mark.isInSet(parent.child(first - 1).marks)) first--
  while (last + 1 < parent.childCount && mark.isInSet(parent.child(last + 1).marks)) last++
  let from = $from.start()
  for (let index = 0; index < first; index++) from += parent.child(index).nodeSize
  let to = from
  for (let index = first; index <= last; index++) to += parent.child(index).nodeSize
  return { mark, from, to }
}

/** Sets the target of the link at the cursor or of the selection. Without text, it inserts the title. */
export const setLink =
  (ref: JsonObject, title: string): Command =>
  (state, dispatch) => {
    const type = schema.marks.link!
    const known = markRangeAt(state, type)
    const { from, to, empty, $from } = state.selection
    if (!$from.parent.inlineContent || !$from.parent.type.allowsMarkType(type)) return false
    if (dispatch === undefined) return true
    const transaction = state.tr
    if (known !== undefined) {
      // A reference to a definition would keep its target.
      const { reference: _, ...data } = known.mark.attrs.data as JsonObject
      transaction.removeMark(known.from, known.to, type)
      transaction.addMark(known.from, known.to, type.create({ data: { ...data, ref } }))
    } else if (empty) {
      const marks = type.create({ data: { ref } }).addToSet(state.storedMarks ?? $from.marks())
      transaction.replaceSelectionWith(
        schema.text(title === "" ? String(ref.url ?? "…") : title, marks),
        false
      )
    } else transaction.addMark(from, to, type.create({ data: { ref } }))
    dispatch(transaction.removeStoredMark(type).scrollIntoView())
    return true
  }

/** Removes the mark of a type at the cursor or from the selection. */
export const removeMarkAt =
  (type: MarkType): Command =>
  (state, dispatch) => {
    const known = markRangeAt(state, type)
    const { from, to, empty } = state.selection
    if (known === undefined && (empty || !state.doc.rangeHasMark(from, to, type))) return false
    dispatch?.(state.tr.removeMark(known?.from ?? from, known?.to ?? to, type))
    return true
  }

/** Removes all marks from the selection. */
export const clearMarks: Command = (state, dispatch) => {
  const { from, to, empty } = state.selection
  if (empty) return false
  const transaction = state.tr
  for (const type of Object.values(schema.marks)) {
    if (type !== schema.marks.soft_break) transaction.removeMark(from, to, type)
  }
  dispatch?.(transaction)
  return true
}

/** Sets the colors of the selection. The default colors remove the mark. */
export const setColor =
  (text: string, background: string): Command =>
  (state, dispatch) => {
    const { from, to, empty } = state.selection
    if (empty) return false
    const type = schema.marks.color!
    const transaction = state.tr.removeMark(from, to, type)
    if (text !== "default" || background !== "default") {
      transaction.addMark(from, to, type.create({ text, background }))
    }
    dispatch?.(transaction)
    return true
  }
