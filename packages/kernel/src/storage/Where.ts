/**
 * Conditions on rows: a small, closed set of operators over declared columns. Every adapter supports all of them.
 *
 * Logic is two-valued, unlike SQL's: comparing a null column is false and its negation is true, so that
 * `not(eq("parent", id))` also matches rows without a parent.
 */
import { type SelectableTable, selectable } from "./selectable.ts"
import type { Row, UnprotectedTable } from "./Table.ts"

export type { SelectableTable } from "./selectable.ts"

/** A value that conditions compare columns with. */
export type Scalar = string | number | boolean

/** The columns of a row. */
export type ColumnOf<R> = keyof R & string
type ValueOf<R, K extends keyof R> = Extract<R[K], Scalar>

/** A condition on rows of the type `R`. Build one with the functions of this module. */
export type Where<R> =
  | { readonly op: "all" }
  | { readonly op: "eq"; readonly column: ColumnOf<R>; readonly value: Scalar }
  | {
      readonly op: "lt" | "lte" | "gt" | "gte"
      readonly column: ColumnOf<R>
      readonly value: Scalar
    }
  | { readonly op: "in"; readonly column: ColumnOf<R>; readonly values: ReadonlyArray<Scalar> }
  | { readonly op: "contains"; readonly column: ColumnOf<R>; readonly value: string }
  | { readonly op: "isNull"; readonly column: ColumnOf<R> }
  | { readonly op: "and" | "or"; readonly conditions: ReadonlyArray<Where<R>> }
  | { readonly op: "not"; readonly condition: Where<R> }
  | {
      readonly op: "inSelect"
      readonly column: ColumnOf<R>
      readonly table: SelectableTable
      readonly select: string
      readonly where: AnyWhere
    }

/** A condition on rows of any table, for adapters. */
// biome-ignore lint/suspicious/noExplicitAny: adapters read conditions of every table alike
export type AnyWhere = Where<any>

/** Matches every row. */
export const all = { op: "all" } as const

/** Matches no row. */
export const none = { op: "or", conditions: [] } as const

/** The column is not null and equals the value. */
export const eq = <R, K extends ColumnOf<R>>(column: K, value: ValueOf<R, K>): Where<R> => ({
  op: "eq",
  column,
  value
})

const comparison =
  (op: "lt" | "lte" | "gt" | "gte") =>
  <R, K extends ColumnOf<R>>(column: K, value: ValueOf<R, K>): Where<R> => ({ op, column, value })

/** The column is less than the value. */
export const lt = comparison("lt")
/** The column is less than the value or equals it. */
export const lte = comparison("lte")
/** The column is greater than the value. */
export const gt = comparison("gt")
/** The column is greater than the value or equals it. */
export const gte = comparison("gte")

/** The column equals one of the values. An empty list matches no row. */
export const isIn = <R, K extends ColumnOf<R>>(
  column: K,
  values: ReadonlyArray<ValueOf<R, K>>
): Where<R> => ({
  op: "in",
  column,
  values
})

/**
 * The text column contains the value. The comparison is by code point; for a case-insensitive one, store a case-folded
 * copy of the text in a column of its own.
 */
export const contains = <R, K extends ColumnOf<R>>(column: K, value: string): Where<R> => ({
  op: "contains",
  column,
  value
})

/** The text column starts with the prefix. It can use an index on the column. */
export const startsWith = <R, K extends ColumnOf<R>>(column: K, prefix: string): Where<R> => {
  const from = { op: "gte", column, value: prefix } as const
  const end = firstAfterPrefix(prefix)
  return end === undefined ? from : { op: "and", conditions: [from, { op: "lt", column, value: end }] }
}

/** Returns the smallest string, by code point, that is greater than all strings with the prefix, or `undefined`. */
const firstAfterPrefix = (prefix: string): string | undefined => {
  const points = Array.from(prefix, (character) => character.codePointAt(0)!)
  while (points.length > 0) {
    const last = points.pop()!
    if (last < 0x10ffff) {
      // Surrogates are not characters: U+E000 follows U+D7FF.
      return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
    }
  }
  return undefined
}

/** The column is null. */
export const isNull = <R, K extends ColumnOf<R>>(column: K): Where<R> => ({ op: "isNull", column })

/** The column equals the value; with `null`, the column is null. */
export const is = <R, K extends ColumnOf<R>>(column: K, value: ValueOf<R, K> | null): Where<R> =>
  value === null ? isNull(column) : eq<R, K>(column, value)

/** All conditions hold. Without conditions, matches every row. */
export const and = <R>(...conditions: ReadonlyArray<Where<R>>): Where<R> => ({ op: "and", conditions })

/** At least one condition holds. Without conditions, matches no row. */
export const or = <R>(...conditions: ReadonlyArray<Where<R>>): Where<R> => ({ op: "or", conditions })

/** The condition does not hold. */
export const not = <R>(condition: Where<R>): Where<R> => ({ op: "not", condition })

/**
 * The column equals a value of the column `select` in the rows of another table that match `where`. Select from a
 * protected table with `inSelect` of granted records.
 */
export const inSelect = <R, K extends ColumnOf<R>, T extends UnprotectedTable, S extends ColumnOf<Row<T>>>(
  column: K,
  table: T,
  select: S,
  where: Where<Row<T>>
): Where<R> => ({
  op: "inSelect",
  column,
  table: selectable(table),
  select,
  where
})
