/** From the table of a document to a table of the syntax tree. */
import type * as Mdast from "mdast"
import type { Table } from "../../../model/content/document/Block.ts"
import { type Definitions, toLine } from "./inlinesToMarkdown.ts"

/** Rows are in the order of `orderIndex`, columns in that of the view, and those that it does not show after them. */
export const toTable = (table: Table, definitions: Definitions): Mdast.Table => {
  const fragments = new Map(table.fragments.map((fragment) => [fragment.fragment, fragment]))
  const columns = new Map(Object.entries(table.data.definition))
  const shown = table.data.view.columns
  const places = new Map(shown.map((id, index) => [id, index]))
  for (const id of columns.keys()) if (!places.has(id)) places.set(id, places.size)
  const inCell = (name: string): Array<Mdast.PhrasingContent> =>
    (fragments.get(name)?.nodes ?? []).flatMap((paragraph, index) => {
      const children = toLine(paragraph.nodes, definitions)
      return index === 0 ? children : [lineBreak, ...children]
    })
  const cell = (children: Array<Mdast.PhrasingContent>): Mdast.TableCell => ({ type: "tableCell", children })

  const titles = shown.map((id) => {
    const column = columns.get(id)
    if (column?.titleFragment !== undefined) return cell(inCell(column.titleFragment))
    return cell(column === undefined || column.title === "" ? [] : [{ type: "text", value: column.title }])
  })
  const records = Object.values(table.data.records)
    .sort((a, b) => (a.orderIndex < b.orderIndex ? -1 : a.orderIndex > b.orderIndex ? 1 : 0))
    .map((record): Mdast.TableRow => {
      // Most rows of a hostile table are short: only the cells that there are may cost something.
      const cells: Array<Mdast.TableCell> = []
      for (const [id, name] of Object.entries(record.values)) {
        const place = places.get(id)
        if (place === undefined || name === null) continue
        while (cells.length <= place) cells.push(cell([]))
        cells[place] = cell(inCell(name))
      }
      return { type: "tableRow", children: cells }
    })
  return {
    type: "table",
    align: shown.map((id) => {
      const column = columns.get(id)
      if (column === undefined) return null
      return column.textAlignment === "left" && column.aligned !== true ? null : column.textAlignment
    }),
    children: [{ type: "tableRow", children: titles }, ...records]
  }
}

/** The only break of a line that a cell can have. */
const lineBreak: Mdast.Html = { type: "html", value: "<br>" }
