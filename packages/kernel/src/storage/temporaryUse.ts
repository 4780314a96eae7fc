/**
 * Bytes that nothing references yet, such as an upload in progress. `usedAt` of their rows names their holders
 * instead of a time, so that a single condition both finds and protects them: any other write of the same bytes replaces the
 * holders by a time, and a holder deletes only rows that still name no other holder.
 */
import { Clock, Effect } from "effect"
import { toTimestamp } from "../time.ts"
import type { BlobHash } from "./Blobs.ts"
import { StorageUnavailable } from "./StorageError.ts"
import * as Where from "./Where.ts"

const millisPerHour = 60 * 60 * 1000

/**
 * Returns the value of `usedAt` for a time: the next full hour, as in `2026-11-22T22`. Minutes would be 11 more bytes in every
 * row. The values sort by time,
 * also among complete timestamps, which earlier versions stored.
 */
export const timeOfUse = (millis: number): string => toTimestamp(millis + millisPerHour).slice(0, 13)

/** Separates the holders. It sorts before digits, so that a temporary use is earlier than every time of use. */
const separator = "!"

/** The maximum number of holders of the same bytes. For more, garbage collection deletes the bytes. */
const maximumHolders = 100

/** Attempts to add a holder while others change the same row. */
const maximumAttempts = 50

/** Returns the value of `usedAt` for bytes that only `holders` use. Ids of holders contain no `!`. */
export const temporaryUse = (millis: number, holders: ReadonlyArray<string>): string =>
  [``, timeOfUse(millis), ...holders].join(separator)

/** Returns the holders in a value of `usedAt`, or `undefined` for bytes that are used otherwise. */
export const holdersOf = (usedAt: string): ReadonlyArray<string> | undefined =>
  usedAt.startsWith(separator) ? usedAt.split(separator).slice(2) : undefined

/** Whether text is a value of {@link temporaryUse}. */
export const isTemporaryUse = (text: string): boolean => /^!\d{4}-\d\d-\d\dT\d\d(?:![\w-]+)+$/.test(text)

/** A row with its time of use. */
export interface UsedRow {
  readonly hash: BlobHash
  readonly usedAt: string
}

/** Matches rows that were last used before a time, whether temporarily or not. */
export const unusedBefore = <R extends UsedRow>(moment: string): Where.Where<R> =>
  Where.or<R>(
    Where.and<R>({ op: "gte", column: "usedAt", value: "0" }, { op: "lt", column: "usedAt", value: moment }),
    { op: "lt", column: "usedAt", value: `${separator}${moment}` }
  )

/** Whether a row was last used before a time: {@link unusedBefore} of a row that was read. */
export const isUnusedBefore = ({ usedAt }: Pick<UsedRow, "usedAt">, moment: string): boolean =>
  holdersOf(usedAt) === undefined ? usedAt < moment : usedAt < `${separator}${moment}`

/** The rows of a table of bytes. */
export interface UsedRows {
  readonly find: (
    hashes: ReadonlyArray<BlobHash>
  ) => Effect.Effect<ReadonlyArray<UsedRow>, StorageUnavailable>
  /** Sets `usedAt` of the rows that still have the value `before`, and returns their number. */
  readonly replace: (
    hashes: ReadonlyArray<BlobHash>,
    before: string,
    after: string
  ) => Effect.Effect<number, StorageUnavailable>
  /** Deletes the rows that still have the value `before`. */
  readonly remove: (
    hashes: ReadonlyArray<BlobHash>,
    before: string
  ) => Effect.Effect<number, StorageUnavailable>
}

/** Adds a holder to a row, unless the row is used otherwise. Returns the row before the change; undefined if the row does not exist. */
export const hold = Effect.fnUntraced(function* (
  rows: UsedRows,
  hash: BlobHash,
  holder: string
): Effect.fn.Return<UsedRow | undefined, StorageUnavailable> {
  for (let attempt = 0; attempt < maximumAttempts; attempt++) {
    const [row] = yield* rows.find([hash])
    const holders = row && holdersOf(row.usedAt)
    if (row === undefined || holders === undefined || holders.includes(holder)) return row
    const millis = yield* Clock.currentTimeMillis
    const next =
      holders.length < maximumHolders ? temporaryUse(millis, [...holders, holder]) : timeOfUse(millis)
    if ((yield* rows.replace([hash], row.usedAt, next)) > 0) return row
  }
  return yield* new StorageUnavailable({
    reason: "Contention",
    detail: `The holders of the bytes ${hash} changed at all ${maximumAttempts} attempts.`
  })
})

/**
 * Removes a holder from rows, and deletes the rows that have no other holder. Run it in a serializable transaction: no other
 * transaction may find a row, and refer to it, between the query and the deletion.
 */
export const release = Effect.fnUntraced(function* (
  rows: UsedRows,
  hashes: ReadonlyArray<BlobHash>,
  holder: string
): Effect.fn.Return<void, StorageUnavailable> {
  const byUse = new Map<string, Array<BlobHash>>()
  for (const { hash, usedAt } of yield* rows.find(hashes)) {
    if (holdersOf(usedAt)?.includes(holder) !== true) continue
    byUse.set(usedAt, [...(byUse.get(usedAt) ?? []), hash])
  }
  for (const [usedAt, held] of byUse) {
    const others = holdersOf(usedAt)!.filter((one) => one !== holder)
    if (others.length === 0) yield* rows.remove(held, usedAt)
    else yield* rows.replace(held, usedAt, temporaryUse(yield* Clock.currentTimeMillis, others))
  }
})
