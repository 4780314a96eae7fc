/** Tables, as grids and as cards. */
import type { TableBlock } from "@lectern/client/fetch"
import { Blocks } from "./Blocks.tsx"
import type { BlockNode } from "./nodes.ts"

/** The value of a cell. */
export type TableValue = TableBlock["data"]["records"][string]["values"][string]

const FragmentText = ({ node, name }: { readonly node: BlockNode; readonly name: string }) => (
  <Blocks nodes={node.fragments?.find(({ fragment }) => fragment === name)?.nodes ?? []} />
)

/** The value of a cell: the text that it names, or a value without text. */
export const CellValue = ({
  node,
  value
}: {
  readonly node: BlockNode
  readonly value: TableValue | undefined
}) => {
  if (value === undefined || value === null) return null
  if (typeof value === "boolean") {
    return <input type="checkbox" checked={value} readOnly tabIndex={-1} aria-hidden />
  }
  if (typeof value === "string") {
    const isFragment = node.fragments?.some(({ fragment }) => fragment === value) === true
    return isFragment ? <FragmentText node={node} name={value} /> : value
  }
  if (typeof value === "number") return value
  return Array.isArray(value) ? value.filter((item) => typeof item === "string").join(", ") : null
}

/** The columns and the rows of a table. */
export type TableData = TableBlock["data"]

/** Returns the columns and the rows of a table. */
export const tableDataOf = (node: BlockNode): TableData => node.data as unknown as TableData

/** Returns the rows of a table in their order, with their ids. */
export const rowsOf = (node: BlockNode) =>
  Object.entries(tableDataOf(node).records).toSorted(([, one], [, other]) =>
    one.orderIndex < other.orderIndex ? -1 : 1
  )

/** A table. */
export const TableView = ({ node }: { readonly node: BlockNode }) => {
  const { view, definition } = tableDataOf(node)
  const rows = rowsOf(node)
  if (view.type === "cards") {
    return (
      <ul className="cards">
        {rows.map(([id, { values }]) => (
          <li key={id} className="card-record">
            {view.columns.map((column) => (
              <div key={column}>
                <CellValue node={node} value={values[column]} />
              </div>
            ))}
          </li>
        ))}
      </ul>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reachable by the keyboard.
    <div className="table" tabIndex={0} role="group">
      <table>
        {view.hideHeader ? null : (
          <thead>
            <tr>
              {view.columns.map((column) => (
                <th key={column} scope="col">
                  {definition[column]?.title}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map(([id, { values }]) => (
            <tr key={id}>
              {view.columns.map((column) => (
                <td key={column}>
                  <CellValue node={node} value={values[column]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
