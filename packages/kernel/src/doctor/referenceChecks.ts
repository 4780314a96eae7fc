/** Checks of references between rows: declared ones, and ones that no table declares. */
import { Effect } from "effect"
import type { StorageUnavailable, Table } from "../storage/index.ts"
import { type Check, type Examination, examination, type Light, type Problem, type Tools } from "./Check.ts"
import { byId } from "./lookups.ts"

/** The declared references. Stores enforce them, unless a database is edited by other means. */
export const declared: Check = {
  name: "references",
  invariant: "Every declared reference refers to an existing row.",
  source: "storage/Table.ts"
}

/** Returns the examination of the declared references of a table, or `undefined` for a table without one. */
export const declaredReferencesOf = (table: Table.AnyTable): Examination | undefined => {
  const references = Object.entries(table.references).flatMap(([column, reference]) =>
    reference === undefined ? [] : [[column, reference.table()] as const]
  )
  if (references.length === 0) return undefined
  return examination(
    table,
    [declared],
    Effect.fnUntraced(function* ({ records }, rows) {
      const problems: Array<Problem> = []
      for (const [column, target] of references) {
        const named = (row: (typeof rows)[number]) => (row as Record<string, string | null>)[column]
        const found = yield* byId(records, target, rows.map(named), [
          target.key[0]! as keyof Table.Row<Table.AnyTable> & string
        ])
        for (const row of rows) {
          const id = named(row)
          if (id == null || found.has(id)) continue
          problems.push({
            check: declared,
            row,
            message: `refers to ${id} as its ${column}; ${target.name} has no such row`
          })
        }
      }
      return problems
    })
  )
}

/** An id that a row refers to, and the role of that reference. */
export type Naming = readonly [what: string, id: string | null | undefined]

/** A reference that no table declares. */
interface Undeclared<
  T extends Table.AnyTable,
  U extends Table.AnyTable,
  K extends keyof Table.Row<U> & string
> {
  readonly over: T
  readonly to: U
  /** The ids that a row refers to. */
  readonly ids: (row: Light<T>) => ReadonlyArray<Naming>
  /** The columns of the referenced row that {@link wrong} reads. */
  readonly select: ReadonlyArray<K>
  /** Returns why an existing row is not a valid target, or `undefined` if it is. */
  readonly wrong?: (row: Light<T>, named: Pick<Table.Row<U>, K>, what: string) => string | undefined
}

/** Creates an examination of references that no table declares. */
export const requireReferences = <
  T extends Table.AnyTable,
  U extends Table.AnyTable,
  K extends keyof Table.Row<U> & string
>(
  check: Check,
  { over, to, ids, select, wrong }: Undeclared<T, U, K>
): Examination =>
  examination(over, [check], (tools, rows) =>
    namedBy(tools, check, { over, to, ids, select, ...(wrong === undefined ? {} : { wrong }) }, rows)
  )

/** Returns the problems of such references, for examinations that check more. */
export const namedBy = Effect.fnUntraced(function* <
  T extends Table.AnyTable,
  U extends Table.AnyTable,
  K extends keyof Table.Row<U> & string
>(
  { records }: Pick<Tools, "records">,
  check: Check,
  { to, ids, select, wrong }: Undeclared<T, U, K>,
  rows: ReadonlyArray<Light<T>>
): Effect.fn.Return<ReadonlyArray<Problem>, StorageUnavailable> {
  const all = rows.flatMap((row) => ids(row).map(([, id]) => id))
  const found = yield* byId(records, to, all, select)
  return rows.flatMap((row) =>
    ids(row).flatMap(([what, id]): ReadonlyArray<Problem> => {
      if (id == null) return []
      const named = found.get(id)
      const why = named === undefined ? "which does not exist" : wrong?.(row, named, what)
      return why === undefined ? [] : [{ check, row, message: `refers to ${id} as its ${what}, ${why}` }]
    })
  )
})
