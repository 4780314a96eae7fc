/** Commands on all blocks of a selection: move, duplicate and delete. */
import { Fragment, type Node } from "prosemirror-model"
import {
  AllSelection,
  type Command,
  type EditorState,
  Selection,
  TextSelection,
  type Transaction
} from "prosemirror-state"
import { schema } from "../schema/schema.ts"
import { copyOf, deleteBlock, duplicateBlock, moveBlock } from "./blocks.ts"

/** Consecutive blocks with the same parent. */
interface BlockRange {
  readonly parent: Node
  readonly first: number
  /** The index after the last block. */
  readonly end: number
  readonly from: number
  readonly to: number
}

/** Containers whose parts are not blocks of their own: a selection across their parts is one across them. */
const isDivided = ({ type }: Node): boolean =>
  type.name.startsWith("table") || ["tabs", "columns", "expandable"].includes(type.name)

/** Returns the blocks that a selection of text spans, or `undefined` if it is in one block. */
const selectedRange = ({ selection, doc }: EditorState): BlockRange | undefined => {
  if (!(selection instanceof TextSelection || selection instanceof AllSelection)) return undefined
  const { $from, $to } = selection
  const range = $from.blockRange($to, (node) => !isDivided(node))
  if (range === null || range === undefined || range.endIndex - range.startIndex < 2) return undefined
  const { parent, startIndex: first, start: from } = range
  // Footnotes are after the blocks.
  let [end, to] = [range.endIndex, range.end]
  while (parent === doc && end > first && parent.child(end - 1).type === schema.nodes.footnote) {
    end--
    to -= parent.child(end).nodeSize
  }
  return end - first < 2 ? undefined : { parent, first, end, from, to }
}

const blocksOf = ({ parent, first, end }: BlockRange): ReadonlyArray<Node> =>
  parent.children.slice(first, end)

/** Runs a command on the selected blocks, or another one on the current block. */
const onSelected =
  (run: (state: EditorState, range: BlockRange) => Transaction | undefined) =>
  (single: Command): Command =>
  (state, dispatch, view) => {
    const range = selectedRange(state)
    if (range === undefined) return single(state, dispatch, view)
    const transaction = run(state, range)
    if (transaction === undefined) return false
    dispatch?.(transaction.scrollIntoView())
    return true
  }

/** Moves the selected blocks before the previous block, or after the next one. */
export const moveBlocks = (direction: -1 | 1): Command =>
  onSelected((state, range) => {
    const { parent, first, end, from, to } = range
    const target = direction < 0 ? first - 1 : end
    if (target < 0 || target >= parent.childCount) return undefined
    const other = parent.child(target)
    if (other.type === schema.nodes.footnote) return undefined
    const blocks = blocksOf(range)
    const offset = direction * other.nodeSize
    const both = direction < 0 ? [...blocks, other] : [other, ...blocks]
    const transaction = state.tr.replaceWith(
      direction < 0 ? from - other.nodeSize : from,
      direction < 0 ? to : to + other.nodeSize,
      Fragment.fromArray(both)
    )
    const { anchor, head } = state.selection
    return transaction.setSelection(TextSelection.create(transaction.doc, anchor + offset, head + offset))
  })(moveBlock(direction))

/** Inserts copies of the selected blocks after them. */
export const duplicateBlocks: Command = onSelected((state, range) =>
  state.tr.insert(range.to, Fragment.fromArray(blocksOf(range).map(copyOf)))
)(duplicateBlock)

/** Deletes the selected blocks. */
export const deleteBlocks: Command = onSelected((state, { parent, first, end, from, to }) => {
  const transaction = state.tr
  if (parent.canReplace(first, end)) transaction.delete(from, to)
  else if (parent.canReplaceWith(first, end, schema.nodes.paragraph!))
    transaction.replaceWith(from, to, schema.nodes.paragraph!.create())
  else return undefined
  const place = transaction.doc.resolve(Math.min(from, transaction.doc.content.size))
  return transaction.setSelection(Selection.near(place, 1))
})(deleteBlock)
