/** Tables, as grids and as cards, with their typed values. */
import type { TableBlock } from "@lectern/client/fetch"
import type { ReactNode } from "react"
import { useFormats } from "../strings/formats.ts"
import { useStrings } from "../strings/strings.ts"
import { TextBlocks } from "./Blocks.tsx"
import { type AnyRef, isRef, useTarget } from "./DocumentContext.ts"
import { Icon } from "./Icon.tsx"
import { ImageOf, LinkNode } from "./Inlines.tsx"
import { type BlockNode, fragmentOf } from "./nodes.ts"
import { documentStrings } from "./strings.ts"

/** The value of a cell. */
export type TableValue = TableBlock["data"]["records"][string]["values"][string]

/** The columns and the rows of a table. */
export type TableData = TableBlock["data"]

/** A column of a table. */
export type Column = TableData["definition"][string]

const FragmentText = ({ node, name }: { readonly node: BlockNode; readonly name: string }) => (
  <TextBlocks nodes={fragmentOf(node, name)} />
)

const Rating = ({ value, max }: { readonly value: number; readonly max: number }) => {
  const t = useStrings(documentStrings)
  const most = Math.min(Math.max(Math.round(max), 1), 10)
  const stars = Math.min(Math.max(Math.round(value), 0), most)
  return (
    <span className="rating" role="img" aria-label={t("rating", { stars, most })}>
      {Array.from({ length: most }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: stars have no other identity.
        <span key={index} className={index < stars ? "on" : "off"}>
          <Icon name="star" />
        </span>
      ))}
    </span>
  )
}

const Options = ({ values, column }: { readonly values: ReadonlyArray<string>; readonly column: Column }) => (
  <ul className="badges">
    {values.map((value) => {
      const option = column.type === "select" ? column.options.find((one) => one.value === value) : undefined
      return (
        <li key={value} className={option?.color === undefined ? "badge" : `badge c-${option.color}`}>
          {option?.label ?? value}
        </li>
      )
    })}
  </ul>
)

const imageOf = (value: unknown): AnyRef | undefined => {
  const { ref } = (typeof value === "object" && value !== null ? value : {}) as { readonly ref?: unknown }
  return isRef(ref) ? ref : isRef(value) ? value : undefined
}

interface CellValueProps {
  readonly node: BlockNode
  readonly value: TableValue | undefined
  readonly column?: Column | undefined
  /** The text of a link or of an image. */
  readonly label?: string | undefined
}

const FileLink = ({ file }: { readonly file: string }) => (
  <LinkNode reference={{ kind: "file", file }} className="file-link" />
)

/** The value of a cell: the text that it names, or a value of the type of its column. */
export const CellValue = ({ node, value, column, label }: CellValueProps): ReactNode => {
  const t = useStrings(documentStrings)
  const { number } = useFormats()
  if (value === undefined || value === null) return null
  if (typeof value === "boolean") {
    return <input type="checkbox" checked={value} disabled aria-label={t(value ? "done" : "notDone")} />
  }
  if (typeof value === "string") {
    const isFragment = node.fragments?.some(({ fragment }) => fragment === value) === true
    if (isFragment) return <FragmentText node={node} name={value} />
    return column?.type === "select" ? <Options values={[value]} column={column} /> : value
  }
  if (typeof value === "number") {
    return column?.type === "rating" ? <Rating value={value} max={column.max} /> : number(value)
  }
  if (Array.isArray(value)) {
    const items = value.filter((item) => typeof item === "string")
    if (column?.type === "select") return <Options values={items} column={column} />
    if (column?.type === "files") return items.map((file) => <FileLink key={file} file={file} />)
    return items.join(", ")
  }
  if (column?.type === "image") {
    const reference = imageOf(value)
    return reference === undefined ? null : <ImageOf reference={reference} alt={label ?? ""} />
  }
  return isRef(value) ? <LinkNode reference={value}>{label}</LinkNode> : null
}

/** Returns the columns and the rows of a table. */
export const tableDataOf = (node: BlockNode): TableData => node.data as unknown as TableData

/** Returns the rows of a table in their order, with their ids. */
export const rowsOf = (node: BlockNode) =>
  Object.entries(tableDataOf(node).records).toSorted(([, one], [, other]) =>
    one.orderIndex < other.orderIndex ? -1 : 1
  )

type Row = ReturnType<typeof rowsOf>[number][1]

/** Returns the text of a link or of an image in a cell. */
const labelOf = (row: Row, column: string): string | undefined =>
  (row as { readonly labels?: Readonly<Record<string, string>> }).labels?.[column]

/** Returns the class of the cells of a column, by its alignment. */
export const cellClass = (column: Column | undefined): string | undefined => {
  if (column?.type === "number") return "text-end"
  if (column?.type !== "text") return undefined
  const align = column.textAlignment === "left" ? "" : column.textAlignment
  const vertical = "verticalAlignment" in column ? column.verticalAlignment : undefined
  const names = [
    align === "right" ? "text-end" : align === "center" ? "text-center" : "",
    vertical === undefined ? "" : `valign-${vertical}`
  ].filter((name) => name !== "")
  return names.length === 0 ? undefined : names.join(" ")
}

/** The title of a column. */
export const ColumnTitle = ({
  node,
  column
}: {
  readonly node: BlockNode
  readonly column: Column | undefined
}) => {
  const fragment = (column as { readonly titleFragment?: string } | undefined)?.titleFragment
  return fragment === undefined ? column?.title : <FragmentText node={node} name={fragment} />
}

const Card = ({ node, row }: { readonly node: BlockNode; readonly row: Row }) => {
  const t = useStrings(documentStrings)
  const { view, definition } = tableDataOf(node)
  const cards = view.type === "cards" ? view : undefined
  const target = cards?.targetDefinition === undefined ? undefined : row.values[cards.targetDefinition]
  const link = isRef(target) ? target : undefined
  const { to, href, title } = useTarget(link ?? { kind: "none" })
  const cover = cards?.coverDefinition === undefined ? undefined : imageOf(row.values[cards.coverDefinition])
  const hidden = new Set([cards?.targetDefinition, cards?.coverDefinition, cards?.coverDefinitionDark])
  const columns = view.columns.filter((id) => !hidden.has(id) && row.values[id] !== undefined)
  const isLinked = to !== undefined || href !== undefined
  return (
    <li className={isLinked ? "card linked" : "card"}>
      {cover === undefined ? null : (
        <div className="card-cover">
          <ImageOf reference={cover} alt="" />
        </div>
      )}
      {columns.length === 0 ? null : (
        <div className="card-body">
          {columns.map((id, index) => (
            <div key={id} className={index === 0 ? "card-title" : "card-field"}>
              {cards?.hideColumnTitle === false && definition[id]?.title !== "" ? (
                <span className="card-label">{definition[id]?.title}</span>
              ) : null}
              <CellValue
                node={node}
                value={row.values[id]}
                column={definition[id]}
                label={labelOf(row, id)}
              />
            </div>
          ))}
        </div>
      )}
      {isLinked && link !== undefined ? (
        <LinkNode reference={link} className="card-link">
          <span className="visually-hidden">{title === "" ? t("open") : title}</span>
        </LinkNode>
      ) : null}
    </li>
  )
}

/** A table. */
export const TableView = ({ node }: { readonly node: BlockNode }) => {
  const t = useStrings(documentStrings)
  const { view, definition } = tableDataOf(node)
  const rows = rowsOf(node)
  if (view.type === "cards") {
    return (
      <ul className={view.cardSize === "large" ? "cards large" : "cards"}>
        {rows.map(([id, row]) => (
          <Card key={id} node={node} row={row} />
        ))}
      </ul>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by the keyboard.
    <div className="table-scroll" tabIndex={0} role="group" aria-label={t("table")}>
      <table>
        {view.hideHeader ? null : (
          <thead>
            <tr>
              {view.columns.map((column) => (
                <th key={column} scope="col" className={cellClass(definition[column])}>
                  <ColumnTitle node={node} column={definition[column]} />
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map(([id, row]) => (
            <tr key={id}>
              {view.columns.map((column) => (
                <td key={column} className={cellClass(definition[column])}>
                  <CellValue
                    node={node}
                    value={row.values[column]}
                    column={definition[column]}
                    label={labelOf(row, column)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
