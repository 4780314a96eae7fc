/** Arbitraries of adversarial values and rows, and constructors of rows with defaults. */
import { type PlainRow, type Table, totalOrder, type Where } from "@lectern/core"
import * as fc from "fast-check"
import type { folders, notes, people } from "./tables.ts"

/** Strings that collations, case folding, normalization, patterns or query languages may treat specially. */
const adversarialStrings = fc.constantFrom(
  ...[
    "",
    "a",
    "b",
    "ab",
    "A",
    "B",
    "é",
    "e\u0301",
    "ß",
    "ss",
    "ı",
    "I",
    "'",
    '"',
    "''",
    "%",
    "_",
    "\\",
    "\\%"
  ],
  ...[
    "\n",
    "\t",
    " ",
    "a ",
    "-",
    ";--",
    "$1",
    "?",
    ":a",
    "null",
    "NULL",
    "0",
    "{}",
    "\u200b",
    "\u{1F469}\u200d\u{1F680}"
  ],
  // Ordering by UTF-16 units differs for the first four; the last two are next to the surrogates and the maximum.
  ...["\u{1F600}", "\uFFFD", "\u{10000}", "\uE000", "\uD7FF", "\u{10FFFF}"]
)

/** Generates text that fits in a key or an index. The port excludes NUL and lone surrogates. */
export const textArbitrary: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: adversarialStrings, weight: 6 },
  { arbitrary: fc.array(adversarialStrings, { maxLength: 4 }).map((parts) => parts.join("")), weight: 2 },
  {
    arbitrary: fc.string({ unit: "binary", maxLength: 6 }).map((value) => value.replaceAll("\0", "0")),
    weight: 2
  }
)

/** Generates text for columns without key, unique constraint or index, which may be long. */
const longTextArbitrary: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: textArbitrary, weight: 8 },
  fc.tuple(adversarialStrings, fc.constantFrom(300, 20_000)).map(([part, times]) => `${part}x`.repeat(times))
)

const id = fc.constantFrom("1", "2", "3", "4", "a", "A", "\u{1F600}", "\uFFFD")

/** Small integers, which stay safe integers when added to, and which collide often. */
const smallInteger = fc.constantFrom(0, 1, 2, 3, -1)

const integer = fc.oneof(
  smallInteger,
  fc.constantFrom(2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53 - 1, -(2 ** 53) + 1),
  fc.maxSafeInteger().map((value) => (value === 0 ? 0 : value))
)

/**
 * JSON values. Strings in JSON may contain any character. Values are normalized, as JSON does not distinguish -0 from
 * 0.
 */
const json = fc
  .oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(null, "\u0000", "\ud800", "'", [], {}, "null", 1e300))
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)

const arbitrariesByColumn: { readonly [column: string]: fc.Arbitrary<unknown> } = {
  id,
  folder: id,
  parent: id,
  manager: id,
  author: id,
  editor: id,
  person: id,
  about: longTextArbitrary,
  number: smallInteger,
  rank: smallInteger,
  weight: smallInteger,
  score: smallInteger,
  counter: smallInteger,
  balance: smallInteger
}

const arbitrariesByKind: { readonly [K in Table.ColumnKind]: fc.Arbitrary<unknown> } = {
  text: textArbitrary,
  integer,
  boolean: fc.boolean(),
  json,
  bytes: fc.uint8Array({ maxLength: 300 })
}

/** Generates values to compare a column with. */
export const scalarArbitrary = (table: Table.AnyTable, column: string): fc.Arbitrary<Where.Scalar> =>
  (arbitrariesByColumn[column] ??
    arbitrariesByKind[table.columns[column]!.kind]) as fc.Arbitrary<Where.Scalar>

/** Generates values for a column, including null if the column is nullable. */
export const valueArbitrary = (table: Table.AnyTable, column: string): fc.Arbitrary<unknown> => {
  const present = arbitrariesByColumn[column] ?? arbitrariesByKind[table.columns[column]!.kind]
  return table.columns[column]!.nullable ? fc.option(present, { freq: 2 }) : present
}

/** Generates rows of a table, which may violate unique constraints and references. */
export const rowArbitrary = (table: Table.AnyTable): fc.Arbitrary<PlainRow> =>
  fc.record(
    Object.fromEntries(Object.keys(table.columns).map((column) => [column, valueArbitrary(table, column)]))
  )

/** Returns the columns that conditions can compare: all except JSON and bytes. */
export const scalarColumns = (table: Table.AnyTable): ReadonlyArray<string> =>
  Object.keys(table.columns).filter((column) => !["json", "bytes"].includes(table.columns[column]!.kind))

/** Returns the position of a row in an order, as `Find.after` takes it. */
export const positionOf = (table: Table.AnyTable, orderBy: ReadonlyArray<string>, row: PlainRow) =>
  totalOrder(table, orderBy).map((column) => row[column] as Where.Scalar)

const defaultPerson = { name: "", email: null, manager: null, active: true, balance: 0 }

/** Returns a person with default values, and the given fields. */
export const makePerson = (id: string, fields: Partial<Table.Row<typeof people>> = {}) => ({
  ...defaultPerson,
  id,
  ...fields
})

/** Returns a folder that is named by its id, and the given fields. */
export const makeFolder = (id: string, fields: Partial<Table.Row<typeof folders>> = {}) => ({
  ...{ id, parent: null, name: id, about: "", counter: 0 },
  ...fields
})

/** Returns a note with default values, and the given fields. */
export const makeNote = (folder: string, number: number, fields: Partial<Table.Row<typeof notes>> = {}) => ({
  ...{ folder, number, title: "", pinned: false, done: null, rank: null, size: 0, weight: 0, score: null },
  ...{ author: null, editor: null, body: null, extra: null, image: null },
  ...fields
})
