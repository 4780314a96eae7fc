/**
 * The blocks of a document, in the shapes of the public contract.
 *
 * Markdown without a block in the contract is represented by other blocks:
 * - headings below the third level are `heading-3` with `data.depth`;
 * - HTML is a code block whose `data.markdown` is `html`; Markdown that was not parsed is one with `verbatim`;
 * - code, tables and HTML in a quote, which the contract does not permit, are in a list with one item, whose
 * `data.bare`
 *   states that Markdown contains only the blocks of the item.
 */
import { Schema } from "effect"
import { resource } from "../../../kernel/schema/resource.ts"
import { text } from "../../../kernel/schema/Text.ts"
import { fixedField, Image, Inline, ReusableContentRef, Text } from "./Inline.ts"

const base = <const Type extends string>(type: Type) => ({
  object: Schema.Literal("block"),
  type: Schema.Literal(type),
  key: Schema.optionalKey(Schema.String)
})
const isNotVoid = Schema.optionalKey(Schema.Literal(false))
const isVoid = Schema.Literal(true)
const lines = Schema.Array(Inline)
// A struct without fields accepts every value except null.
const empty = Schema.Record(Schema.String, Schema.Unknown)
const align = fixedField("start")

/** A paragraph. */
export class Paragraph extends resource<Paragraph>()(
  Schema.Struct({
    ...base("paragraph"),
    isVoid: isNotVoid,
    nodes: lines,
    data: Schema.optionalKey(Schema.Struct({ align }))
  })
) {}

const depth = Schema.optionalKey(Schema.Literals([4, 5, 6]))

const heading = <const Type extends string, Depth extends Schema.Top>(type: Type, depth: Depth) =>
  Schema.Struct({
    ...base(type),
    isVoid: isNotVoid,
    nodes: lines,
    data: Schema.Struct({
      id: Schema.optionalKey(Schema.String),
      align,
      depth
    }),
    meta: Schema.optionalKey(Schema.Struct({ id: Schema.String }))
  })

class Heading1 extends resource<Heading1>()(heading("heading-1", fixedField())) {}
class Heading2 extends resource<Heading2>()(heading("heading-2", fixedField())) {}
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
    isVoid: isNotVoid,
    data: Schema.Struct({ highlighted: fixedField(false) }),
    nodes: Schema.Array(Text)
  })
) {}

/** A code block. `syntax` is the first word after the opening fence; `meta` is the rest of its line. */
export class Code extends resource<Code>()(
  Schema.Struct({
    ...base("code"),
    isVoid: isNotVoid,
    data: Schema.Struct({
      syntax: Schema.optionalKey(text()),
      meta: Schema.optionalKey(text()),
      markdown: Schema.optionalKey(Schema.Literals(["html", "verbatim"])),
      title: fixedField(""),
      overflow: fixedField("scroll"),
      lineNumbers: fixedField(false),
      fullWidth: fixedField(false)
    }),
    nodes: Schema.Array(CodeLine)
  })
) {}

/** Images that are separated only by line feeds. */
export class Images extends resource<Images>()(
  Schema.Struct({
    ...base("images"),
    isVoid: Schema.Literal(false),
    data: Schema.Struct({ align: fixedField(), fullWidth: fixedField(false), withFrame: fixedField(false) }),
    nodes: Schema.Array(Image)
  })
) {}

/** `{% include "/reusable-contents/{id}" %}` as the only content of a paragraph at the top level. */
export class ReusableContent extends resource<ReusableContent>()(
  Schema.Struct({
    ...base("reusable-content"),
    isVoid,
    data: Schema.Struct({ ref: ReusableContentRef })
  })
) {}

/** The paragraphs of a cell of a table. `fragment` is the name by which the cell refers to them. */
export class TableFragment extends resource<TableFragment>()(
  Schema.Struct({
    object: Schema.Literal("fragment"),
    key: Schema.optionalKey(Schema.String),
    fragment: text({ min: 1 }),
    type: Schema.optionalKey(Schema.String),
    nodes: Schema.Array(Paragraph)
  })
) {}

/**
 * A column. `titleFragment` names the fragment of a title that is not plain text. `aligned` is true if the alignment is
 * explicit, which matters for `left`, the default.
 */
export class TableColumn extends resource<TableColumn>()(
  Schema.Struct({
    id: Schema.String,
    title: text(),
    type: Schema.Literal("text"),
    textAlignment: Schema.Literals(["left", "center", "right"]),
    verticalAlignment: fixedField("top"),
    aligned: Schema.optionalKey(Schema.Boolean),
    titleFragment: Schema.optionalKey(Schema.String)
  })
) {}

/** The values of a row by column: the names of the fragments of its cells. */
export class TableRecord extends resource<TableRecord>()(
  Schema.Struct({
    orderIndex: Schema.String,
    values: Schema.Record(Schema.String, Schema.NullOr(text()))
  })
) {}

/**
 * A table. Cells after the last column of the header, which readers do not display, are in columns that are defined but
 * not in the view.
 */
export class Table extends resource<Table>()(
  Schema.Struct({
    ...base("table"),
    isVoid,
    data: Schema.Struct({
      view: Schema.Struct({
        type: Schema.Literal("grid"),
        columns: Schema.Array(Schema.String).check(Schema.isMinLength(1)),
        columnWidths: fixedField(),
        hideHeader: Schema.Literal(false)
      }),
      records: Schema.Record(Schema.String, TableRecord),
      definition: Schema.Record(Schema.String, TableColumn),
      fullWidth: fixedField(false)
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

/** An item of a list. */
export interface ListItem extends Base<"list-item"> {
  /**
   * `checked`: whether the item of a task list is checked. `spread`: whether blank lines separate the items of the
   * list. `bare`: whether Markdown contains only the blocks of the item.
   */
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

/** A list with bullets, or a task list. */
export interface UnorderedList extends Base<"list-unordered" | "list-tasks"> {
  /** Always without `start`, which only numbered lists have. */
  readonly data?: { readonly start?: unknown }
  /** The items of the list. */
  readonly nodes: ReadonlyArray<ListItem>
}

/** A list. */
export type List = OrderedList | UnorderedList

/** A block of a document. */
export type Block = Simple | Quote | List

const blocks = Schema.Array(Schema.suspend((): Schema.Codec<Block> => Block))

/** A block quote. */
export const Quote: Schema.Codec<Quote> = Schema.Struct({
  ...base("blockquote"),
  isVoid: isNotVoid,
  data: Schema.optionalKey(empty),
  nodes: blocks
})

const ListItem: Schema.Codec<ListItem> = Schema.Struct({
  ...base("list-item"),
  isVoid: isNotVoid,
  data: Schema.optionalKey(
    Schema.Struct({
      checked: Schema.optionalKey(Schema.Boolean),
      spread: Schema.optionalKey(Schema.Boolean),
      bare: Schema.optionalKey(Schema.Boolean)
    })
  ),
  nodes: blocks
})

/** At most nine digits, the limit of CommonMark. */
const start = Schema.optionalKey(
  Schema.Number.check(Schema.isInt(), Schema.isBetween({ minimum: 0, maximum: 999_999_999 }))
)

const list = <const Type extends string, Start extends Schema.Top>(type: Type, start: Start) =>
  Schema.Struct({
    ...base(type),
    isVoid: isNotVoid,
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
  list("list-unordered", fixedField()),
  list("list-tasks", fixedField())
])
