/** Limits the size of tables: `colspan` and `rowspan` can declare millions of cells in a few characters. */
import type { Element } from "hast"
import { attribute, elementsIn, isElement } from "./nodes.ts"

/** The maximum number of cells of a table, including cells that spans fill. */
const maxCells = 20_000

const spanOf = (cell: Element, name: "colSpan" | "rowSpan"): number => {
  const span = Number.parseInt(attribute(cell, name) ?? "1", 10)
  return Number.isFinite(span) ? Math.min(Math.max(span, 1), 1000) : 1
}

const isCell = (element: Element): boolean => isElement(element, "td", "th")

/** Returns the cells of each row of a table, without the cells of nested tables. */
const rowsOf = (table: Element): ReadonlyArray<ReadonlyArray<Element>> =>
  elementsIn(table, (element) => isElement(element, "table"))
    .filter((element) => isElement(element, "tr"))
    .map((row) => row.children.filter((cell): cell is Element => isElement(cell) && isCell(cell)))

/**
 * Returns whether a table contains data. The cells of layout tables and of oversized ones become a sequence of blocks.
 */
export const isTable = (table: Element): boolean => {
  const role = attribute(table, "role")
  if (role === "presentation" || role === "none") return false
  const rows = rowsOf(table)
  const widest = Math.max(
    0,
    ...rows.map((cells) => cells.reduce((sum, cell) => sum + spanOf(cell, "colSpan"), 0))
  )
  const tallest = Math.max(0, ...rows.flatMap((cells) => cells.map((cell) => spanOf(cell, "rowSpan"))))
  if (rows.length <= 1 && widest <= 1) return false
  return rows.length * widest <= maxCells && rows.length * tallest * widest <= maxCells * 10
}
