/** Reads the versions of cached rows that were raised: see `RecordsAdapter.raisedVersions`. */
import type { PlainRow, RaisedVersions, ReadError, RecordsAdapter } from "@lectern/kernel"
import { Effect } from "effect"
import { failWithStorageError } from "./classify.ts"
import type { Dialect } from "./Dialect.ts"
import type { Migration } from "./Migration.ts"
import { cacheVersionChanges, cacheVersionsTable } from "./migrations/0031-cache-versions.ts"
import type { Execute } from "./SqlRecordsOptions.ts"

/** The maximum number of raised versions that are read. With more, every version may have changed. */
export const maximumRaisedVersions = 1_000

/** Whether migrations create the versions of cached rows. */
export const createsCacheVersions = (migrations: ReadonlyArray<Migration>): boolean =>
  migrations.some(({ changes }) => cacheVersionChanges.every((change) => changes.includes(change)))

/** Creates the methods of the adapter that identify the committed state. `hasVersions` states that the tables exist. */
export const makeStateReads = (
  dialect: Dialect,
  execute: Execute,
  hasVersions: boolean
): Pick<RecordsAdapter["Service"], "snapshot" | "raisedVersions"> => {
  const read = (text: string, parameters: ReadonlyArray<unknown>) =>
    Effect.catch(execute(text, parameters, undefined), (error) =>
      failWithStorageError(dialect, "", error)
    ) as Effect.Effect<ReadonlyArray<PlainRow>, ReadError>

  const text = dialect.raisedVersions(dialect.table(cacheVersionsTable))

  const raisedVersions = (since: string | undefined): Effect.Effect<RaisedVersions, ReadError> => {
    // The server contains no space.
    const end = since?.indexOf(" ") ?? 0
    const after = since === undefined ? dialect.firstPosition : since.slice(end + 1)
    return Effect.map(read(text, [after]), (rows) => {
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

  return {
    snapshot: Effect.map(read(dialect.snapshot, []), ([row]) => String(row!.snapshot)),
    raisedVersions: hasVersions ? raisedVersions : undefined
  }
}
