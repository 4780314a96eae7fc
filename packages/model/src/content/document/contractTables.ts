/** Tables in the form of the public contract, whose cells can contain any block. */
import type { ContractNode } from "./contractInlines.ts"

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Creates a table of one row, whose cells have blocks. */
export const columnsTable = (columns: ReadonlyArray<ReadonlyArray<ContractNode>>): ContractNode => {
  const ids = (columns.length === 0 ? [[]] : columns).map((_, index) => `c${index}`)
  return {
    object: "block",
    type: "table",
    isVoid: true,
    data: {
      view: { type: "grid", columns: ids, hideHeader: true },
      definition: Object.fromEntries(
        ids.map((id) => [id, { id, title: "", type: "text", textAlignment: "left" }])
      ),
      records: { r0: { orderIndex: "a0", values: Object.fromEntries(ids.map((id) => [id, `cell-${id}`])) } }
    },
    fragments: ids.map((id, index) => ({
      object: "fragment",
      type: "table-cell",
      fragment: `cell-${id}`,
      nodes: columns[index] ?? []
    }))
  }
}

/** Creates a table with one cell, which has a block that is not valid elsewhere. */
export const inCell = (block: ContractNode): ContractNode => columnsTable([[block]])

/**
 * A target that is a file or a URL is also the value of an image, and must be one of both. With `ref`, which is the form of images that
 * have settings, it is two values of an image, and so none.
 */
const targetOf = (value: unknown): unknown =>
  isObject(value) && (value.kind === "url" || value.kind === "file")
    ? { ...value, ref: withoutRef(value) }
    : value

const withoutRef = ({ ref: _, ...value }: Fields): Fields => value

/** A value of an image is one with settings, so that it is not a target too. */
const imageOf = (value: unknown): unknown =>
  isObject(value) && typeof value.kind === "string" ? { ref: value } : value

const valueOf = (column: unknown, value: unknown): unknown => {
  const type = isObject(column) ? column.type : undefined
  return type === "content-ref" ? targetOf(value) : type === "image" ? imageOf(value) : value
}

/** Makes the values of a table valid. A value that is null is omitted. */
export const textTable = (table: ContractNode): ContractNode => {
  const { records, definition } = table.data ?? {}
  if (!isObject(records) || !isObject(definition)) return table
  const rows = Object.entries(records).map(([id, record]) => {
    if (!isObject(record) || !isObject(record.values)) return [id, record]
    const values = Object.entries(record.values)
      .filter(([, value]) => value !== null)
      .map(([column, value]) => [column, valueOf(definition[column], value)])
    return [id, { ...record, values: Object.fromEntries(values) }]
  })
  return { ...table, data: { ...table.data, records: Object.fromEntries(rows) } }
}
