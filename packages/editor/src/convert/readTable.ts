/** Converts tables of documents to tables of the editor: rows of cells, of which the first row contains the columns. */
import { Fragment, type Node } from "prosemirror-model"
import type { JsonObject } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"
import { type DocumentNode, without } from "./json.ts"
import { attributesOf, filler, readContent } from "./readBlocks.ts"

/** A column of a table. */
export interface Column {
  readonly id: string
  readonly title: string
  readonly type: string
  readonly titleFragment?: string
}

/** A row of a table. */
export interface Row {
  readonly orderIndex: string
  readonly values: JsonObject
  readonly labels?: JsonObject
}

/** The fields of a table. */
export interface TableData {
  readonly view: {
    readonly type: "grid" | "cards"
    readonly columns: ReadonlyArray<string>
    readonly columnWidths?: Readonly<Record<string, number>>
    readonly useNewSizing?: boolean
  }
  readonly records: Readonly<Record<string, Row>>
  readonly definition: Readonly<Record<string, Column>>
}

/** The width that columns in percent have in the editor, in pixels for 100 percent. */
const fullWidth = 700

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

class TableReader {
  private readonly fragments = new Map<string, DocumentNode>()
  private readonly used = new Set<string>()
  private readonly node: DocumentNode
  private readonly data: TableData
  private readonly columns: ReadonlyArray<Column>

  constructor(node: DocumentNode, data: TableData, columns: ReadonlyArray<Column>) {
    this.node = node
    this.data = data
    this.columns = columns
    for (const one of node.fragments ?? [])
      if (one.fragment !== undefined) this.fragments.set(one.fragment, one)
  }

  read(): Node {
    const rows = Object.entries(this.data.records).sort(([, one], [, other]) =>
      compare(one.orderIndex, other.orderIndex)
    )
    const content = [this.header(), ...rows.map(([id, row]) => this.row(id, row))]
    const { data: _, ...attributes } = attributesOf(this.node)
    const hidden = Object.entries(this.data.definition).filter(([id]) => !this.data.view.columns.includes(id))
    return schema.nodes.table!.create(
      {
        ...attributes,
        data: without(this.data, "records", "definition"),
        hidden: Object.fromEntries(hidden),
        fragments: (this.node.fragments ?? []).filter(({ fragment }) => !this.used.has(fragment!))
      },
      content
    )
  }

  private take(name: unknown): DocumentNode | undefined {
    const found = typeof name === "string" ? this.fragments.get(name) : undefined
    if (found !== undefined) this.used.add(found.fragment!)
    return found
  }

  private widthOf(id: string): ReadonlyArray<number> | null {
    const { columnWidths, useNewSizing } = this.data.view
    const width = columnWidths?.[id]
    if (width === undefined || width <= 0) return null
    return [useNewSizing === true ? width : Math.round((width / 100) * fullWidth)]
  }

  private header(): Node {
    const cells = this.columns.map((column) => {
      const fragment = this.take(column.titleFragment)
      const title =
        fragment !== undefined
          ? readContent(fragment.nodes ?? [])
          : Fragment.from(
              column.title === "" ? filler() : schema.nodes.paragraph!.create(null, schema.text(column.title))
            )
      return schema.nodes.table_header!.create(
        {
          column,
          fragment: fragment === undefined ? null : without(fragment, "nodes"),
          colwidth: this.widthOf(column.id)
        },
        title
      )
    })
    return schema.nodes.table_row!.create(null, cells)
  }

  private row(id: string, row: Row): Node {
    const cells = this.columns.map((column) => {
      const value = row.values[column.id]
      const colwidth = this.widthOf(column.id)
      if (column.type !== "text") {
        return schema.nodes.table_cell!.create(
          { colwidth, isAbsent: value === undefined },
          schema.nodes.cell_value!.create({ value: value ?? null })
        )
      }
      const fragment = this.take(value)
      return schema.nodes.table_cell!.create(
        {
          colwidth,
          fragment: fragment === undefined ? null : without(fragment, "nodes"),
          isAbsent: value === undefined
        },
        readContent(fragment?.nodes ?? [])
      )
    })
    const record = {
      ...row,
      values: without(row.values, ...this.columns.map((column) => column.id)) ?? {}
    }
    return schema.nodes.table_row!.create({ id, record }, cells)
  }
}

/** Converts a table. Returns `undefined` if its view has a column that is not defined, or one twice. */
export const readTable = (node: DocumentNode): Node | undefined => {
  const data = node.data as unknown as TableData | undefined
  if (data === undefined) return undefined
  const { columns: ids } = data.view
  const columns = ids.flatMap((id) => (Object.hasOwn(data.definition, id) ? [data.definition[id]!] : []))
  const isValid =
    columns.length > 0 &&
    columns.length === ids.length &&
    new Set(ids).size === ids.length &&
    columns.every(({ id }, index) => id === ids[index])
  return isValid ? new TableReader(node, data, columns).read() : undefined
}
