/** Converts tables of HTML to grids and cards with typed columns. */

import type {
  Block,
  CellBlock,
  CellListItem,
  ListItem,
  Paragraph,
  Table,
  TableColumn,
  TableFragment,
  TableRecord,
  TableValue
} from "@lectern/model/document"
import { generateNKeysBetween } from "fractional-indexing"
import { plainText } from "../inlinesFromMarkdown.ts"
import { readHtmlInlines, type TakeAnnotation } from "./htmlInlines.ts"
import { fileLabelKey, optionsOf, readValue, requireValue, UnknownHtml } from "./htmlTableValues.ts"
import { elementsIn, type HtmlElement, type HtmlNode, hasOnly } from "./htmlTree.ts"

/** The conversions of the content of cells. */
export interface CellReader {
  readonly takeAnnotation: TakeAnnotation
  readonly readCell: (children: ReadonlyArray<HtmlNode>, key: string) => Array<Block> | undefined
}

/** A column with the settings of its header. */
interface Column {
  readonly definition: TableColumn
  readonly header: HtmlElement["attributes"]
  readonly fragment: TableFragment | undefined
}

/** Converts a table. Returns undefined if it contains anything without a form in a document. */
export const readTable = (element: HtmlElement, key: string, reader: CellReader): Table | undefined => {
  try {
    return new TableReader(key, reader).read(element)
  } catch (error) {
    if (error instanceof UnknownHtml) return undefined
    throw error
  }
}

const child = (
  elements: ReadonlyArray<HtmlElement>,
  at: number,
  name: string
): ReadonlyArray<HtmlElement> => {
  const element = elements[at]
  if (element?.name !== name || element.attributes.size > 0) throw new UnknownHtml()
  return requireValue(elementsIn(element.children))
}

const tableAttributes = [
  "data-view",
  "data-card-size",
  "data-card-wrap",
  "data-column-title-hidden",
  "data-header-hidden",
  "data-search",
  "data-full-width"
]

const flagOf = (value: string | undefined): boolean | undefined =>
  value === undefined ? undefined : value !== "false"

class TableReader {
  private readonly key: string
  private readonly reader: CellReader
  private readonly fragments: Array<TableFragment> = []

  constructor(key: string, reader: CellReader) {
    this.key = key
    this.reader = reader
  }

  read({ attributes, children }: HtmlElement): Table {
    if (!hasOnly(attributes, ...tableAttributes)) throw new UnknownHtml()
    const sections = requireValue(elementsIn(children))
    const [header, ...others] = child(sections, 0, "thead")
    if (sections.length !== 2 || header === undefined || others.length > 0) throw new UnknownHtml()
    const cells = child([header], 0, "tr")
    if (cells.length === 0) throw new UnknownHtml()
    const columns = cells.map((cell, index) => this.column(cell, `c${index}`))
    const rows = child(sections, 1, "tbody")
    const order = generateNKeysBetween(null, null, rows.length)
    const records: Record<string, TableRecord> = {}
    for (const [index, row] of rows.entries()) {
      records[`r${index}`] = this.record(child([row], 0, "tr"), `r${index}`, order[index]!, columns)
    }
    const [fullWidth, search] = [
      flagOf(attributes.get("data-full-width")),
      flagOf(attributes.get("data-search"))
    ]
    return {
      object: "block",
      type: "table",
      key: this.key,
      isVoid: true,
      data: {
        view: viewOf(attributes, columns),
        records,
        definition: Object.fromEntries(columns.map(({ definition }) => [definition.id, definition])),
        ...(fullWidth === undefined ? {} : { fullWidth }),
        ...(search === undefined ? {} : { search })
      },
      fragments: this.fragments
    }
  }

  private column({ name, attributes, children }: HtmlElement, id: string): Column {
    if (name !== "th" || !hasOnly(attributes, ...headerAttributes)) throw new UnknownHtml()
    const selects = children.filter((child) => typeof child !== "string" && child.name === "select")
    const title = children.filter((child) => !selects.includes(child))
    const blocks = this.titleBlocks(title, `${this.key}.h${id}`)
    const [first, ...others] = blocks
    const isPlain =
      others.length === 0 &&
      first!.nodes.every(
        (node) =>
          node.object === "text" && node.leaves.every(({ marks, data }) => marks.length === 0 && !data)
      )
    const fragment = isPlain ? undefined : this.fragment(`h${id}`, "table-title", blocks)
    const base = {
      id,
      title: blocks.map(({ nodes }) => plainText(nodes)).join(" "),
      ...(fragment === undefined ? {} : { titleFragment: fragment.fragment })
    }
    if (selects.length > 1) throw new UnknownHtml()
    const definition = columnOf(base, attributes, selects[0] as HtmlElement | undefined)
    return { definition, header: attributes, fragment }
  }

  /** Reads the title of a column: a line, or paragraphs. */
  private titleBlocks(children: HtmlElement["children"], key: string): ReadonlyArray<Paragraph> {
    const nodes = readHtmlInlines(children, `${key}.0`, this.reader.takeAnnotation)
    if (nodes !== undefined)
      return [{ object: "block", type: "paragraph", key: `${key}.0`, isVoid: false, nodes }]
    return requireValue(this.reader.readCell(children, key)).map((block) => {
      if (block.type !== "paragraph") throw new UnknownHtml()
      return block
    })
  }

  private fragment(name: string, type: string, nodes: ReadonlyArray<CellBlock>): TableFragment {
    const fragment: TableFragment = {
      object: "fragment",
      key: `${this.key}.${name}`,
      fragment: name,
      type,
      nodes
    }
    this.fragments.push(fragment)
    return fragment
  }

  private record(
    cells: ReadonlyArray<HtmlElement>,
    id: string,
    orderIndex: string,
    columns: ReadonlyArray<Column>
  ): TableRecord {
    if (cells.length > columns.length) throw new UnknownHtml()
    const values: Record<string, TableValue> = {}
    const labels: Record<string, string> = {}
    for (const [index, { name, attributes, children }] of cells.entries()) {
      const { definition, header } = columns[index]!
      if (name !== "td") throw new UnknownHtml()
      for (const attribute of ["align", "valign"]) {
        const value = attributes.get(attribute)
        if (value !== undefined && value !== header.get(attribute)) throw new UnknownHtml()
      }
      const isImage = definition.type === "image"
      if (!hasOnly(attributes, "align", "valign", ...(isImage ? ["data-object-fit"] : [])))
        throw new UnknownHtml()
      if (definition.type === "text") {
        const fragmentName = `${id}${definition.id}`
        const nodes = requireValue(this.reader.readCell(children, `${this.key}.${fragmentName}`)).map(
          toCellBlock
        )
        const paragraph = { object: "block", type: "paragraph", isVoid: false, nodes: [] } as const
        const key = `${this.key}.${fragmentName}.0`
        this.fragment(fragmentName, "table-cell", nodes.length === 0 ? [{ ...paragraph, key }] : nodes)
        values[definition.id] = fragmentName
      } else {
        const objectFit = attributes.get("data-object-fit")
        const { value, label, fileLabels = [] } = readValue(definition, children, objectFit)
        values[definition.id] = value
        if (label !== undefined) labels[definition.id] = label
        for (const [file, fileLabel] of fileLabels.entries())
          if (fileLabel !== undefined) labels[fileLabelKey(definition.id, file)] = fileLabel
      }
    }
    return { orderIndex, values, ...(Object.keys(labels).length === 0 ? {} : { labels }) }
  }
}

/** Checks that a cell can contain a block. */
const toCellBlock = (block: Block): CellBlock => {
  switch (block.type) {
    case "paragraph":
    case "heading-1":
    case "heading-2":
    case "heading-3":
    case "divider":
    case "code":
    case "images":
      return block
    case "blockquote":
      return { ...block, nodes: block.nodes.map(toCellBlock) }
    case "list-ordered":
      return { ...block, nodes: block.nodes.map(toCellItem) }
    case "list-unordered":
      return { ...block, type: "list-unordered", data: {}, nodes: block.nodes.map(toCellItem) }
    default:
      throw new UnknownHtml()
  }
}

const toCellItem = (item: ListItem): CellListItem => ({
  ...item,
  data: {},
  nodes: item.nodes.map(toCellBlock)
})

const headerAttributes = [
  "width",
  "align",
  "valign",
  "data-type",
  "data-hidden",
  "data-multiple",
  "data-max",
  "data-card-target",
  "data-card-cover",
  "data-card-cover-dark"
]

type ColumnBase = Pick<TableColumn, "id" | "title" | "titleFragment">

const horizontal = ["left", "center", "right"] as const
const vertical = ["top", "middle", "bottom"] as const

const columnOf = (
  base: ColumnBase,
  attributes: HtmlElement["attributes"],
  select: HtmlElement | undefined
): TableColumn => {
  const type = attributes.get("data-type") ?? (select === undefined ? "text" : "select")
  if ((select !== undefined) !== (type === "select")) throw new UnknownHtml()
  const multiple = attributes.has("data-multiple") || (select?.attributes.has("multiple") ?? false)
  if (attributes.has("data-multiple") && type !== "users" && type !== "select") throw new UnknownHtml()
  if (attributes.has("data-max") && type !== "rating") throw new UnknownHtml()
  if (type !== "text" && (attributes.has("align") || attributes.has("valign"))) throw new UnknownHtml()
  switch (type) {
    case "text": {
      const align = attributes.get("align")
      const [textAlignment, verticalAlignment] = [
        horizontal.find((value) => value === (align ?? "left")),
        vertical.find((value) => value === attributes.get("valign"))
      ]
      if (attributes.has("valign") && verticalAlignment === undefined) throw new UnknownHtml()
      return {
        ...base,
        type,
        textAlignment: requireValue(textAlignment),
        ...(align === "left" ? { aligned: true } : {}),
        ...(verticalAlignment === undefined ? {} : { verticalAlignment })
      }
    }
    case "number":
    case "checkbox":
    case "files":
    case "content-ref":
    case "image":
      return { ...base, type }
    case "users":
      return { ...base, type, multiple }
    case "rating": {
      const max = Number(attributes.get("data-max") ?? 5)
      if (!Number.isFinite(max)) throw new UnknownHtml()
      return { ...base, type, max }
    }
    case "select":
      return { ...base, type, multiple, options: optionsOf(requireValue(select)) }
    default:
      throw new UnknownHtml()
  }
}

const lengthPattern = /^\d{1,6}(?:\.\d{1,20})?$/

const viewOf = (
  attributes: HtmlElement["attributes"],
  columns: ReadonlyArray<Column>
): Table["data"]["view"] => {
  const visible = columns.filter(({ header }) => !header.has("data-hidden"))
  const ids = (visible.length === 0 ? columns : visible).map(({ definition }) => definition.id)
  // A table without visible columns has no view.
  if (visible.length === 0) throw new UnknownHtml()
  const widths = columns.flatMap(({ definition, header }): Array<[string, number]> => {
    const width = header.get("width")
    if (width === undefined) return []
    if (!lengthPattern.test(width)) throw new UnknownHtml()
    return [[definition.id, Number(width)]]
  })
  const hideColumnTitle = flagOf(attributes.get("data-column-title-hidden"))
  const named = (attribute: string) => {
    const [column, ...others] = columns.filter(({ header }) => header.has(attribute))
    if (others.length > 0) throw new UnknownHtml()
    return column?.definition.id
  }
  const [target, cover, coverDark] = [
    named("data-card-target"),
    named("data-card-cover"),
    named("data-card-cover-dark")
  ]
  if (attributes.get("data-view") === "cards") {
    const size = attributes.get("data-card-size") ?? "medium"
    const wrap = flagOf(attributes.get("data-card-wrap"))
    if ((size !== "medium" && size !== "large") || attributes.has("data-header-hidden"))
      throw new UnknownHtml()
    if (widths.length > 0) throw new UnknownHtml()
    return {
      type: "cards",
      cardSize: size,
      columns: ids,
      ...(target === undefined ? {} : { targetDefinition: target }),
      ...(cover === undefined ? {} : { coverDefinition: cover }),
      ...(coverDark === undefined ? {} : { coverDefinitionDark: coverDark }),
      ...(hideColumnTitle === undefined ? {} : { hideColumnTitle }),
      ...(wrap === undefined ? {} : { wrap })
    }
  }
  const isGrid = (attributes.get("data-view") ?? "grid") === "grid"
  if (!isGrid || attributes.has("data-card-size") || attributes.has("data-card-wrap")) throw new UnknownHtml()
  if (target !== undefined || cover !== undefined || coverDark !== undefined) throw new UnknownHtml()
  if (hideColumnTitle !== undefined) throw new UnknownHtml()
  return {
    type: "grid",
    columns: ids,
    ...(widths.length === 0 ? {} : { columnWidths: Object.fromEntries(widths), useNewSizing: true }),
    hideHeader: flagOf(attributes.get("data-header-hidden")) ?? false
  }
}
