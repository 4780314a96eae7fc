/**
 * The blocks that a document is made of, in the shapes of the public contract.
 *
 * Some blocks stand for markdown that the contract has no block for:
 * - headings below the third level are `heading-3` with `data.depth`;
 * - HTML is a code block with `data.markdown` `html`; a text that was not parsed is one with `verbatim`;
 * - code, tables and HTML in a quote, where the contract has none, are in a list of one item with `data.bare`: the
 *   item is no item, but what it holds.
 */
import { Schema } from "effect"
import { resource } from "../../../kernel/schema/resource.ts"
import { text } from "../../../kernel/schema/Text.ts"
import { Image, Inline, ReusableContentRef, Text, unsayable } from "./Inline.ts"

const base = <const Type extends string>(type: Type) => ({
  object: Schema.Literal("block"),
  type: Schema.Literal(type),
  key: Schema.optionalKey(Schema.String)
})
const isFilled = Schema.optionalKey(Schema.Literal(false))
const isVoid = Schema.Literal(true)
const lines = Schema.Array(Inline)
// A struct without fields would take anything that is not null.
const empty = Schema.Record(Schema.String, Schema.Unknown)
const align = unsayable("start")

/** A paragraph. */
export class Paragraph extends resource<Paragraph>()(
  Schema.Struct({
    ...base("paragraph"),
    isVoid: isFilled,
    nodes: lines,
    data: Schema.optionalKey(Schema.Struct({ align }))
  })
) {}

const depth = Schema.optionalKey(Schema.Literals([4, 5, 6]))

const heading = <const Type extends string, Depth extends Schema.Top>(type: Type, depth: Depth) =>
  Schema.Struct({
    ...base(type),
    isVoid: isFilled,
    nodes: lines,
    data: Schema.Struct({
      id: Schema.optionalKey(Schema.String),
      align,
      depth
    }),
    meta: Schema.optionalKey(Schema.Struct({ id: Schema.String }))
  })

class Heading1 extends resource<Heading1>()(heading("heading-1", unsayable())) {}
class Heading2 extends resource<Heading2>()(heading("heading-2", unsayable())) {}
class Heading3 extends resource<Heading3>()(heading("heading-3", depth)) {}

/** A heading. Its id is derived from its text and unique in the document; an id in the input is ignored. */
export type Heading = Heading1 | Heading2 | Heading3

/** A horizontal rule. */
export class Divider extends resource<Divider>()(
  Schema.Struct({ ...base("divider"), isVoid, data: empty })
) {}

/** A line of code: text without marks. */
class CodeLine extends resource<CodeLine>()(
  Schema.Struct({
    ...base("code-line"),
    isVoid: isFilled,
    data: Schema.Struct({ highlighted: unsayable(false) }),
    nodes: Schema.Array(Text)
  })
) {}

/** Code, by lines. `syntax` is the first word behind the fence; `meta` is what follows it. */
export class Code extends resource<Code>()(
  Schema.Struct({
    ...base("code"),
    isVoid: isFilled,
    data: Schema.Struct({
      syntax: Schema.optionalKey(text()),
      meta: Schema.optionalKey(text()),
      markdown: Schema.optionalKey(Schema.Literals(["html", "verbatim"])),
      title: unsayable(""),
      overflow: unsayable("scroll"),
      lineNumbers: unsayable(false),
      fullWidth: unsayable(false)
    }),
    nodes: Schema.Array(CodeLine)
  })
) {}

/** Images with nothing but line feeds between them. */
export class Images extends resource<Images>()(
  Schema.Struct({
    ...base("images"),
    isVoid: Schema.Literal(false),
    data: Schema.Struct({ align: unsayable(), fullWidth: unsayable(false), withFrame: unsayable(false) }),
    nodes: Schema.Array(Image)
  })
) {}

/** `{% include "/reusable-contents/{id}" %}`, alone in a paragraph that is in nothing else. */
export class ReusableContent extends resource<ReusableContent>()(
  Schema.Struct({
    ...base("reusable-content"),
    isVoid,
    data: Schema.Struct({ ref: ReusableContentRef })
  })
) {}

/** The content of a cell of a table: paragraphs, under the name of the fragment. */
export class TableFragment extends resource<TableFragment>()(
  Schema.Struct({
    object: Schema.Literal("fragment"),
    key: Schema.optionalKey(Schema.String),
    fragment: text({ min: 1 }),
    type: Schema.optionalKey(Schema.String),
    nodes: Schema.Array(Paragraph)
  })
) {}

/** A column. `titleFragment` names the title where it is more than text; `aligned` says that left is not by default. */
export class TableColumn extends resource<TableColumn>()(
  Schema.Struct({
    id: Schema.String,
    title: text(),
    type: Schema.Literal("text"),
    textAlignment: Schema.Literals(["left", "center", "right"]),
    verticalAlignment: unsayable("top"),
    aligned: Schema.optionalKey(Schema.Boolean),
    titleFragment: Schema.optionalKey(Schema.String)
  })
) {}

/** The values of a row by column: each names the fragment that holds the cell. */
export class TableRecord extends resource<TableRecord>()(
  Schema.Struct({
    orderIndex: Schema.String,
    values: Schema.Record(Schema.String, Schema.NullOr(text()))
  })
) {}

/**
 * A table. Cells past the header's last one, which readers do not show, are in columns that are defined but not in
 * the view.
 */
export class Table extends resource<Table>()(
  Schema.Struct({
    ...base("table"),
    isVoid,
    data: Schema.Struct({
      view: Schema.Struct({
        type: Schema.Literal("grid"),
        columns: Schema.Array(Schema.String).check(Schema.isMinLength(1)),
        columnWidths: unsayable(),
        hideHeader: Schema.Literal(false)
      }),
      records: Schema.Record(Schema.String, TableRecord),
      definition: Schema.Record(Schema.String, TableColumn),
      fullWidth: unsayable(false)
    }),
    fragments: Schema.Array(TableFragment)
  })
) {}

/** A block that contains no blocks of its own kind. */
type Simple = Paragraph | Heading | Code | Table | Images | ReusableContent | typeof Divider.Type

interface Base<Type extends string> {
  readonly object: "block"
  readonly type: Type
  readonly key?: string
  readonly isVoid?: false
}

/** A block quote. */
export interface Quote extends Base<"blockquote"> {
  /** Always empty. */
  readonly data?: Record<never, never>
  /** The blocks of the quote. */
  readonly nodes: ReadonlyArray<Block>
}

/**
 * An item of a list. `spread` says that the list has blank lines between its items; `bare` that it is no item, but
 * what it holds.
 */
export interface ListItem extends Base<"list-item"> {
  /** Whether the item is checked, in a list of tasks; and the two fields above. */
  readonly data?: { readonly checked?: boolean; readonly spread?: boolean; readonly bare?: boolean }
  /** The blocks of the item. */
  readonly nodes: ReadonlyArray<Block>
}

/** A numbered list. */
export interface OrderedList extends Base<"list-ordered"> {
  /** The number of the first item, 0 to 999,999,999; 1 by default. */
  readonly data?: { readonly start?: number }
  /** The items of the list. */
  readonly nodes: ReadonlyArray<ListItem>
}

/** A list with bullets, or of tasks. */
export interface UnorderedList extends Base<"list-unordered" | "list-tasks"> {
  /** Without fields: only numbered lists have a start. */
  readonly data?: { readonly start?: unknown }
  /** The items of the list. */
  readonly nodes: ReadonlyArray<ListItem>
}

/** A list. */
export type List = OrderedList | UnorderedList

/** A block of a document. */
export type Block = Simple | Quote | List

const blocks = Schema.Array(Schema.suspend((): Schema.Codec<Block> => Block))

export const Quote: Schema.Codec<Quote> = Schema.Struct({
  ...base("blockquote"),
  isVoid: isFilled,
  data: Schema.optionalKey(empty),
  nodes: blocks
})

const ListItem: Schema.Codec<ListItem> = Schema.Struct({
  ...base("list-item"),
  isVoid: isFilled,
  data: Schema.optionalKey(
    Schema.Struct({
      checked: Schema.optionalKey(Schema.Boolean),
      spread: Schema.optionalKey(Schema.Boolean),
      bare: Schema.optionalKey(Schema.Boolean)
    })
  ),
  nodes: blocks
})

/** Up to nine digits, as markdown has it. */
const start = Schema.optionalKey(
  Schema.Number.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 999_999_999 }))
)

const list = <const Type extends string, Start extends Schema.Top>(type: Type, start: Start) =>
  Schema.Struct({
    ...base(type),
    isVoid: isFilled,
    data: Schema.optionalKey(Schema.Struct({ start })),
    nodes: Schema.Array(ListItem)
  })

/** A block of a document. */
export const Block: Schema.Codec<Block> = Schema.Union([
  Paragraph,
  Heading1,
  Heading2,
  Heading3,
  Divider,
  Code,
  Images,
  ReusableContent,
  Table,
  Quote,
  list("list-ordered", start),
  list("list-unordered", unsayable()),
  list("list-tasks", unsayable())
])
