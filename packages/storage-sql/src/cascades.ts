/** Analyzes which removals cascade. */
import type { Table } from "@lectern/kernel"

const cache = new WeakMap<Table.AnyTable, boolean>()

/**
 * Returns whether removing a row of the table can cascade to other rows of the table, directly or through other tables.
 */
export const cascadesIntoItself = (table: Table.AnyTable): boolean => {
  const result = cache.get(table) ?? reaches(table, table, new Set())
  cache.set(table, result)
  return result
}

const reaches = (from: Table.AnyTable, target: Table.AnyTable, seen: Set<Table.AnyTable>): boolean =>
  Object.values(from.references).some((reference) => {
    if (reference === undefined || reference.onRemove !== "cascade") return false
    const next = reference.table()
    if (next === target) return true
    if (seen.has(next)) return false
    seen.add(next)
    return reaches(next, target, seen)
  })
