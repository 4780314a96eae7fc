/** Tables. The first row contains the columns; their settings are attributes of its cells. */
import type { NodeSpec } from "prosemirror-model"
import { clipboardRule, dataOf, documentNode, type JsonObject } from "./attributes.ts"

const cellAttributes = {
  colspan: { default: 1 },
  rowspan: { default: 1 },
  colwidth: { default: null },
  // The fragment of a cell without its nodes, or null for a cell without one.
  fragment: { default: null },
  // Whether the row has no value for the column at all.
  isAbsent: { default: false }
}

/** Returns the class of the alignment of a column. */
export const alignmentClass = (column: JsonObject | null): string => {
  if (column === null) return ""
  if (column.type === "number") return "text-end"
  if (column.textAlignment === "right") return "text-end"
  return column.textAlignment === "center" ? "text-center" : ""
}

/** The nodes of tables. */
export const tableNodes: Readonly<Record<string, NodeSpec>> = {
  table: documentNode("table", {
    group: "block",
    content: "table_row+",
    tableRole: "table",
    isolating: true,
    // The fragments that no cell in the view refers to, and the columns that are not in the view.
    attrs: { fragments: { default: [] }, hidden: { default: {} } },
    parseDOM: [{ tag: "table" }],
    toDOM: (node) => {
      const view = dataOf(node).view as JsonObject | undefined
      return ["table", { class: view?.type === "cards" ? "editor-cards" : "editor-grid" }, ["tbody", 0]]
    }
  }),
  table_row: documentNode("table_row", {
    content: "(table_cell | table_header)+",
    tableRole: "row",
    attrs: { id: { default: null }, record: { default: null } },
    parseDOM: [{ tag: "tr" }],
    toDOM: () => ["tr", 0]
  }),
  table_header: documentNode("table_header", {
    content: "block+",
    tableRole: "header_cell",
    isolating: true,
    attrs: { ...cellAttributes, column: { default: null } },
    parseDOM: [{ tag: "th" }],
    toDOM: (node) => [
      "th",
      { scope: "col", class: alignmentClass(node.attrs.column as JsonObject | null) },
      0
    ]
  }),
  table_cell: documentNode("table_cell", {
    content: "block+ | cell_value",
    tableRole: "cell",
    isolating: true,
    attrs: cellAttributes,
    parseDOM: [{ tag: "td" }],
    toDOM: () => ["td", 0]
  }),
  cell_value: {
    atom: true,
    selectable: false,
    attrs: { value: { default: null } },
    parseDOM: [clipboardRule("cell_value")],
    toDOM: () => ["span", { class: "cell-value" }]
  }
}
