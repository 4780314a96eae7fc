/** Commands on tables, which keep the first row as the row of columns. */
import type { Node } from "prosemirror-model"
import { type Command, type EditorState, TextSelection } from "prosemirror-state"
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  isInTable,
  moveTableColumn,
  moveTableRow,
  selectedRect
} from "prosemirror-tables"
import type { JsonObject } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"

export { addColumnAfter, addColumnBefore }

const hasHeader = (table: Node): boolean => table.firstChild?.firstChild?.type === schema.nodes.table_header

const isInHeader = (state: EditorState): boolean => {
  const { top, table } = selectedRect(state)
  return top === 0 && hasHeader(table)
}

/** Adds a row above the current one, below the row of columns. */
export const addRowAbove: Command = (state, dispatch) =>
  isInTable(state) && !isInHeader(state) && addRowBefore(state, dispatch)

/** Adds a row below the current one. The cells of a row below the row of columns are ordinary cells. */
export const addRowBelow: Command = (state, dispatch) => {
  if (!isInTable(state)) return false
  if (!isInHeader(state) || selectedRect(state).bottom > 1) return addRowAfter(state, dispatch)
  if (dispatch !== undefined) {
    const { table, tableStart, map } = selectedRect(state)
    const cells = Array.from({ length: map.width }, () =>
      schema.nodes.table_cell!.create(null, schema.nodes.paragraph!.create())
    )
    dispatch(
      state.tr.insert(tableStart + table.child(0).nodeSize, schema.nodes.table_row!.create(null, cells))
    )
  }
  return true
}

/** Adds a row at the end if the cursor is in the last cell. */
export const addRowAtEnd: Command = (state, dispatch) => {
  if (!isInTable(state)) return false
  const { bottom, right, map, table, tableStart } = selectedRect(state)
  if (bottom !== map.height || right !== map.width) return false
  return addRowBelow(
    state,
    dispatch &&
      ((transaction) => {
        const inside = transaction.doc.resolve(tableStart + table.content.size + 1)
        dispatch(transaction.setSelection(TextSelection.near(inside)).scrollIntoView())
      })
  )
}

/** Deletes the current rows. The row of columns and the last row remain. */
export const removeRow: Command = (state, dispatch) =>
  isInTable(state) && !isInHeader(state) && selectedRect(state).map.height > 2 && deleteRow(state, dispatch)

/** Deletes the current columns. */
export const removeColumn: Command = (state, dispatch) => isInTable(state) && deleteColumn(state, dispatch)

/** Moves the current row. */
export const moveRow =
  (direction: -1 | 1): Command =>
  (state, dispatch) => {
    if (!isInTable(state)) return false
    const { top, map, table } = selectedRect(state)
    const first = hasHeader(table) ? 1 : 0
    const to = top + direction
    if (top < first || to < first || to >= map.height) return false
    return moveTableRow({ from: top, to })(state, dispatch)
  }

/** Moves the current column. */
export const moveColumn =
  (direction: -1 | 1): Command =>
  (state, dispatch) => {
    if (!isInTable(state)) return false
    const { left, map } = selectedRect(state)
    const to = left + direction
    return to >= 0 && to < map.width && moveTableColumn({ from: left, to })(state, dispatch)
  }

/** Returns the settings of the current column. */
export const currentColumn = (state: EditorState): JsonObject | undefined => {
  if (!isInTable(state)) return undefined
  const { left, table } = selectedRect(state)
  if (!hasHeader(table)) return undefined
  const cell = table.firstChild!.maybeChild(left)
  return (cell?.attrs.column ?? { id: "", title: "", type: "text", textAlignment: "left" }) as JsonObject
}

const emptyOptions = {
  select: { multiple: false, options: [] },
  users: { multiple: true },
  rating: { max: 5 }
}

/** Returns the settings of a column with another type. */
const columnOfType = (column: JsonObject, type: string): JsonObject => {
  const { id, title } = column
  const own =
    type === "text" ? { textAlignment: "left" } : (emptyOptions[type as keyof typeof emptyOptions] ?? {})
  return column.type === type ? column : ({ id, title, type, ...own } as JsonObject)
}

const { paragraph, cell_value: cellValue } = schema.nodes

/** Converts the content of a cell to another type of column. Text that is not a value of the type becomes empty. */
const convertedCell = (cell: Node, type: string): Node => {
  if (type === "text") {
    const value = cell.firstChild?.type === cellValue ? cell.firstChild!.attrs.value : undefined
    if (value === undefined) return cell
    const text = typeof value === "object" ? "" : String(value ?? "")
    return cell.type.create({ ...cell.attrs, fragment: null }, [
      paragraph!.create(null, text === "" ? null : schema.text(text))
    ])
  }
  const text = cell.textContent.trim()
  const number = Number(text.replace(",", "."))
  const value =
    type === "number" || type === "rating"
      ? text !== "" && Number.isFinite(number)
        ? number
        : null
      : type === "checkbox"
        ? /^(?:true|yes|x|1|✓)$/i.test(text)
        : null
  return cell.type.create({ ...cell.attrs, fragment: null }, [cellValue!.create({ value })])
}

/** Whether a change of the type of the current column would lose text. */
export const losesText = (state: EditorState, type: string): boolean => {
  const { table, left } = selectedRect(state)
  let isLost = false
  table.forEach((row, _, index) => {
    const cell = row.maybeChild(left)
    if (index === 0 || cell === null || isLost) return
    const converted = convertedCell(cell, type)
    isLost = cell.textContent.trim() !== "" && converted.firstChild?.attrs.value === null
  })
  return isLost
}

/** Changes the settings of the current column, and converts its cells if the type changes. */
export const setColumn =
  (change: JsonObject): Command =>
  (state, dispatch) => {
    const column = currentColumn(state)
    if (column === undefined) return false
    if (dispatch === undefined) return true
    const { table, tableStart, left } = selectedRect(state)
    const type = String(change.type ?? column.type)
    const next = { ...columnOfType(column, type), ...change }
    const transaction = state.tr
    table.forEach((row, offset, index) => {
      const cell = row.maybeChild(left)
      if (cell === null) return
      let position = tableStart + offset + 1
      for (let at = 0; at < left; at++) position += row.child(at).nodeSize
      position = transaction.mapping.map(position)
      if (index === 0) transaction.setNodeMarkup(position, null, { ...cell.attrs, column: next })
      else if (type !== column.type) {
        transaction.replaceWith(position, position + cell.nodeSize, convertedCell(cell, type))
      }
    })
    dispatch(transaction)
    return true
  }
