/** Determines which rows of a corrupt database can be read, and which organizations and spaces have lost some. */

import { Effect } from "effect"
import { type AnyRow, anyRowsOf, type Check, type DoctorRecords } from "../../doctor/Check.ts"
import type { Finding } from "../../doctor/Finding.ts"
import { type StorageUnavailable, type Table, Where } from "../../storage/index.ts"
import { organizations } from "../organizations/organizationTables.ts"
import { spaces } from "../spaces/spaceTable.ts"

/** The structure of the files of the database. It precedes all other checks. */
export const fileIntegrity: Check = {
  name: "file-integrity",
  invariant: "The files of the database have a valid structure, and every row can be read.",
  source: "storage/RecordsAdapter.ts"
}

/** Creates a finding of {@link fileIntegrity}. */
export const fileCorruption = (table: string, message: string): Finding => ({
  check: fileIntegrity.name,
  severity: "damage",
  table,
  row: "",
  message,
  isRepairable: false,
  isRepaired: false
})

/** Whether a read failed because the file is corrupt, so that other reads can succeed. */
export const isFileCorruption = (error: StorageUnavailable): boolean => error.reason === "Corrupted"

/** The number of rows per read. Rows of files and of Markdown can be megabytes. */
const [pageSize, pageSizeWithBytes] = [200, 10]

/** The column that names the owner of a row in findings, and the table of the owners. */
const ownerOf = (table: Table.AnyTable) =>
  table.name === spaces.name
    ? { column: "organization", owners: organizations, noun: "organization" }
    : "space" in table.columns
      ? { column: "space", owners: spaces, noun: "space" }
      : table.protection?.tenant === undefined || table.protection.tenant === null
        ? undefined
        : { column: table.protection.tenant, owners: organizations, noun: "organization" }

/** The rows that can be read from one end of a table. */
interface Reading {
  readonly rows: number
  /** Whether all rows were read. */
  readonly isComplete: boolean
  /** The rows per owner. */
  readonly byOwner: ReadonlyMap<string, number>
}

/** Reads a table in the order of its key until a row cannot be read, and counts the rows before it. */
const readFrom = Effect.fnUntraced(function* (
  records: DoctorRecords,
  table: Table.AnyTable,
  direction: "asc" | "desc",
  ownerColumn: string | undefined
): Effect.fn.Return<Reading, StorageUnavailable> {
  const hasBytes = Object.values(table.columns).some(({ kind }) => kind === "bytes")
  const byOwner = new Map<string, number>()
  let limit = hasBytes ? pageSizeWithBytes : pageSize
  let after: ReadonlyArray<Where.Scalar> | undefined
  let count = 0
  for (;;) {
    const rows: ReadonlyArray<AnyRow> | undefined = yield* records
      .find(anyRowsOf(table), {
        limit,
        direction,
        ...(after === undefined ? {} : { after })
      })
      .pipe(
        Effect.catchIf(isFileCorruption, () => Effect.succeed(undefined)),
        // A row that does not match its declaration is corrupt, too.
        Effect.catchDefect(() => Effect.succeed(undefined))
      )
    if (rows === undefined) {
      if (limit === 1) return { rows: count, isComplete: false, byOwner }
      limit = Math.ceil(limit / 4)
      continue
    }
    for (const row of rows) {
      const owner = ownerColumn === undefined ? undefined : row[ownerColumn]
      if (typeof owner === "string") byOwner.set(owner, (byOwner.get(owner) ?? 0) + 1)
    }
    count += rows.length
    if (rows.length < limit) return { rows: count, isComplete: true, byOwner }
    after = table.key.map((column) => rows.at(-1)![column] as Where.Scalar)
    yield* Effect.yieldNow
  }
})

/** Returns the result of a read, or undefined if the file is corrupt where it reads. */
const ifReadable = <A>(
  read: Effect.Effect<A, StorageUnavailable>
): Effect.Effect<A | undefined, StorageUnavailable> =>
  Effect.catchDefect(
    Effect.catchIf(read, isFileCorruption, () => Effect.succeed(undefined)),
    () => Effect.succeed(undefined)
  )

/** The maximum number of owners that a finding names. */
const maximumOwners = 10

/**
 * Names the owners of unreadable rows. The count of rows per owner reads an index, which can be intact although the table
 * is not: an owner with more rows in the index than could be read has lost the difference.
 */
const describeOwners = Effect.fnUntraced(function* (
  records: DoctorRecords,
  table: Table.AnyTable,
  readings: ReadonlyArray<Reading>
): Effect.fn.Return<string, StorageUnavailable> {
  const owner = ownerOf(table)
  if (owner === undefined) return ""
  const expected = yield* ifReadable(records.countBy(anyRowsOf(table), owner.column, Where.all))
  const lost = [...(expected ?? [])].flatMap(([id, count]) => {
    const read = readings.reduce((sum, { byOwner }) => sum + (byOwner.get(String(id)) ?? 0), 0)
    return count > read ? [{ id: String(id), count: count - read }] : []
  })
  if (lost.length === 0) return ""
  const names: Array<string> = []
  for (const { id, count } of lost.slice(0, maximumOwners)) {
    const row: AnyRow | undefined = yield* ifReadable(records.get(anyRowsOf(owner.owners), { id }))
    names.push(`${owner.noun} ${id}${row === undefined ? "" : ` (${row.title})`}: ${count}`)
  }
  const more = lost.length > maximumOwners ? `, and ${lost.length - maximumOwners} more` : ""
  return `. Rows that cannot be read: ${names.join(", ")}${more}`
})

/** Returns a finding if rows of a table cannot be read. It reads from both ends of the table up to the corruption. */
export const examineReadability = Effect.fnUntraced(function* (
  records: DoctorRecords,
  table: Table.AnyTable
): Effect.fn.Return<Finding | undefined, StorageUnavailable> {
  const column = ownerOf(table)?.column
  const start = yield* readFrom(records, table, "asc", column)
  if (start.isComplete) return undefined
  const end = yield* readFrom(records, table, "desc", column)
  const owners = yield* describeOwners(records, table, [start, end])
  return fileCorruption(
    table.name,
    `has rows that cannot be read. Readable are the first ${start.rows} and the last ${end.rows} rows${owners}`
  )
})
