/** Converts the values of tables and cards, by the type of their column, to spans. */
import type {
  CellBlock,
  ContentRef,
  Table,
  TableColumn,
  TableRecord,
  TableValue
} from "@lectern/formats/threads"
import { type Blocks, codeText } from "./blocks.ts"
import { bold } from "./inlines.ts"
import type { Span, Style } from "./lines.ts"
import { colors, markBackgrounds } from "./theme.ts"

/** A reference to a page, a file, a user or a URL in a cell. */
const isRef = (value: unknown): value is Extract<TableValue, { readonly kind: string }> =>
  typeof value === "object" && value !== null && "kind" in value

/** Returns the rows of a table in their order. */
export const rowsOf = ({ data }: Table): ReadonlyArray<TableRecord> =>
  Object.values(data.records).toSorted((a, b) =>
    a.orderIndex < b.orderIndex ? -1 : a.orderIndex > b.orderIndex ? 1 : 0
  )

/** The values of one table. */
export class Cells {
  private readonly blocks: Blocks
  private readonly fragments: ReadonlyMap<string, Table["fragments"][number]>

  constructor(blocks: Blocks, table: Table) {
    this.blocks = blocks
    this.fragments = new Map(table.fragments.map((fragment) => [fragment.fragment, fragment]))
  }

  /** Returns the spans of the title of a column. */
  title(column: TableColumn, style: Style): ReadonlyArray<Span> {
    const fragment = column.type === "text" ? column.titleFragment : undefined
    const spans = fragment === undefined ? [] : this.fragmentSpans(fragment, style)
    return spans.length > 0 || column.title === "" ? spans : [{ text: column.title, style }]
  }

  /** Returns the spans of a value. */
  value(column: TableColumn, { values }: TableRecord, style: Style): ReadonlyArray<Span> {
    const value = values[column.id]
    if (value === undefined || value === null) return []
    switch (column.type) {
      case "checkbox":
        return [{ text: value === true || value === "true" ? "☑" : "☐", style }]
      case "rating":
        return rating(Number(value), column.max, style)
      case "select": {
        const chosen = Array.isArray(value) ? value : [String(value)]
        return chosen.flatMap((name, index): ReadonlyArray<Span> => {
          const option = column.options.find((one) => one.value === name)
          const background = markBackgrounds[option?.color ?? ""] ?? colors.head
          const pill = { text: `\u00a0${option?.label ?? name}\u00a0`, style: { ...style, background } }
          return index === 0 ? [pill] : [{ text: "  ", style }, pill]
        })
      }
      case "text":
        return typeof value === "string" ? this.fragmentSpans(value, style) : this.plain(value, style)
      case "users":
        return [{ text: Array.isArray(value) ? value.join(", ") : String(value), style }]
      default:
        return this.plain(value, style)
    }
  }

  /** Returns the spans of a value by its own type. */
  private plain(value: TableValue, style: Style): ReadonlyArray<Span> {
    if (isRef(value)) {
      const link = this.blocks.source.link(value)
      const text = this.blocks.source.nameOf(value)
      return [{ text, style: link === undefined ? style : { ...style, color: colors.link, link } }]
    }
    if (typeof value === "object" && value !== null && "ref" in value) {
      const spans: Array<Span> = []
      this.blocks.inlines.addImage(value.ref, "", style, spans)
      return spans
    }
    if (Array.isArray(value)) {
      return value.flatMap((id: string, index): ReadonlyArray<Span> => {
        const spans = this.plain(fileRef(id), style)
        return index === 0 ? spans : [{ text: "\n", style }, ...spans]
      })
    }
    if (typeof value === "string") {
      return this.fragments.has(value) ? this.fragmentSpans(value, style) : [{ text: value, style }]
    }
    return value === null ? [] : [{ text: String(value), style }]
  }

  private fragmentSpans(name: string, style: Style): ReadonlyArray<Span> {
    return this.blockSpans(this.fragments.get(name)?.nodes ?? [], style, "")
  }

  /** Returns the spans of the blocks of a cell, each on a line of its own. */
  private blockSpans(nodes: ReadonlyArray<CellBlock>, style: Style, indent: string): ReadonlyArray<Span> {
    return nodes.flatMap((node, index): ReadonlyArray<Span> => {
      const spans = this.spansOf(node, style, indent)
      return index === 0 ? spans : [{ text: `\n${indent}`, style }, ...spans]
    })
  }

  private spansOf(node: CellBlock, style: Style, indent: string): ReadonlyArray<Span> {
    switch (node.type) {
      case "paragraph":
        return this.blocks.inlines.toSpans(node.nodes, style)
      case "heading-1":
      case "heading-2":
      case "heading-3":
        return this.blocks.inlines.toSpans(node.nodes, { ...style, face: bold[style.face] })
      case "divider":
        return [{ text: "—", style: { ...style, color: colors.quiet } }]
      case "code":
        return [{ text: codeText(node), style: { ...style, face: "mono", size: style.size * 0.88 } }]
      case "images":
        return node.nodes.flatMap(({ data }): ReadonlyArray<Span> => {
          const spans: Array<Span> = []
          this.blocks.inlines.addImage(data.ref, data.alt ?? "", style, spans)
          return spans
        })
      case "blockquote":
        return this.blockSpans(node.nodes, { ...style, color: colors.quiet }, indent)
      case "list-ordered":
      case "list-unordered":
        return node.nodes.flatMap((item, index): ReadonlyArray<Span> => {
          const start = node.type === "list-ordered" ? (node.data?.start ?? 1) : 1
          const marker = node.type === "list-ordered" ? `${start + index}. ` : "• "
          const text = index === 0 ? marker : `\n${indent}${marker}`
          return [{ text, style }, ...this.blockSpans(item.nodes, style, `${indent}\u00a0\u00a0`)]
        })
    }
  }
}

/** Returns the reference to a file of a column of files: its id, or its address. */
export const fileRef = (file: string): Extract<ContentRef, { readonly kind: "file" | "url" }> =>
  /^[A-Za-z0-9_~-]{1,64}$/.test(file) ? { kind: "file", file } : { kind: "url", url: file }

/** The maximum of a rating that is drawn as stars. */
const maxStars = 10

const rating = (value: number, max: number, style: Style): ReadonlyArray<Span> => {
  if (!(value >= 0 && max >= 1 && max <= maxStars)) return [{ text: String(value), style }]
  const full = Math.round(Math.min(value, max))
  return [
    { text: "★".repeat(full), style: { ...style, color: "#9a6700" } },
    { text: "☆".repeat(Math.round(max) - full), style: { ...style, color: colors.quiet } }
  ].filter(({ text }) => text !== "")
}
