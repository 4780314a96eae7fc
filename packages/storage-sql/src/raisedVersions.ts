/** Reads the versions of cached rows that were raised: see `RecordsAdapter.raisedVersions`. */
import type { RecordsAdapter } from "@lectern/core"
import { Effect } from "effect"
import { failWithStorageError } from "./classify.ts"
import type { Dialect } from "./Dialect.ts"
import type { Migration } from "./Migration.ts"
import { cacheVersionChanges, cacheVersionsTable } from "./migrations/0031-cache-versions.ts"
import type { Execute, SqlRecordsOptions } from "./SqlRecordsOptions.ts"

/** The maximum number of raised versions that are read. With more, every version may have changed. */
export const maximumRaisedVersions = 1_000

/** Whether migrations create the versions of cached rows. */
export const createsCacheVersions = (migrations: ReadonlyArray<Migration>): boolean =>
  migrations.some(({ changes }) => cacheVersionChanges.every((change) => changes.includes(change)))

type RaisedVersionsOf = NonNullable<RecordsAdapter["Service"]["raisedVersions"]>

/** Creates the method of the adapter; undefined for a database without versions. */
export const makeRaisedVersions = (
  dialect: Dialect,
  execute: Execute,
  { hasCacheVersions }: SqlRecordsOptions
): RaisedVersionsOf | undefined => {
  if (hasCacheVersions !== true) return undefined
  const text = dialect.raisedVersions(dialect.table(cacheVersionsTable))

  const read = (since: string | undefined) => {
    // The server contains no space.
    const end = since?.indexOf(" ") ?? 0
    const after = since === undefined ? dialect.firstPosition : since.slice(end + 1)
    const raised = Effect.catch(execute(text, [after], undefined), (error) =>
      failWithStorageError(dialect, "", error)
    )
    return Effect.map(raised, (rows) => {
      const { server, position } = rows[0]!
      const isKnown = since?.slice(0, end) === server && rows.length <= maximumRaisedVersions
      const found = rows.filter(({ scope }) => scope !== null)
      return {
        position: `${server} ${position}`,
        versions: isKnown
          ? found.map(({ scope, version }) => [String(scope), Number(version)] as const)
          : undefined
      }
    })
  }
  // A read violates no constraint.
  return read as RaisedVersionsOf
}
