/** The text and the references of cells of typed columns. */
import type { ContentRef, TableColumn, TableValue } from "@lectern/model/document"
import type { Reference } from "./Reference.ts"

const fileId = /^[A-Za-z0-9_~-]{1,64}$/

type CellRef = ContentRef | { readonly ref: ContentRef }

const isRef = (value: TableValue): value is Extract<TableValue, CellRef> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the references of a cell: to the target of a card, files, images or users. */
export const referencesOfCell = (
  { type }: TableColumn,
  value: TableValue
): ReadonlyArray<Reference["ref"]> => {
  if (isRef(value)) return ["ref" in value ? value.ref : value]
  if (!Array.isArray(value)) return []
  if (type === "users") return value.map((user) => ({ kind: "user", user }))
  if (type !== "files") return []
  return value.map((file) => (fileId.test(file) ? { kind: "file", file } : { kind: "url", url: file }))
}

/** Returns the text that readers see in a cell: the labels of options, or a number. */
export const cellTextOf = (column: TableColumn, value: TableValue): string => {
  if (column.type === "select" && Array.isArray(value)) {
    return value
      .map((option) => column.options.find((one) => one.value === option)?.label ?? option)
      .join(", ")
  }
  return column.type === "number" && typeof value === "number" ? String(value) : ""
}
