/** Tables: bounded, for a few letters can ask for a million of cells. */
import type { Element } from "hast"
import { attribute, elementsIn, isElement } from "./nodes.ts"

/** The most cells of a table, those that are filled up too. */
const maximumCells = 20_000

const spanOf = (cell: Element, name: "colSpan" | "rowSpan"): number => {
  const span = Number.parseInt(attribute(cell, name) ?? "1", 10)
  return Number.isFinite(span) ? Math.min(Math.max(span, 1), 1000) : 1
}

const isCell = (element: Element): boolean => isElement(element, "td", "th")

/** The rows of a table with their cells, those of tables in it left out. */
const rowsOf = (table: Element): ReadonlyArray<ReadonlyArray<Element>> =>
  elementsIn(table, (element) => isElement(element, "table"))
    .filter((element) => isElement(element, "tr"))
    .map((row) => row.children.filter((cell): cell is Element => isElement(cell) && isCell(cell)))

/** What becomes of a table: it stays one, or what is in its cells follows one another. */
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
  return rows.length * widest <= maximumCells && rows.length * tallest * widest <= maximumCells * 10
}
