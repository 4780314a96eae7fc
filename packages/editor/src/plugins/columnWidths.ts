/** Resizing of the columns of tables by their borders. A click on a border places the cursor and leaves the widths as they are. */
import { Plugin, PluginKey, Selection } from "prosemirror-state"
import {
  cellAround,
  columnResizing,
  columnResizingPluginKey,
  updateColumnsOnResize
} from "prosemirror-tables"
import type { EditorView } from "prosemirror-view"
import { LecternTableView } from "../views/tableViews.ts"

/** The width in pixels of columns without one in the minimum width of a table. */
const unsizedWidth = 100

const activeBorder = (view: EditorView): number =>
  columnResizingPluginKey.getState(view.state)?.activeHandle ?? -1

/** Displays the stored widths of the columns of a table again. */
const showStoredWidths = (view: EditorView, border: number): void => {
  const $cell = cellAround(view.state.doc.resolve(border + 1))
  if ($cell === null) return
  const { node } = view.domAtPos($cell.start(-1))
  const table = (node instanceof Element ? node : node.parentElement)?.closest("table")
  const columns = table?.querySelector("colgroup")
  if (table === null || table === undefined || columns === null || columns === undefined) return
  updateColumnsOnResize($cell.node(-1), columns, table, unsizedWidth)
}

/** Ends a press on the border of a cell without a drag as a click: the cursor is at the end of the cell. */
const endAsClick = (view: EditorView, border: number): void => {
  view.dispatch(view.state.tr.setMeta(columnResizingPluginKey, { setDragging: null }))
  showStoredWidths(view, border)
  const { doc, tr } = view.state
  const end = border + (doc.nodeAt(border)?.nodeSize ?? 2) - 1
  view.dispatch(tr.setSelection(Selection.near(doc.resolve(end), -1)))
  view.focus()
}

/** The listener of a press, before the one of the library, which stores a width and prevents the focus of the editor. */
const clicks = (): Plugin =>
  new Plugin({
    key: new PluginKey("columnBorderClicks"),
    props: {
      handleDOMEvents: {
        mousedown: (view, pressed) => {
          const border = activeBorder(view)
          if (border === -1 || !view.editable) return false
          // The library listens to the release in the later phase.
          const release = (released: MouseEvent): void => {
            window.removeEventListener("mouseup", release, true)
            if (released.clientX !== pressed.clientX) return
            endAsClick(view, border)
          }
          window.addEventListener("mouseup", release, true)
          return false
        }
      }
    }
  })

/** The plugins that resize columns. */
export const columnWidths = (): ReadonlyArray<Plugin> => [
  clicks(),
  columnResizing({ View: LecternTableView, handleWidth: 6, cellMinWidth: 60 })
]
