/** What follows from the references of tables. */
import type { Table } from "@lectern/core"

const cascading = new WeakMap<Table.AnyTable, boolean>()

/** Whether removing a row of the table can take other rows of the same table along, by whatever way. */
export const cascadesIntoItself = (table: Table.AnyTable): boolean => {
  const answer = cascading.get(table) ?? reaches(table, table, new Set())
  cascading.set(table, answer)
  return answer
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
