/** Tables: as a grid of cells, or as cards, with typed columns. */
import * as Schema from "effect/Schema"
import { resource } from "../../schema/resource.ts"
import { text } from "../../schema/Text.ts"
import { base, type ContainerNode, emptyData, flag, isNotVoid, isVoid, verticalAlignment } from "./base.ts"
import { ContentRef, ImageRef } from "./Inline.ts"
import { Code, Divider, type Heading, Heading1, Heading2, Heading3, Images, Paragraph } from "./TextBlock.ts"

/** A list in a cell. */
export interface CellList extends ContainerNode<"list-ordered" | "list-unordered"> {
  /** The number of the first item of a numbered list. */
  readonly data?: { readonly start?: number }
  /** The items. */
  readonly nodes: ReadonlyArray<CellListItem>
}

/** An item of a list in a cell. */
export interface CellListItem extends ContainerNode<"list-item"> {
  /** Always empty. */
  readonly data?: Record<never, never>
  /** The blocks of the item. */
  readonly nodes: ReadonlyArray<CellBlock>
}

/** A quote in a cell. */
export interface CellQuote extends ContainerNode<"blockquote"> {
  /** Always empty. */
  readonly data?: Record<never, never>
  /** The blocks of the quote. */
  readonly nodes: ReadonlyArray<CellBlock>
}

/** A block that a cell can contain. */
export type CellBlock = Paragraph | Heading | Divider | Code | Images | CellList | CellQuote

const cellBlocks = Schema.Array(Schema.suspend((): Schema.Codec<CellBlock> => CellBlock))

const cellContainer = <const Type extends string, Nodes extends Schema.Top>(type: Type, nodes: Nodes) =>
  Schema.Struct({ ...base(type), isVoid: isNotVoid, data: Schema.optionalKey(emptyData), nodes })

const CellListItem: Schema.Codec<CellListItem> = cellContainer("list-item", cellBlocks)

const CellBlock: Schema.Codec<CellBlock> = Schema.Union([
  Paragraph,
  Heading1,
  Heading2,
  Heading3,
  Divider,
  Code,
  Images,
  cellContainer("blockquote", cellBlocks),
  cellContainer("list-unordered", Schema.Array(CellListItem)),
  Schema.Struct({
    ...base("list-ordered"),
    isVoid: isNotVoid,
    data: Schema.optionalKey(Schema.Struct({ start: Schema.optionalKey(Schema.Int) })),
    nodes: Schema.Array(CellListItem)
  })
])

/** The blocks of a cell of a table. `fragment` is the name by which the cell refers to them. */
export class TableFragment extends resource<TableFragment>()(
  Schema.Struct({
    object: Schema.Literal("fragment"),
    key: Schema.optionalKey(Schema.String),
    fragment: text({ min: 1 }),
    type: Schema.optionalKey(Schema.String),
    nodes: Schema.Array(CellBlock)
  })
) {}

const column = { id: Schema.String, title: text(), titleFragment: Schema.optionalKey(Schema.String) }

/**
 * A column of text. `titleFragment` names the fragment of a title that is not plain text. `aligned` is true if the
 * alignment is explicit, which matters for `left`, the default.
 */
export class TextColumn extends resource<TextColumn>()(
  Schema.Struct({
    ...column,
    type: Schema.Literal("text"),
    textAlignment: Schema.Literals(["left", "center", "right"]),
    verticalAlignment,
    aligned: Schema.optionalKey(Schema.Boolean)
  })
) {}

/** A column of numbers, checkboxes, files, targets or images. */
export class ValueColumn extends resource<ValueColumn>()(
  Schema.Struct({
    ...column,
    type: Schema.Literals(["number", "checkbox", "files", "content-ref", "image"])
  })
) {}

/** A column of users. */
export class UsersColumn extends resource<UsersColumn>()(
  Schema.Struct({ ...column, type: Schema.Literal("users"), multiple: Schema.Boolean })
) {}

/** A column of ratings, from 0 to `max`. */
export class RatingColumn extends resource<RatingColumn>()(
  Schema.Struct({ ...column, type: Schema.Literal("rating"), max: Schema.Finite })
) {}

/** A column of options. */
export class SelectColumn extends resource<SelectColumn>()(
  Schema.Struct({
    ...column,
    type: Schema.Literal("select"),
    multiple: Schema.Boolean,
    options: Schema.Array(Schema.Struct({ value: text(), label: text(), color: text() }))
  })
) {}

/** A column of a table. */
export const TableColumn = Schema.Union([TextColumn, ValueColumn, UsersColumn, RatingColumn, SelectColumn])
/** A column of a table. */
export type TableColumn = typeof TableColumn.Type

/** The maximum number of errors that a response lists for the cells of one table. */
const maximumIssues = 20

const columnIds = Schema.Array(Schema.String).check(Schema.isMinLength(1))

/** A view of rows and columns. `columnWidths` are in pixels if `useNewSizing` is true, else in percent. */
export class GridView extends resource<GridView>()(
  Schema.Struct({
    type: Schema.Literal("grid"),
    columns: columnIds,
    columnWidths: Schema.optionalKey(Schema.Record(Schema.String, Schema.Finite)),
    hideHeader: Schema.Boolean,
    useNewSizing: flag
  })
) {}

/** A view of cards. The definitions are the ids of columns with the target and the covers of a card. */
export class CardsView extends resource<CardsView>()(
  Schema.Struct({
    type: Schema.Literal("cards"),
    cardSize: Schema.Literals(["medium", "large"]),
    columns: columnIds,
    targetDefinition: Schema.optionalKey(Schema.String),
    coverDefinition: Schema.optionalKey(Schema.String),
    coverDefinitionDark: Schema.optionalKey(Schema.String),
    hideColumnTitle: flag,
    wrap: flag
  })
) {}

/** An image in a cell, with its fit. */
export class ImageValue extends resource<ImageValue>()(
  Schema.Struct({
    ref: ImageRef,
    objectFit: Schema.optionalKey(Schema.Literals(["contain", "fill", "cover"]))
  })
) {}

/** The value of a cell. For a column of text, it is the name of a fragment. */
export const TableValue = Schema.Union([
  Schema.NullOr(text()),
  Schema.Finite,
  Schema.Boolean,
  Schema.Array(text()),
  ContentRef,
  ImageValue
])
/** The value of a cell. */
export type TableValue = typeof TableValue.Type

/**
 * The values of a row by column. `labels` has the text of each link that is not the last segment of its target, by column, and
 * in a column of files by column, a colon, and the index of the file.
 */
export class TableRecord extends resource<TableRecord>()(
  Schema.Struct({
    orderIndex: Schema.String,
    values: Schema.Record(Schema.String, TableValue),
    labels: Schema.optionalKey(Schema.Record(Schema.String, text()))
  })
) {}

const isNumber = (value: TableValue): boolean => typeof value === "number"
const isList = (value: TableValue): boolean => Array.isArray(value)
const isTarget = (value: TableValue): boolean =>
  typeof value === "object" && value !== null && "kind" in value
const isImage = (value: TableValue): boolean =>
  typeof value === "object" && value !== null && ("kind" in value || "ref" in value)

/** The values of cells by the type of the column, besides null. */
const valueTypes: Readonly<
  Record<TableColumn["type"], readonly [isValid: (value: TableValue) => boolean, description: string]>
> = {
  text: [(value) => typeof value === "string", "the name of a fragment"],
  number: [isNumber, "a number"],
  rating: [isNumber, "a number"],
  checkbox: [(value) => typeof value === "boolean", "a boolean"],
  files: [isList, "an array of file ids"],
  users: [isList, "an array of user ids"],
  select: [isList, "an array of option values"],
  "content-ref": [isTarget, "a content reference"],
  image: [isImage, "an image reference"]
}

const validateValues = Schema.makeFilter(
  ({
    records,
    definition
  }: {
    readonly records: Readonly<Record<string, TableRecord>>
    readonly definition: Readonly<Record<string, TableColumn>>
  }) => {
    const issues: Array<{ path: ReadonlyArray<PropertyKey>; issue: string }> = []
    for (const [id, { values }] of Object.entries(records)) {
      for (const [column, value] of Object.entries(values)) {
        if (value === null || !Object.hasOwn(definition, column)) continue
        const [isValid, description] = valueTypes[definition[column]!.type]
        if (isValid(value)) continue
        const issue = `must be ${description} or null: the column has the type ${definition[column]!.type}`
        issues.push({ path: ["records", id, "values", column], issue })
        if (issues.length >= maximumIssues) return issues
      }
    }
    return issues
  }
)

/**
 * A table. Cells after the last column of the header, which readers do not display, are in columns that are defined but
 * not in the view.
 */
export class Table extends resource<Table>()(
  Schema.Struct({
    ...base("table"),
    isVoid,
    data: Schema.Struct({
      view: Schema.Union([GridView, CardsView]),
      records: Schema.Record(Schema.String, TableRecord),
      definition: Schema.Record(Schema.String, TableColumn),
      fullWidth: flag,
      search: flag
    }).check(validateValues),
    fragments: Schema.Array(TableFragment)
  })
) {}
