/** The difference of two tables with the same columns: by row, and in a row by cell. */
import type { ReactNode } from "react"
import type { BlockNode } from "../document/nodes.ts"
import { documentStrings } from "../document/strings.ts"
import {
  CellValue,
  type Column,
  ColumnTitle,
  cellClass,
  rowsOf,
  type TableData,
  type TableValue,
  tableDataOf
} from "../document/TableView.tsx"
import { useStrings } from "../strings/strings.ts"
import { type BlockChange, compareBlocks, contentOf } from "./compareBlocks.ts"

/** A cell as a block: the blocks of its text, or its value. */
interface Cell extends BlockNode {
  readonly data: { readonly value?: TableValue | undefined }
  readonly nodes: ReadonlyArray<BlockNode>
}

const cellOf = (table: BlockNode, value: TableValue | undefined): Cell => {
  const fragment = table.fragments?.find((one) => one.fragment === value)
  // A value that is not text is compared as a word, so that rows with equal values are recognized.
  return fragment === undefined
    ? {
        object: "block",
        type: "table-cell",
        data: { value },
        nodes: [{ object: "text", leaves: [{ object: "leaf", text: String(value ?? ""), marks: [] }] }]
      }
    : { object: "block", type: "table-cell", data: {}, nodes: fragment.nodes }
}

const toRows = (table: BlockNode, { view }: TableData): ReadonlyArray<BlockNode> =>
  rowsOf(table).map(([, { values }]) => ({
    object: "block",
    type: "table-row",
    nodes: view.columns.map((column) => cellOf(table, values[column]))
  }))

const titlesOf = ({ view, definition }: TableData): string =>
  view.columns.map((column) => definition[column]?.title ?? "").join("\n")

/** Whether two tables are grids with the same columns. */
export const haveSameColumns = (before: BlockNode, after: BlockNode): boolean => {
  const [one, other] = [tableDataOf(before), tableDataOf(after)]
  return one.view.type !== "cards" && other.view.type !== "cards" && titlesOf(one) === titlesOf(other)
}

/** Renders the difference of the blocks of a cell. */
export type RenderCell = (before: ReadonlyArray<BlockNode>, after: ReadonlyArray<BlockNode>) => ReactNode

const cellsOf = (row: BlockNode): ReadonlyArray<Cell> => (row.nodes ?? []) as ReadonlyArray<Cell>

const isValue = ({ data }: Cell): boolean => "value" in data

interface ValueProps {
  readonly cell: Cell
  readonly column: Column | undefined
}

const Value = ({ cell, column }: ValueProps) => (
  <CellValue node={cell} value={cell.data.value} column={column} />
)

interface CellsProps {
  readonly column: Column | undefined
  readonly before: Cell
  readonly after: Cell
  readonly render: RenderCell
}

const ChangedCell = ({ column, before, after, render }: CellsProps) => {
  if (contentOf(before) === contentOf(after))
    return isValue(after) ? <Value cell={after} column={column} /> : render([], after.nodes)
  if (!isValue(before) && !isValue(after)) return render(before.nodes, after.nodes)
  return (
    <>
      <del>{isValue(before) ? <Value cell={before} column={column} /> : render([], before.nodes)}</del>{" "}
      <ins>{isValue(after) ? <Value cell={after} column={column} /> : render([], after.nodes)}</ins>
    </>
  )
}

interface RowProps {
  readonly change:
    | Exclude<BlockChange, { readonly kind: "same" }>
    | { readonly kind: "same"; readonly row: BlockNode }
  readonly columns: ReadonlyArray<Column | undefined>
  readonly render: RenderCell
}

/** A row. The cells of an unchanged, an inserted or a deleted row are displayed without a comparison. */
const Row = ({ change, columns, render }: RowProps) => {
  if (change.kind === "changed") {
    const before = cellsOf(change.before)
    return (
      <tr className="diff-row">
        {cellsOf(change.after).map((cell, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a comparison never move.
          <td key={index} className={cellClass(columns[index])}>
            <ChangedCell column={columns[index]} before={before[index]!} after={cell} render={render} />
          </td>
        ))}
      </tr>
    )
  }
  const row = change.kind === "same" ? change.row : change.block
  return (
    <tr className={change.kind === "same" ? undefined : `is-${change.kind}`}>
      {cellsOf(row).map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a comparison never move.
        <td key={index} className={cellClass(columns[index])}>
          <ChangedCell column={columns[index]} before={cell} after={cell} render={render} />
        </td>
      ))}
    </tr>
  )
}

/** Properties of {@link TableDifference}. */
export interface TableDifferenceProps {
  readonly before: BlockNode
  readonly after: BlockNode
  readonly render: RenderCell
}

/** The difference of two tables with the same columns. */
export const TableDifference = ({ before, after, render }: TableDifferenceProps) => {
  const t = useStrings(documentStrings)
  const data = tableDataOf(after)
  const changes = compareBlocks(toRows(before, tableDataOf(before)), toRows(after, data))
  const rows = changes.flatMap(
    (change): ReadonlyArray<RowProps["change"]> =>
      change.kind === "same" ? change.blocks.map((row) => ({ kind: "same", row }) as const) : [change]
  )
  const columns = data.view.columns.map((column) => data.definition[column])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by the keyboard.
    <div className="table-scroll diff-table" tabIndex={0} role="group" aria-label={t("table")}>
      <table>
        {data.view.type === "cards" || data.view.hideHeader ? null : (
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th key={data.view.columns[index]} scope="col" className={cellClass(column)}>
                  <ColumnTitle node={after} column={column} />
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map((change, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a comparison never move.
            <Row key={index} change={change} columns={columns} render={render} />
          ))}
        </tbody>
      </table>
    </div>
  )
}
