/** The tables whose rows have the tenant of the row that they belong to. */
import type { AnyTable } from "./Table.ts"

/** The reference that leads from a row to the row that it belongs to, whose tenant it has. */
export interface TenantSource {
  /** The column with the tenant of the row. */
  readonly tenant: string
  /** The column that refers to the row that it belongs to. */
  readonly column: string
  /** The table of the row that it belongs to. */
  readonly table: AnyTable
}

/**
 * Returns the reference that leads to the tenant of the rows of a table: the first one to a protected table that is not nullable. Undefined for
 * a table without a tenant, and for one whose tenant is a reference itself, or is not found by a reference.
 */
export const tenantSourceOf = ({ columns, protection, references }: AnyTable): TenantSource | undefined => {
  const tenant = protection?.tenant
  if (tenant == null || references[tenant] !== undefined) return undefined
  for (const [column, reference] of Object.entries(references)) {
    const table = reference?.table()
    if (table?.protection?.tenant == null || columns[column]!.nullable) continue
    return { tenant, column, table }
  }
  return undefined
}
