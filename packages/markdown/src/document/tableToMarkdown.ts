/** Converts the table of a document to a table of the syntax tree. */

import type { Table } from "@lectern/model/document"
import type * as Mdast from "mdast"
import { type Definitions, toSingleLine } from "./inlinesToMarkdown.ts"

/** Converts a table. Rows are sorted by `orderIndex`, columns by the view, followed by columns that the view omits. */
export const toTable = (table: Table, definitions: Definitions): Mdast.Table => {
  const fragments = new Map(table.fragments.map((fragment) => [fragment.fragment, fragment]))
  const columns = new Map(Object.entries(table.data.definition))
  const viewColumns = table.data.view.columns
  const columnIndexes = new Map(viewColumns.map((id, index) => [id, index]))
  for (const id of columns.keys()) if (!columnIndexes.has(id)) columnIndexes.set(id, columnIndexes.size)
  const inCell = (name: string): Array<Mdast.PhrasingContent> =>
    (fragments.get(name)?.nodes ?? []).flatMap((block, index) => {
      // Cells with other blocks are written as HTML.
      const children = block.type === "paragraph" ? toSingleLine(block.nodes, definitions) : []
      return index === 0 ? children : [lineBreak, ...children]
    })
  const cell = (children: Array<Mdast.PhrasingContent>): Mdast.TableCell => ({ type: "tableCell", children })

  const titles = viewColumns.map((id) => {
    const column = columns.get(id)
    if (column?.titleFragment !== undefined) return cell(inCell(column.titleFragment))
    return cell(column === undefined || column.title === "" ? [] : [{ type: "text", value: column.title }])
  })
  const records = Object.values(table.data.records)
    .sort((a, b) => (a.orderIndex < b.orderIndex ? -1 : a.orderIndex > b.orderIndex ? 1 : 0))
    .map((record): Mdast.TableRow => {
      // Missing cells must cost nothing: adversarial tables have many columns and short rows.
      const cells: Array<Mdast.TableCell> = []
      for (const [id, name] of Object.entries(record.values)) {
        const index = columnIndexes.get(id)
        if (index === undefined || typeof name !== "string") continue
        while (cells.length <= index) cells.push(cell([]))
        cells[index] = cell(inCell(name))
      }
      return { type: "tableRow", children: cells }
    })
  return {
    type: "table",
    align: viewColumns.map((id) => {
      const column = columns.get(id)
      if (column?.type !== "text") return null
      return column.textAlignment === "left" && column.aligned !== true ? null : column.textAlignment
    }),
    children: [{ type: "tableRow", children: titles }, ...records]
  }
}

/** A line break in a cell. */
const lineBreak: Mdast.Html = { type: "html", value: "<br>" }
