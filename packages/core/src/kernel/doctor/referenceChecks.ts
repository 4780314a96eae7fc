/** References: whatever names a row names one that is there, whether the store looks after that or not. */
import { Effect } from "effect"
import type { StorageUnavailable, Table } from "../storage/index.ts"
import { type Check, type Examination, examination, type Light, type Problem, type Tools } from "./Check.ts"
import { byId } from "./lookups.ts"

/** What the tables declare. Stores see to it, so long as nobody goes around them. */
export const declared: Check = {
  name: "references",
  says: "Every declared reference of a row names a row that is there.",
  source: "storage/Table.ts"
}

/** The declared references of a table; undefined for one that has none. */
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
        const found = yield* byId(records, target, rows.map(named), [target.key[0]! as never])
        for (const row of rows) {
          const id = named(row)
          if (id == null || found.has(id)) continue
          problems.push({
            check: declared,
            row,
            message: `names ${id} as its ${column}; there is no such row of ${target.name}`
          })
        }
      }
      return problems
    })
  )
}

/** An id that a row names, and what it is for. */
export type Naming = readonly [what: string, id: string | null | undefined]

/** What a reference that no table declares is. */
interface Undeclared<
  T extends Table.AnyTable,
  U extends Table.AnyTable,
  K extends keyof Table.Row<U> & string
> {
  readonly over: T
  readonly to: U
  /** The ids that a row names. */
  readonly ids: (row: Light<T>) => ReadonlyArray<Naming>
  /** The columns that {@link wrong} looks at. */
  readonly select: ReadonlyArray<K>
  /** Why a row that is there is not one that can be named; undefined where it can. */
  readonly wrong?: (row: Light<T>, named: Pick<Table.Row<U>, K>, what: string) => string | undefined
}

/** A check of references that no table declares. */
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

/** The problems of {@link names}, for examinations that look for more. */
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
      const why = named === undefined ? "which is not there" : wrong?.(row, named, what)
      return why === undefined ? [] : [{ check, row, message: `names ${id} as its ${what}, ${why}` }]
    })
  )
})
