/** The actions of the menu of a table, for the row and the column of the cursor. */
import type { Command } from "prosemirror-state"
import {
  addColumnAfter,
  addColumnBefore,
  addRowAbove,
  addRowBelow,
  currentColumn,
  losesText,
  moveColumn,
  moveRow,
  removeColumn,
  removeRow,
  setColumn
} from "../commands/tables.ts"
import type { EditorContext } from "../context.ts"
import type { MenuItem } from "./Menu.ts"

const types = ["text", "number", "checkbox", "rating", "select", "users", "files", "content-ref", "image"]

const alignments: ReadonlyArray<readonly [string, string]> = [
  ["left", "align-left"],
  ["center", "bold"],
  ["right", "align-left"]
]

/** Returns the actions on the current row and column that are possible. */
export const tableItems = (context: EditorContext): ReadonlyArray<MenuItem> => {
  const view = context.view()
  const { messages } = context
  const { state } = view
  const action = (title: string, icon: string, group: string, command: Command): ReadonlyArray<MenuItem> =>
    command(state)
      ? [
          {
            title,
            icon,
            group,
            run: () => {
              command(view.state, view.dispatch)
              view.focus()
            }
          }
        ]
      : []
  const column = currentColumn(state)
  return [
    ...action(messages.addRowAbove, "plus", messages.row, addRowAbove),
    ...action(messages.addRowBelow, "plus", messages.row, addRowBelow),
    ...action(messages.moveRowUp, "arrow-up", messages.row, moveRow(-1)),
    ...action(messages.moveRowDown, "arrow-down", messages.row, moveRow(1)),
    ...action(messages.removeRow, "trash", messages.row, removeRow),
    ...action(messages.addColumnBefore, "plus", messages.column, addColumnBefore),
    ...action(messages.addColumnAfter, "plus", messages.column, addColumnAfter),
    ...action(messages.moveColumnBefore, "outdent", messages.column, moveColumn(-1)),
    ...action(messages.moveColumnAfter, "indent", messages.column, moveColumn(1)),
    ...action(messages.removeColumn, "trash", messages.column, removeColumn),
    ...(column?.type === "text"
      ? alignments.map(([alignment, icon]) => ({
          title: messages.choices[alignment] ?? alignment,
          icon,
          group: messages.fields.alignment ?? "",
          isChecked: column.textAlignment === alignment,
          run: () => {
            setColumn({ textAlignment: alignment, aligned: true })(view.state, view.dispatch)
            view.focus()
          }
        }))
      : []),
    ...(column === undefined
      ? []
      : types
          .filter((type) => type === column.type || !losesText(state, type))
          .map((type) => ({
            title: messages.columnTypes[type] ?? type,
            icon: "shapes",
            group: messages.columnType,
            isChecked: column.type === type,
            run: () => {
              setColumn({ type })(view.state, view.dispatch)
              view.focus()
            }
          })))
  ]
}
