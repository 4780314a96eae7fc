/** Limits verbs to the rows of protected tables that a grant reaches. The kernel does not know whose they are. */
import type { AnyTable } from "./Table.ts"
import type { AnyWhere } from "./Where.ts"

/** The rows of protected tables that a grant reaches. */
export interface Scope {
  /** The condition that rows of a protected table in the scope match; undefined if all rows are in it. */
  readonly conditionOn: (table: AnyTable) => AnyWhere | undefined
  /** Whether rows of a protected table may have these values, which are a whole row or changes of one. */
  readonly admits: (table: AnyTable, values: object) => boolean
}

const isEqual = (one: AnyWhere, other: AnyWhere): boolean =>
  one.op === "eq" && other.op === "eq" && one.column === other.column && one.value === other.value

/** Limits a condition to a scope, unless it is limited to it already. */
export const within = (scope: Scope | undefined, table: AnyTable, where: AnyWhere): AnyWhere => {
  if (scope === undefined || table.protection === undefined) return where
  const limit = scope.conditionOn(table)
  if (limit === undefined || isEqual(where, limit)) return where
  if (where.op === "all") return limit
  if (where.op !== "and") return { op: "and", conditions: [where, limit] }
  return where.conditions.some((condition) => isEqual(condition, limit))
    ? where
    : { op: "and", conditions: [...where.conditions, limit] }
}

/** Throws if values are outside of a scope: to write them is a defect. */
export const requireWithin = (scope: Scope | undefined, table: AnyTable, values: object): void => {
  if (scope === undefined || table.protection === undefined || scope.admits(table, values)) return
  throw new Error(`A row of ${table.name} is outside of the scope of the grant that writes it.`)
}
