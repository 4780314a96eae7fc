/**
 * Renders tables. Columns are as wide as their content requires. A table with many columns is split into several, one
 * below the other. The head is repeated on every page, and a row that is longer than a page continues on the next one.
 */
import type { GridView, Table, TableColumn, TableRecord } from "@lectern/formats/threads"
import type { Blocks } from "./blocks.ts"
import { Cells, rowsOf } from "./cells.ts"
import { type Align, alignedShift, type Flow, type Frame } from "./Flow.ts"
import { breakLines, type Line, type Span, type Style } from "./lines.ts"
import type { StructureElement } from "./pdfkit.ts"
import { colors, styles } from "./theme.ts"

/** The maximum number of columns in a row, and their minimum width in points. */
const maxColumns = 10
const minColumnWidth = 46

/** The number of rows that are measured to determine the widths of columns. */
const measuredRows = 100

const padding = { x: 6, y: 4 }

/** The minimum width that a column requests, in points. */
const minRequestedWidth = 36

/** The maximum height of an image in a cell, in points. */
const imageHeight = 160

/** Adds a table to the flow. */
export const addTable = (blocks: Blocks, table: Table, frame: Frame): void => {
  const view = table.data.view as GridView
  const columns = view.columns.flatMap((id) => table.data.definition[id] ?? [])
  const cells = new Cells(blocks, table)
  const rows = rowsOf(table)
  const columnsPerPart = Math.max(1, Math.min(maxColumns, Math.floor(frame.width / minColumnWidth)))
  for (let from = 0; from < columns.length; from += columnsPerPart) {
    if (from > 0) blocks.flow.addGap(8)
    const part = columns.slice(from, from + columnsPerPart)
    new TablePart(blocks.flow, cells, frame, part, view).addTo(rows)
  }
}

const alignOf = (column: TableColumn): Align =>
  column.type === "text"
    ? column.textAlignment
    : column.type === "number"
      ? "right"
      : column.type === "checkbox"
        ? "center"
        : undefined

type Cell = ReadonlyArray<Line>

/** Some adjacent columns of a table. */
class TablePart {
  private readonly flow: Flow
  private readonly cells: Cells
  private readonly frame: Frame
  private readonly columns: ReadonlyArray<TableColumn>
  private readonly view: GridView
  private widths: ReadonlyArray<number> = []

  constructor(flow: Flow, cells: Cells, frame: Frame, columns: ReadonlyArray<TableColumn>, view: GridView) {
    this.flow = flow
    this.cells = cells
    this.frame = frame
    this.columns = columns
    this.view = view
  }

  /** Adds the columns to the flow. */
  addTo(rows: ReadonlyArray<TableRecord>): void {
    this.widths = this.measureColumns(rows)
    const head = this.view.hideHeader
      ? undefined
      : this.layOut((column) => this.cells.title(column, styles.cellHead), styles.cellHead)
    const headHeight = head === undefined ? 0 : heightOf(head)
    // A head that fills most of a page is not repeated, since no room would be left for rows.
    const isRepeated = headHeight < 200
    this.flow.ensureHeight(Math.min(headHeight + 30, 200))
    if (head !== undefined) this.addRow(head, "TH")
    for (const row of rows) {
      const cells = this.layOut((column) => this.cells.value(column, row, styles.cell), styles.cell)
      const height = heightOf(cells)
      if (this.flow.remainingHeight < Math.min(height, 200) && !this.flow.isAtTop) {
        this.flow.startPage()
        if (head !== undefined && isRepeated) this.addRow(head, "Artifact")
      }
      this.addRow(cells, "TD")
    }
  }

  /** Returns the width of each column: its share, or that of its content, or less if the columns exceed the frame. */
  private measureColumns(rows: ReadonlyArray<TableRecord>): ReadonlyArray<number> {
    const room = { width: this.frame.width - padding.x * 2, imageHeight }
    const widest = (spans: ReadonlyArray<Span>, style: Style): number =>
      Math.max(
        ...breakLines(this.flow.fonts, spans, room, style)
          .slice(0, 50)
          .map((line) => line.width)
      )
    const requested = this.columns.map((column) => {
      const ownWidth = this.view.columnWidths?.[column.id]
      if (ownWidth !== undefined && ownWidth > 0) {
        const width = this.view.useNewSizing === true ? ownWidth * 0.75 : (ownWidth / 100) * this.frame.width
        return Math.max(minColumnWidth, width)
      }
      let width = widest(this.cells.title(column, styles.cellHead), styles.cellHead)
      for (const row of rows.slice(0, measuredRows)) {
        width = Math.max(width, widest(this.cells.value(column, row, styles.cell), styles.cell))
      }
      return Math.max(minRequestedWidth, width + padding.x * 2 + 0.5)
    })
    return distributeWidth(requested, this.frame.width)
  }

  private layOut(spansOf: (column: TableColumn) => ReadonlyArray<Span>, style: Style): ReadonlyArray<Cell> {
    return this.columns.map((column, index) => {
      const room = { width: Math.max(1, this.widths[index]! - padding.x * 2), imageHeight }
      return breakLines(this.flow.fonts, spansOf(column), room, style)
    })
  }

  /** Adds a row, split across as many pages as it needs. A repeated head is an artifact. */
  private addRow(cells: ReadonlyArray<Cell>, type: "TH" | "TD" | "Artifact"): void {
    const { structure } = this.flow
    if (type === "Artifact" || structure.isSuspended) this.addRowParts(cells, type, [])
    else {
      structure.within("TR", () => {
        const elements = cells.map(() => structure.open(type, type === "TH" ? { scope: "Column" } : {}))
        this.addRowParts(cells, type, elements)
        for (const element of elements) element.end()
      })
    }
  }

  private addRowParts(
    cells: ReadonlyArray<Cell>,
    type: "TH" | "TD" | "Artifact",
    elements: ReadonlyArray<StructureElement>
  ): void {
    const next = cells.map(() => 0)
    let isDone = false
    while (!isDone) {
      const smallest = Math.max(...cells.map((lines, column) => lineHeight(lines[next[column]!])))
      this.flow.ensureHeight(smallest + padding.y * 2)
      const room = this.flow.remainingHeight - padding.y * 2
      const parts = cells.map((lines, column) => {
        const first = next[column]!
        let height = 0
        let last = first
        while (last < lines.length && (last === first || height + lineHeight(lines[last]) <= room)) {
          height += lineHeight(lines[last])
          last++
        }
        next[column] = last
        return lines.slice(first, last)
      })
      isDone = cells.every((lines, column) => next[column]! >= lines.length)
      const height = heightOf(parts)
      this.flow.addBlock(height, (top) => this.drawRow(parts, top, height, type, elements))
    }
  }

  private drawRow(
    parts: ReadonlyArray<Cell>,
    top: number,
    height: number,
    type: "TH" | "TD" | "Artifact",
    elements: ReadonlyArray<StructureElement>
  ): void {
    const { document, structure } = this.flow
    const first = parts.find((lines) => lines.length > 0)?.[0]
    if (first !== undefined) this.flow.drawMarkers(top + padding.y + first.ascent)
    structure.artifact(() => this.drawGrid(top, height, type === "TD" ? undefined : colors.head))
    let left = this.frame.left
    for (const [column, lines] of parts.entries()) {
      const width = this.widths[column]!
      const draw = () => this.drawCell(lines, left, top, width, alignOf(this.columns[column]!), type)
      const element = elements[column]
      if (element === undefined || type === "Artifact") structure.artifact(draw)
      else structure.continue(element, type, draw)
      left += width
    }
    document.lineWidth(1)
  }

  private drawGrid(top: number, height: number, background: string | undefined): void {
    const { document } = this.flow
    let { left } = this.frame
    const width = this.widths.reduce((sum, one) => sum + one, 0)
    if (background !== undefined) document.rect(left, top, width, height).fill(background)
    document.lineWidth(0.5).strokeColor(colors.bar)
    for (const one of this.widths) {
      document.rect(left, top, one, height).stroke()
      left += one
    }
  }

  private drawCell(
    lines: Cell,
    left: number,
    top: number,
    width: number,
    align: Align,
    type: "TH" | "TD" | "Artifact"
  ): void {
    let y = top + padding.y
    for (const line of lines) {
      const x = left + padding.x + alignedShift(line, width - padding.x * 2, align)
      if (type === "Artifact") this.flow.drawArtifactLine(line, x, y + line.ascent)
      else this.flow.drawLine(line, x, y + line.ascent)
      y += line.ascent + line.descent
    }
  }
}

/**
 * Distributes a width among columns. Columns that request at most an equal share get their request. The others get half
 * of the rest in equal parts, and half in proportion to their requests.
 */
const distributeWidth = (requested: ReadonlyArray<number>, width: number): ReadonlyArray<number> => {
  const widths = [...requested]
  let remainingWidth = width
  let remaining = Array.from(requested.keys())
  for (;;) {
    const share = remainingWidth / remaining.length
    const satisfied = remaining.filter((column) => requested[column]! <= share)
    if (satisfied.length === 0) break
    for (const column of satisfied) remainingWidth -= requested[column]!
    remaining = remaining.filter((column) => requested[column]! > share)
  }
  const total = remaining.reduce((sum, column) => sum + requested[column]!, 0)
  const half = remainingWidth / 2
  for (const column of remaining) {
    widths[column] = half / remaining.length + (half * requested[column]!) / total
  }
  return widths
}

const lineHeight = (line: Line | undefined): number => (line === undefined ? 0 : line.ascent + line.descent)

const heightOf = (cells: ReadonlyArray<Cell>): number =>
  Math.max(...cells.map((lines) => lines.reduce((sum, line) => sum + lineHeight(line), 0))) + padding.y * 2
