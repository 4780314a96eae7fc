/** Checks of the columns that name the organization of rows. */
import { Effect } from "effect"
import { type Table, tenantSourceOf } from "../storage/index.ts"
import { whereKey } from "../storage/rowKeys.ts"
import { type AnyRow, anyRowsOf, type Check, type Examination, examination, type Problem } from "./Check.ts"
import { byId } from "./lookups.ts"

/** The organization of rows that belong to another row. */
const tenantOfRows: Check = {
  name: "organization-of-rows",
  invariant: "A row has the organization of the row that it belongs to.",
  source: "docs/decisions/0164-organization-of-every-row.md",
  repair: "copies the organization of the row that it belongs to"
}

/**
 * Returns the examination of the organization of the rows of a table, or `undefined` if it is a reference or absent. Tables are
 * repaired after the tables that they refer to.
 */
export const tenantsOf = (table: Table.AnyTable): Examination | undefined => {
  const source = tenantSourceOf(table)
  if (source === undefined) return undefined
  const { tenant, column } = source
  const target = anyRowsOf(source.table)
  const tenantOfTarget = source.table.protection!.tenant!
  return examination(
    anyRowsOf(table),
    [tenantOfRows],
    Effect.fnUntraced(function* ({ records }, light) {
      const rows = light as ReadonlyArray<AnyRow>
      const owners = yield* byId(
        records,
        target,
        rows.map((row) => row[column] as string),
        [tenantOfTarget]
      )
      return rows.flatMap((row): ReadonlyArray<Problem> => {
        const owner = owners.get(row[column] as string)
        const expected = owner?.[tenantOfTarget]
        // The check of references reports a row that belongs to none.
        if (owner === undefined || expected === row[tenant]) return []
        const message = `has the ${tenant} ${row[tenant]}; its ${column} ${row[column]} has ${expected}`
        const repair = records.update(anyRowsOf(table), whereKey(table, row), { [tenant]: expected })
        return [{ check: tenantOfRows, row, message, repair }]
      })
    })
  )
}
