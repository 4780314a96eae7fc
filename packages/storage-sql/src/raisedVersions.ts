/** Reads the versions of cached rows that were raised: see `RecordsAdapter.raisedVersions`. */
import type { PlainRow, RaisedVersions } from "@lectern/core"
import { Effect } from "effect"
import type { Dialect } from "./Dialect.ts"
import type { Migration } from "./Migration.ts"
import { cacheVersionChanges, cacheVersionsTable } from "./migrations/0031/cacheVersions.ts"

/** The maximum number of raised versions that are read. With more, every version may have changed. */
export const maximumRaisedVersions = 1_000

/** Whether migrations create the versions of cached rows. */
export const createsCacheVersions = (migrations: ReadonlyArray<Migration>): boolean =>
  migrations.some(({ changes }) => cacheVersionChanges.every((change) => changes.includes(change)))

/** Creates the method of the adapter. `execute` executes a statement outside of transactions. */
export const makeRaisedVersions = <E>(
  dialect: Dialect,
  execute: (text: string, parameters: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<PlainRow>, E>
) => {
  const text = dialect.raisedVersions(dialect.table(cacheVersionsTable))

  return (since: string | undefined): Effect.Effect<RaisedVersions, E> => {
    // The server contains no space.
    const end = since?.indexOf(" ") ?? 0
    const after = since === undefined ? dialect.firstPosition : since.slice(end + 1)
    return Effect.map(execute(text, [after]), (rows) => {
      const { server, position } = rows[0]!
      const isKnown = since?.slice(0, end) === server && rows.length <= maximumRaisedVersions
      const raised = rows.filter(({ scope }) => scope !== null)
      return {
        position: `${server} ${position}`,
        versions: isKnown
          ? raised.map(({ scope, version }) => [String(scope), Number(version)] as const)
          : undefined
      }
    })
  }
}
