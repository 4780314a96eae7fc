/** Tables that a condition may select from. Only `Where` and `Records` import the function: features select from tables that a grant has scoped. */
import type { AnyTable } from "./Table.ts"

declare const brand: unique symbol

/** A table that a condition may select from: one without protection, or a protected one that a grant has scoped. */
export type SelectableTable = AnyTable & { readonly [brand]: true }

/** States that a table requires no grant, or that the condition on its rows is limited to a scope. */
export const selectable = (table: AnyTable): SelectableTable =>
  // The brand has no value at run time.
  table as SelectableTable
