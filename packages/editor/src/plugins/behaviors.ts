/** Small behaviors: placeholders, the numbers of emphasized lines, values of cells, and opening what contains the cursor. */
import type { Node } from "prosemirror-model"
import { Plugin, type Transaction } from "prosemirror-state"
import { Decoration, DecorationSet } from "prosemirror-view"
import type { EditorContext } from "../context.ts"
import type { JsonObject } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"
import { openSettings } from "../ui/SettingsForm.ts"
import { revealSelection } from "../views/containerViews.ts"

const { nodes } = schema

/** Displays placeholder text in the empty block at the cursor. */
export const placeholder = ({ messages }: EditorContext): Plugin =>
  new Plugin({
    props: {
      decorations: (state) => {
        const { $from, empty } = state.selection
        const { parent } = $from
        if (!empty || parent.content.size > 0 || !parent.isTextblock || $from.depth === 0) return null
        // The text would widen the column of the cell, and move the others.
        if ($from.node(-1).type.spec.tableRole !== undefined) return null
        const text =
          parent.type === nodes.heading
            ? messages.headingPlaceholder(parent.attrs.level as number)
            : parent.type === nodes.paragraph
              ? messages.placeholder
              : parent.type === nodes.expandable_title
                ? messages.titlePlaceholder
                : undefined
        if (text === undefined) return null
        return DecorationSet.create(state.doc, [
          Decoration.node($from.before(), $from.after(), { class: "editor-empty", "data-placeholder": text })
        ])
      }
    }
  })

/** Returns the new index of a line after the text of a block changed; `undefined` if the line was removed. */
const movedLine = (
  index: number,
  before: ReadonlyArray<string>,
  after: ReadonlyArray<string>
): number | undefined => {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const most = Math.min(before.length, after.length) - start
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  if (index < start) return index
  if (index >= before.length - end) return index + after.length - before.length
  // The text of a changed line is another one, but the line still exists.
  return index < after.length - end ? index : undefined
}

/** Moves the emphasis of lines with the lines of the code that is changed. */
const moveHighlights = (before: Node, transaction: Transaction, change: Transaction): void => {
  const { $head } = transaction.selection
  if ($head.parent.type !== nodes.code) return
  const highlighted = $head.parent.attrs.highlighted as ReadonlyArray<number>
  if (highlighted.length === 0) return
  const position = $head.before()
  const old = before.nodeAt(transaction.mapping.invert().map(position, 1))
  if (old?.type !== nodes.code || old?.eq($head.parent) === true) return
  if (old!.attrs.highlighted !== highlighted) return
  const [was, is] = [old!.textContent.split("\n"), $head.parent.textContent.split("\n")]
  if (was.length === is.length) return
  const moved = highlighted.flatMap((index) => movedLine(index, was, is) ?? [])
  change.setNodeMarkup(position, null, { ...$head.parent.attrs, highlighted: moved })
}

const isValueColumn = (cell: Node | null): boolean => {
  const column = (cell?.attrs.column ?? null) as JsonObject | null
  return column !== null && column.type !== "text"
}

/** Adds the control of the value to new cells in columns of values. */
const completeCells = (transaction: Transaction, change: Transaction): void => {
  const { $head } = transaction.selection
  for (let depth = $head.depth; depth > 0; depth--) {
    const table = $head.node(depth)
    if (table.type !== nodes.table) continue
    const header = table.firstChild!
    if (!header.children.some((cell) => isValueColumn(cell))) return
    table.forEach((row, offset, index) => {
      if (index === 0) return
      let position = $head.start(depth) + offset + 1
      row.forEach((cell, _, column) => {
        const isMissing =
          isValueColumn(header.maybeChild(column)) && cell.firstChild?.type !== nodes.cell_value
        if (isMissing && cell.textContent === "") {
          const at = change.mapping.map(position)
          change.replaceWith(at + 1, at + cell.nodeSize - 1, nodes.cell_value!.create())
        }
        position += cell.nodeSize
      })
    })
    return
  }
}

/** Completes changes: moves the emphasis of lines, and adds the controls of values to new cells. */
export const completions = (): Plugin =>
  new Plugin({
    appendTransaction: (transactions, before, state) => {
      const [transaction] = transactions
      if (transactions.length !== 1 || transaction === undefined || !transaction.docChanged) return null
      if (transaction.getMeta("history$") !== undefined) return null
      const change = state.tr
      moveHighlights(before.doc, transaction, change)
      completeCells(transaction, change)
      return change.docChanged ? change : null
    }
  })

/** Opens tabs and expandable blocks around the cursor, and the settings of blocks that are inserted by a shortcut. */
export const reveal = (context: EditorContext): Plugin =>
  new Plugin({
    appendTransaction: (transactions) => {
      const position = transactions
        .map((one) => one.getMeta("lectern-settings") as unknown)
        .find((meta) => typeof meta === "number")
      if (position !== undefined)
        setTimeout(() => !context.signal.aborted && openSettings(context, position as number))
      return null
    },
    view: () => ({
      update: (view, before) => {
        if (!view.state.selection.eq(before.selection)) revealSelection(view)
      }
    })
  })
