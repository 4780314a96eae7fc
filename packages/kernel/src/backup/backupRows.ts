/** The rows of a backup as text, and their digests. They do not depend on the store that the rows are read from. */

import { Base64, Base64Url } from "effect/encoding"
import { makeSha256 } from "../sha256.ts"
import type { PlainRow } from "../storage/RecordsAdapter.ts"
import type * as Table from "../storage/Table.ts"
import { generatedValue } from "../storage/Table.ts"

const encodeColumn = (column: Table.Column<unknown>, value: unknown): unknown => {
  // The store that the row is inserted into generates another value.
  if (column.generated === true) return generatedValue
  return value instanceof Uint8Array ? Base64.encode(value) : value
}

/** Encodes a row as one line of JSON: an array with a value per column of its table, in order. */
export const encodeRow = (table: Table.AnyTable, row: PlainRow): string =>
  JSON.stringify(Object.entries(table.columns).map(([name, column]) => encodeColumn(column, row[name])))

const decodeBytes = (text: unknown): Uint8Array => {
  const bytes = Base64.decode(String(text))
  if (bytes._tag === "Failure") throw new Error("A column of bytes is not Base64.")
  return bytes.success
}

/** Decodes a line of {@link encodeRow}. Throws if it is not a row of the table. */
export const decodeRow = (table: Pick<Table.AnyTable, "name" | "columns">, line: string): PlainRow => {
  const values: unknown = JSON.parse(line)
  const columns = Object.entries(table.columns)
  if (!Array.isArray(values) || values.length !== columns.length) {
    throw new Error(`A row of ${table.name} does not have ${columns.length} values.`)
  }
  return Object.fromEntries(
    columns.map(([name, { kind }], index) => {
      const value: unknown = values[index]
      return [name, kind === "bytes" && value !== null ? decodeBytes(value) : value]
    })
  )
}

/** The number of lines, and the SHA-256 of all lines with their line feeds. */
export interface LinesDigest {
  /** The number of lines. */
  readonly count: number
  /** The SHA-256, in URL-safe Base64. */
  readonly digest: string
}

/** Computes a {@link LinesDigest} of lines that are added in order. */
export interface LinesHash {
  /** Adds a line, which contains no line feed. */
  readonly add: (line: string) => void
  /** Returns the digest of the lines so far. */
  readonly result: () => LinesDigest
}

/** Creates the hash of no lines. */
export const makeLinesHash = (): LinesHash => {
  const hash = makeSha256()
  let count = 0
  return {
    add: (line) => {
      count++
      hash.add(`${line}\n`)
    },
    result: () => ({ count, digest: Base64Url.encode(hash.result()) })
  }
}
