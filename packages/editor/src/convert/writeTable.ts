/** Converts tables of the editor to tables of documents. */
import type { Node } from "prosemirror-model"
import type { JsonObject } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"
import { defaultRest } from "./blockTypes.ts"
import { allowedInCell } from "./cellBlocks.ts"
import { type DocumentNode, without } from "./json.ts"
import type { Column, Row, TableData } from "./readTable.ts"
import { isFiller, writeContent } from "./writeBlocks.ts"

const newColumn = { title: "", type: "text", textAlignment: "left" }

/** Returns a name that is not in use: the preferred one, or one with a number. */
const uniqueName = (preferred: string | undefined, prefix: string, used: Set<string>): string => {
  let name = preferred ?? `${prefix}0`
  for (let count = 1; used.has(name); count++)
    name = `${preferred === undefined ? prefix : `${preferred}-`}${count}`
  used.add(name)
  return name
}

const isPlainTitle = (cell: Node): boolean => {
  const only = cell.childCount === 1 ? cell.child(0) : undefined
  if (only?.type !== schema.nodes.paragraph) return false
  if (Object.keys((only!.attrs.data as object | null) ?? {}).length > 0) return false
  let isPlain = true
  only!.forEach((child) => {
    if (!child.isText || child.marks.length > 0) isPlain = false
  })
  return isPlain
}

const childrenOf = (node: Node): ReadonlyArray<Node> => node.children

/** Writes one table. */
class TableWriter {
  private readonly table: Node
  private readonly data: Omit<TableData, "records" | "definition">
  private readonly names = new Set<string>()
  private readonly fragments: Array<DocumentNode> = []
  private readonly hidden: Readonly<Record<string, Column>>

  constructor(table: Node) {
    this.table = table
    this.data = table.attrs.data ?? { view: { type: "grid", columns: [], hideHeader: false } }
    this.hidden = table.attrs.hidden as Readonly<Record<string, Column>>
    for (const { fragment } of table.attrs.fragments as ReadonlyArray<DocumentNode>) {
      if (fragment !== undefined) this.names.add(fragment)
    }
  }

  write(): DocumentNode {
    const rows = childrenOf(this.table)
    const hasHeader = rows[0]?.firstChild?.type === schema.nodes.table_header
    const header = hasHeader ? rows[0]! : undefined
    const columns = this.columns(header, rows[0]?.childCount ?? 1)
    const body = header === undefined ? rows : rows.slice(1)
    const records = this.records(body, columns)
    const view = {
      ...this.data.view,
      columns: columns.map(({ id }) => id),
      ...this.widths(rows[0]!, columns),
      ...(header === undefined ? { hideHeader: true } : {})
    }
    const definition = Object.fromEntries([
      ...columns.map((column) => [column.id, column] as const),
      ...Object.entries(this.hidden)
    ])
    return {
      object: "block",
      type: "table",
      ...((this.table.attrs.rest as JsonObject | null) ?? defaultRest("table")),
      data: { ...this.data, view, records, definition } as unknown as JsonObject,
      fragments: [...this.fragments, ...(this.table.attrs.fragments as ReadonlyArray<DocumentNode>)]
    }
  }

  private columns(header: Node | undefined, count: number): ReadonlyArray<Column> {
    const ids = new Set(Object.keys(this.hidden))
    if (header === undefined) {
      return Array.from({ length: count }, () => ({ id: uniqueName(undefined, "c", ids), ...newColumn }))
    }
    // Columns that exist keep their ids: new ones get the ids that are left.
    const given = childrenOf(header).map((cell) => cell.attrs.column as Column | null)
    const kept = given.map((column) => (column === null ? undefined : uniqueName(column.id, "c", ids)))
    return childrenOf(header).map((cell, index) => {
      const column = given[index] ?? null
      const id = kept[index] ?? uniqueName(undefined, "c", ids)
      const title = cell.textContent
      const { titleFragment: _, ...fields } = (column ?? newColumn) as Column
      const isPlain = cell.attrs.fragment === null && isPlainTitle(cell)
      if (isPlain) return { ...fields, id, title }
      const name = this.addFragment(cell, `h${id}`, "table-title")
      // The text of a title is derived from its blocks; the loaded title is written unchanged while its text is the same.
      const sameText = column !== null && column.title.replace(/\s/g, "") === title.replace(/\s/g, "")
      return { ...fields, id, title: sameText ? column.title : title, titleFragment: name }
    })
  }

  private addFragment(cell: Node, name: string, type: string): string {
    const known = cell.attrs.fragment as JsonObject | null
    const preferred = typeof known?.fragment === "string" ? known.fragment : name
    const fragment = uniqueName(preferred, "f", this.names)
    const fields = known === null || fragment !== known.fragment ? { object: "fragment", type } : known
    const nodes = allowedInCell(writeContent(cell))
    this.fragments.push({ ...fields, fragment, nodes } as unknown as DocumentNode)
    return fragment
  }

  private records(rows: ReadonlyArray<Node>, columns: ReadonlyArray<Column>): Record<string, Row> {
    const ids = new Set<string>()
    const kept = rows.map(({ attrs }) => {
      if (typeof attrs.id !== "string" || ids.has(attrs.id)) return undefined
      ids.add(attrs.id)
      return attrs.id
    })
    const indexes = rows.map(({ attrs }) => (attrs.record as Row | null)?.orderIndex)
    const isOrdered = indexes.every(
      (index, at) => index !== undefined && (at === 0 || indexes[at - 1]! <= index)
    )
    return Object.fromEntries(
      rows.map((row, at) => {
        const id = kept[at] ?? uniqueName(undefined, "r", ids)
        const orderIndex = isOrdered ? indexes[at]! : `a${at.toString(36).padStart(4, "0")}`
        return [id, this.record(row, id, orderIndex, columns)]
      })
    )
  }

  private record(row: Node, id: string, orderIndex: string, columns: ReadonlyArray<Column>): Row {
    const { values, labels, ...fields } = (row.attrs.record ?? { values: {} }) as Row
    const cells = childrenOf(row)
    const written = columns.flatMap((column, at) => {
      const cell = cells[at]
      const value = cell === undefined ? undefined : this.value(cell, column, `${id}${column.id}`)
      return value === undefined ? [] : [[column.id, value] as const]
    })
    const known = new Set([...columns.map((column) => column.id), ...Object.keys(this.hidden)])
    const keptLabels = Object.entries(labels ?? {}).filter(
      ([name]) => known.has(name) || known.has(name.replace(/:\d+$/, ""))
    )
    return {
      ...fields,
      orderIndex,
      values: { ...values, ...Object.fromEntries(written) },
      ...(labels === undefined ? {} : { labels: Object.fromEntries(keptLabels) })
    }
  }

  private value(cell: Node, column: Column, name: string): JsonObject[string] | undefined {
    const first = cell.firstChild
    if (first?.type === schema.nodes.cell_value) {
      if (column.type === "text") return null
      return cell.attrs.isAbsent === true && first!.attrs.value === null ? undefined : first!.attrs.value
    }
    if (column.type !== "text") return valueOfText(column, cell.textContent)
    const isEmpty = cell.childCount === 1 && isFiller(first!)
    if (cell.attrs.fragment === null && isEmpty) return cell.attrs.isAbsent === true ? undefined : null
    return this.addFragment(cell, name, "table-cell")
  }

  private widths(first: Node, columns: ReadonlyArray<Column>): object {
    const { columnWidths, useNewSizing } = this.data.view
    const cells = childrenOf(first)
    const widths = columns.flatMap(({ id }, at) => {
      const width = (cells[at]?.attrs.colwidth as ReadonlyArray<number> | null)?.[0]
      return width === undefined ? [] : [[id, width] as const]
    })
    const isUnchanged = widths.every(([id, width]) => {
      const given = columnWidths?.[id]
      return (
        given !== undefined && (useNewSizing === true ? given === width : Math.round(given * 7) === width)
      )
    })
    if (isUnchanged) {
      if (columnWidths === undefined) return {}
      const known = new Set([...columns.map(({ id }) => id), ...Object.keys(this.hidden)])
      const removed = Object.keys(columnWidths).filter((id) => !known.has(id))
      return removed.length === 0 ? {} : { columnWidths: without(columnWidths, ...removed) ?? {} }
    }
    return { columnWidths: Object.fromEntries(widths), useNewSizing: true }
  }
}

/** Returns the value of text in a column of values, which is empty if the text is not one. */
const valueOfText = (column: Column, text: string): JsonObject[string] => {
  const trimmed = text.trim()
  if (trimmed === "") return null
  if (column.type === "number" || column.type === "rating") {
    const value = Number(trimmed.replace(",", "."))
    return Number.isFinite(value) ? value : null
  }
  if (column.type === "checkbox") return /^(?:true|yes|x|1|✓)$/i.test(trimmed)
  return null
}

/** Converts a table of the editor. */
export const writeTable = (table: Node): DocumentNode => new TableWriter(table).write()
