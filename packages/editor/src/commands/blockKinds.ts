/** The blocks and the inline nodes that a writer can insert. */
import type { Node } from "prosemirror-model"
import type { JsonObject } from "../schema/attributes.ts"
import { schema } from "../schema/schema.ts"
import { inlineKinds } from "./inlineKinds.ts"

/** The groups of the menu of blocks. */
export type BlockGroup = "text" | "lists" | "inline" | "media" | "layout" | "data" | "advanced"

/** A block that can be inserted. */
export interface BlockKind {
  readonly id: string
  readonly icon: string
  readonly group: BlockGroup
  /** Words besides its title by which it is found, in English. */
  readonly keywords: string
  readonly shortcut?: string
  /** Whether a cell of a table can contain it. */
  readonly isInCells?: boolean
  /** Whether its settings are opened after it is inserted. */
  readonly opensSettings?: boolean
  readonly create: () => Node
}

const { nodes } = schema

const paragraph = (): Node => nodes.paragraph!.create()
const filled = (name: string, attrs?: JsonObject, ...content: ReadonlyArray<Node>): Node =>
  nodes[name]!.create(attrs ?? null, content.length === 0 ? [paragraph()] : [...content])
const list = (name: string, data?: JsonObject): Node =>
  nodes[name]!.create(null, [filled("list_item", data === undefined ? undefined : { data })])
const hint = (style: string) => (): Node => filled("hint", { data: { style } })

const text = (title: string): Node => nodes.paragraph!.create(null, title === "" ? null : schema.text(title))

const textColumn = (id: string): JsonObject => ({ id, title: "", type: "text", textAlignment: "left" })

/** Creates a table with empty cells. */
export const createTable = (rows: number, columns: number, titles: ReadonlyArray<string> = []): Node => {
  const indexes = Array.from({ length: columns }, (_, index) => index)
  const header = nodes.table_row!.create(
    null,
    indexes.map((index) =>
      nodes.table_header!.create({ column: textColumn(`c${index}`) }, [text(titles[index] ?? "")])
    )
  )
  const body = Array.from({ length: rows }, () =>
    nodes.table_row!.create(
      null,
      indexes.map(() => nodes.table_cell!.create(null, [paragraph()]))
    )
  )
  return nodes.table!.create({ data: { view: { type: "grid", columns: [], hideHeader: false } } }, [
    header,
    ...body
  ])
}

const createCards = (): Node => {
  const view = {
    type: "cards",
    cardSize: "medium",
    columns: [],
    targetDefinition: "target",
    coverDefinition: "cover"
  }
  const columns: ReadonlyArray<JsonObject> = [
    { id: "title", title: "", type: "text", textAlignment: "left" },
    { id: "text", title: "", type: "text", textAlignment: "left" },
    { id: "target", title: "", type: "content-ref" },
    { id: "cover", title: "", type: "image" }
  ]
  const header = nodes.table_row!.create(
    null,
    columns.map((column) => nodes.table_header!.create({ column }, [paragraph()]))
  )
  const card = (): Node =>
    nodes.table_row!.create(
      null,
      columns.map(({ type }) =>
        nodes.table_cell!.create(null, [type === "text" ? paragraph() : nodes.cell_value!.create()])
      )
    )
  return nodes.table!.create({ data: { view } }, [header, card(), card(), card()])
}

const createExpandable = (): Node =>
  nodes.expandable!.create(null, [nodes.expandable_title!.create(), filled("expandable_body")])

const createImage = (): Node =>
  nodes.images!.create(null, [nodes.image!.create({ data: { ref: { kind: "url", url: "" } } })])

const two = (name: string, child: string, data: ReadonlyArray<JsonObject>): Node =>
  nodes[name]!.create(
    null,
    data.map((one) => filled(child, { data: one }))
  )

const heading = (level: number) => (): Node => nodes.heading!.create({ level })

/** The blocks that can be inserted, in the order of the menu. */
export const blockKinds: ReadonlyArray<BlockKind> = [
  {
    id: "paragraph",
    icon: "paragraph",
    group: "text",
    keywords: "text plain",
    isInCells: true,
    create: paragraph
  },
  {
    id: "heading1",
    icon: "heading",
    group: "text",
    keywords: "h1 title",
    shortcut: "#",
    isInCells: true,
    create: heading(1)
  },
  {
    id: "heading2",
    icon: "heading",
    group: "text",
    keywords: "h2",
    shortcut: "##",
    isInCells: true,
    create: heading(2)
  },
  {
    id: "heading3",
    icon: "heading",
    group: "text",
    keywords: "h3",
    shortcut: "###",
    isInCells: true,
    create: heading(3)
  },
  {
    id: "quote",
    icon: "quote-left",
    group: "text",
    keywords: "blockquote citation",
    shortcut: ">",
    isInCells: true,
    create: () => filled("blockquote")
  },
  {
    id: "code",
    icon: "code",
    group: "text",
    keywords: "snippet pre program",
    shortcut: "```",
    isInCells: true,
    create: () => nodes.code!.create()
  },
  {
    id: "divider",
    icon: "minus",
    group: "text",
    keywords: "rule line hr",
    shortcut: "---",
    isInCells: true,
    create: () => nodes.divider!.create({ data: {} })
  },
  {
    id: "bullets",
    icon: "list",
    group: "lists",
    keywords: "ul unordered",
    shortcut: "-",
    isInCells: true,
    create: () => list("list_unordered")
  },
  {
    id: "numbers",
    icon: "list-ol",
    group: "lists",
    keywords: "ol ordered",
    shortcut: "1.",
    isInCells: true,
    create: () => list("list_ordered")
  },
  {
    id: "tasks",
    icon: "list-check",
    group: "lists",
    keywords: "todo checklist",
    shortcut: "[]",
    create: () => list("list_tasks", { checked: false })
  },
  ...inlineKinds,
  {
    id: "image",
    icon: "image",
    group: "media",
    keywords: "photo figure illustration",
    isInCells: true,
    opensSettings: true,
    create: createImage
  },
  {
    id: "file",
    icon: "paperclip",
    group: "media",
    keywords: "attachment download upload",
    opensSettings: true,
    create: () => nodes.file!.create()
  },
  {
    id: "embed",
    icon: "window-restore",
    group: "media",
    keywords: "video youtube iframe website",
    opensSettings: true,
    create: () => nodes.embed!.create()
  },
  {
    id: "drawing",
    icon: "pen",
    group: "media",
    keywords: "sketch",
    opensSettings: true,
    create: () => nodes.drawing!.create({ data: {} })
  },
  {
    id: "hint",
    icon: "circle-info",
    group: "layout",
    keywords: "callout note admonition",
    create: hint("info")
  },
  {
    id: "warning",
    icon: "circle-exclamation",
    group: "layout",
    keywords: "callout caution hint",
    create: hint("warning")
  },
  {
    id: "danger",
    icon: "triangle-exclamation",
    group: "layout",
    keywords: "callout error hint",
    create: hint("danger")
  },
  {
    id: "success",
    icon: "circle-check",
    group: "layout",
    keywords: "callout tip hint",
    create: hint("success")
  },
  {
    id: "tabs",
    icon: "book",
    group: "layout",
    keywords: "panels",
    create: () => two("tabs", "tabs_item", [{ title: "1" }, { title: "2" }])
  },
  {
    id: "stepper",
    icon: "stairs",
    group: "layout",
    keywords: "steps procedure",
    create: () => two("stepper", "stepper_step", [{}, {}])
  },
  {
    id: "columns",
    icon: "table-columns",
    group: "layout",
    keywords: "grid side",
    create: () => two("columns", "column", [{}, {}])
  },
  {
    id: "expandable",
    icon: "square-plus",
    group: "layout",
    keywords: "details accordion toggle faq",
    create: createExpandable
  },
  { id: "table", icon: "table", group: "data", keywords: "grid rows", create: () => createTable(3, 3) },
  { id: "cards", icon: "table-cells", group: "data", keywords: "grid tiles links", create: createCards },
  {
    id: "math",
    icon: "square-root-variable",
    group: "data",
    keywords: "formula tex latex equation",
    shortcut: "$$",
    opensSettings: true,
    create: () => nodes.math!.create({ data: { formula: "" } })
  },
  {
    id: "diagram",
    icon: "diagram-project",
    group: "data",
    keywords: "mermaid flowchart sequence",
    create: () => nodes.code!.create({ data: { syntax: "mermaid" } }, schema.text("graph TD\n  A --> B"))
  },
  {
    id: "pageLink",
    icon: "file-lines",
    group: "data",
    keywords: "content-ref card reference",
    opensSettings: true,
    create: () => nodes.content_ref!.create({ data: { ref: { kind: "url", url: "" } } })
  },
  {
    id: "updates",
    icon: "bullhorn",
    group: "advanced",
    keywords: "changelog release news",
    create: () => two("updates", "update", [{}])
  },
  {
    id: "condition",
    icon: "filter",
    group: "advanced",
    keywords: "if visitor audience",
    opensSettings: true,
    create: () => filled("if", { data: { expression: "visitor.claims.beta" } })
  },
  {
    id: "reusable",
    icon: "copy",
    group: "advanced",
    keywords: "snippet include shared",
    opensSettings: true,
    create: () =>
      nodes.reusable_content!.create({ data: { ref: { kind: "reusable-content", reusableContent: "" } } })
  },
  {
    id: "operation",
    icon: "plug",
    group: "advanced",
    keywords: "openapi api rest endpoint swagger",
    opensSettings: true,
    create: () =>
      nodes.openapi_operation!.create({
        data: { ref: { kind: "openapi", spec: "" }, path: "/", method: "get" }
      })
  },
  {
    id: "webhook",
    icon: "plug",
    group: "advanced",
    keywords: "openapi api event",
    opensSettings: true,
    create: () =>
      nodes.openapi_webhook!.create({
        data: { ref: { kind: "openapi", spec: "" }, name: "", method: "post" }
      })
  },
  {
    id: "schemas",
    icon: "shapes",
    group: "advanced",
    keywords: "openapi api models",
    opensSettings: true,
    create: () => nodes.openapi_schemas!.create({ data: { ref: { kind: "openapi", spec: "" }, schemas: [] } })
  },
  {
    id: "integration",
    icon: "puzzle-piece",
    group: "advanced",
    keywords: "plugin block",
    opensSettings: true,
    create: () => nodes.integration!.create({ data: { integration: "example", block: "block", props: {} } })
  }
]
