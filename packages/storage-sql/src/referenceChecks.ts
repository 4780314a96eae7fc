/** Defers the checks of references during removals, only where rows can refer to the removed ones. */
import type { PlainRow, Table, WriteError } from "@lectern/kernel"
import { Effect } from "effect"
import type { Dialect } from "./Dialect.ts"

/** The references of the tables of the workspace. */
interface References {
  /** The tables that others refer to. */
  readonly targets: ReadonlySet<string>
  /** The names of the references whose check is deferred during removals. */
  readonly deferrable: ReadonlyArray<string>
}

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
  let known: References | undefined
  const read = (table: Table.AnyTable): Effect.Effect<References, WriteError> =>
    known === undefined
      ? Effect.map(run(table, dialect.introspection.references), (rows) => {
          known = {
            targets: new Set(rows.map(({ target }) => String(target))),
            // References with one name are deferred together.
            deferrable: [
              ...new Set(rows.flatMap(({ deferrable }) => (deferrable == null ? [] : String(deferrable))))
            ]
          }
          return known
        })
      : Effect.succeed(known)
  return {
    deferDuring: <A>(
      table: Table.AnyTable,
      removal: Effect.Effect<A, WriteError>
    ): Effect.Effect<A, WriteError> => {
      if (dialect.deferConstraints === undefined) return removal
      const { deferConstraints } = dialect
      return Effect.flatMap(read(table), ({ targets, deferrable }) => {
        if (!targets.has(table.name) || deferrable.length === 0) return removal
        const [defer, check] = deferConstraints(deferrable)
        return Effect.andThen(run(table, defer), Effect.tap(removal, run(table, check)))
      })
    },
    forget: (): void => {
      known = undefined
    }
  }
}
