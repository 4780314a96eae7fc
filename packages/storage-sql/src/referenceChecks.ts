/** Defers the checks of references during removals, only where rows can refer to the removed ones. */
import type { PlainRow, Table, WriteError } from "@lectern/kernel"
import { Effect } from "effect"
import type { Dialect } from "./Dialect.ts"

/**
 * Creates the checks of a store. `run` executes a statement for a table.
 *
 * `deferDuring` defers the check of references to the end of a removal, so that rows can be removed in any order. Rows of a table
 * to which no table refers need no check, and no round trips for it. `forget` must be called after tables were created.
 */
export const makeReferenceChecks = (
  dialect: Dialect,
  run: (table: Table.AnyTable, text: string) => Effect.Effect<ReadonlyArray<PlainRow>, WriteError>
) => {
  let referencedTables: ReadonlySet<string> | undefined
  const readReferencedTables = (table: Table.AnyTable): Effect.Effect<ReadonlySet<string>, WriteError> =>
    referencedTables === undefined
      ? Effect.map(run(table, dialect.introspection.references), (rows) => {
          referencedTables = new Set(rows.map(({ target }) => String(target)))
          return referencedTables
        })
      : Effect.succeed(referencedTables)
  return {
    deferDuring: <A>(
      table: Table.AnyTable,
      removal: Effect.Effect<A, WriteError>
    ): Effect.Effect<A, WriteError> => {
      if (dialect.deferConstraints === undefined) return removal
      const [defer, check] = dialect.deferConstraints
      const deferred = Effect.andThen(run(table, defer), Effect.tap(removal, run(table, check)))
      return Effect.flatMap(readReferencedTables(table), (referenced) =>
        referenced.has(table.name) ? deferred : removal
      )
    },
    forget: (): void => {
      referencedTables = undefined
    }
  }
}
