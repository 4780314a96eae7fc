/**
 * The blocks of a document, in the shapes of the public contract.
 *
 * Markdown without a block in the contract is represented by other blocks:
 * - headings below the third level are `heading-3` with `data.depth`;
 * - HTML is a code block whose `data.markdown` is `html`. A tag that is unknown, malformed or not closed is one with
 * `tag`, and Markdown that was not parsed is one with `verbatim`.
 *
 * The contract limits which blocks a block contains, but the pages of users do not comply. Any block can contain any
 * other, and `contractExceptions.ts` lists the differences.
 */
import * as Schema from "effect/Schema"
import { base, type ContainerNode, emptyData, flag, isNotVoid } from "./base.ts"
import {
  type Columns,
  containerSchemas,
  type Expandable,
  type Hint,
  type If,
  type Stepper,
  type Tabs,
  type Updates
} from "./ContainerBlock.ts"
import { fixedField } from "./Inline.ts"
import { Table } from "./TableBlock.ts"
import { Code, Divider, type Heading, Heading1, Heading2, Heading3, Images, Paragraph } from "./TextBlock.ts"
import {
  ContentRefBlock,
  Drawing,
  Embed,
  FileBlock,
  IntegrationBlock,
  MathBlock,
  OpenApiOperation,
  OpenApiSchemas,
  OpenApiWebhook,
  ReusableContent,
  Swagger
} from "./VoidBlock.ts"

export type * from "./ContainerBlock.ts"
export * from "./TableBlock.ts"
export * from "./TextBlock.ts"
export * from "./VoidBlock.ts"

/** A block without nodes. */
export type VoidBlock =
  | ContentRefBlock
  | Drawing
  | Embed
  | FileBlock
  | IntegrationBlock
  | MathBlock
  | OpenApiOperation
  | OpenApiSchemas
  | OpenApiWebhook
  | ReusableContent
  | Swagger

/** A block that contains no blocks of its own kind. */
type Simple = Paragraph | Heading | Code | Table | Images | Divider | VoidBlock

/** A block quote. */
export interface Quote extends ContainerNode<"blockquote"> {
  /** Always empty. */
  readonly data?: Record<never, never>
  /** The blocks of the quote. */
  readonly nodes: ReadonlyArray<Block>
}

/** An item of a list. */
export interface ListItem extends ContainerNode<"list-item"> {
  /** `checked`: whether the item of a task list is checked. `spread`: whether blank lines separate the items. */
  readonly data?: { readonly checked?: boolean; readonly spread?: boolean }
  /** The blocks of the item. */
  readonly nodes: ReadonlyArray<Block>
}

/** A numbered list. */
export interface OrderedList extends ContainerNode<"list-ordered"> {
  /** The number of the first item, 0 to 999,999,999; 1 by default. */
  readonly data?: { readonly start?: number }
  /** The items of the list. */
  readonly nodes: ReadonlyArray<ListItem>
}

/** A list with bullets, or a task list. */
export interface UnorderedList extends ContainerNode<"list-unordered" | "list-tasks"> {
  /** Always without `start`, which only numbered lists have. */
  readonly data?: { readonly start?: unknown }
  /** The items of the list. */
  readonly nodes: ReadonlyArray<ListItem>
}

/** A list. */
export type List = OrderedList | UnorderedList

/** A block with the blocks that it contains. */
export type Container = Quote | List | Hint | Tabs | Stepper | Columns | If | Updates

/** A block of a document. */
export type Block = Simple | Container | Expandable

const blocks = Schema.Array(Schema.suspend((): Schema.Codec<Block> => Block))

/** A block quote. */
export const Quote: Schema.Codec<Quote> = Schema.Struct({
  ...base("blockquote"),
  isVoid: isNotVoid,
  data: Schema.optionalKey(emptyData),
  nodes: blocks
})

const ListItem: Schema.Codec<ListItem> = Schema.Struct({
  ...base("list-item"),
  isVoid: isNotVoid,
  data: Schema.optionalKey(Schema.Struct({ checked: flag, spread: flag })),
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
  Table,
  Quote,
  list("list-ordered", start),
  list("list-unordered", fixedField()),
  list("list-tasks", fixedField()),
  ...containerSchemas(blocks),
  ReusableContent,
  Embed,
  ContentRefBlock,
  FileBlock,
  Drawing,
  MathBlock,
  Swagger,
  OpenApiOperation,
  OpenApiWebhook,
  OpenApiSchemas,
  IntegrationBlock
])
