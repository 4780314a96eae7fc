/** The counts of rate limits that the processes of a workspace share. */
import { Effect } from "effect"
import { type Records, type StorageUnavailable, Table, Where } from "../storage/index.ts"
import { now, toTimestamp } from "../time.ts"

const countColumns = { key: Table.text(), expiresAt: Table.text(), count: Table.integer() }

/** A row of the table `rateLimits`: the requests of all processes for a key in a window that ends at `expiresAt`. */
export interface RateLimitRow extends Table.RowOf<typeof countColumns> {}

/** The counts of rate limits. Losing rows only resets limits. */
export const rateLimits: Table.Table<"rateLimits", RateLimitRow, "key" | "expiresAt"> = Table.make(
  "rateLimits",
  { columns: countColumns, key: ["key", "expiresAt"], indexes: [["expiresAt"]] }
)

/** Requests to add to the count of a key. */
export interface RateLimitIncrement {
  /** The client that is limited, and the kind of limit. */
  readonly key: string
  /** The end of the window, in milliseconds since the epoch. */
  readonly expiresAt: number
  /** The number of requests to add. */
  readonly count: number
}

/** The maximum number of keys per statement. */
const batchSize = 200

/**
 * Adds increments to the counts, deletes counts that have expired, and returns the new totals in the order of the
 * increments. Concurrent calls never lose an increment.
 */
export const addRateLimitCounts = (
  records: Records["Service"],
  increments: ReadonlyArray<RateLimitIncrement>
): Effect.Effect<ReadonlyArray<number>, StorageUnavailable> =>
  Effect.gen(function* () {
    const totals: Array<number> = []
    yield* records.remove(rateLimits, Where.lt("expiresAt", yield* now))
    for (let start = 0; start < increments.length; start += batchSize) {
      const batch = increments
        .slice(start, start + batchSize)
        .map(({ key, expiresAt, count }) => ({ key, count, expiresAt: toTimestamp(expiresAt) }))
      yield* records.insertMissing(
        rateLimits,
        batch.map((row) => ({ ...row, count: 0 }))
      )
      // One statement each: a transaction would hold the locks of all keys that other processes count too.
      for (const { key, expiresAt, count } of batch) {
        yield* records.update(
          rateLimits,
          Where.and(Where.eq("key", key), Where.eq("expiresAt", expiresAt)),
          {},
          { count }
        )
      }
      const rows = yield* records.find(rateLimits, {
        where: Where.isIn(
          "key",
          batch.map(({ key }) => key)
        )
      })
      const counts = new Map(rows.map((row) => [`${row.key} ${row.expiresAt}`, row.count]))
      totals.push(...batch.map(({ key, expiresAt }) => counts.get(`${key} ${expiresAt}`) ?? 0))
    }
    return totals
  })
