/** Values that hurt, and rows of them. */
import { type PlainRow, type Table, totalOrder, type Where } from "@lectern/core"
import * as fc from "fast-check"
import type { folders, notes, people } from "./tables.ts"

/** Other orders, foldings and patterns than those of code points, and what query languages read in their own way. */
const awkward = fc.constantFrom(
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
  // UTF-16 units would put these four into another order; two more are at the edges of what is a character.
  ...["\u{1F600}", "\uFFFD", "\u{10000}", "\uE000", "\uD7FF", "\u{10FFFF}"]
)

/** Text without NUL and lone surrogates, which the port leaves out; short enough to be in a key or an index. */
export const text: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: awkward, weight: 6 },
  { arbitrary: fc.array(awkward, { maxLength: 4 }).map((parts) => parts.join("")), weight: 2 },
  {
    arbitrary: fc.string({ unit: "binary", maxLength: 6 }).map((value) => value.replaceAll("\0", "0")),
    weight: 2
  }
)

/** Text that is in no key, unique set or index, and may be long. */
const prose: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: text, weight: 8 },
  fc.tuple(awkward, fc.constantFrom(300, 20_000)).map(([part, times]) => `${part}x`.repeat(times))
)

const id = fc.constantFrom("1", "2", "3", "4", "a", "A", "\u{1F600}", "\uFFFD")

/** Small enough to be added to for as long as a case lasts, and to meet. */
const small = fc.constantFrom(0, 1, 2, 3, -1)

const integer = fc.oneof(
  small,
  fc.constantFrom(2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53 - 1, -(2 ** 53) + 1),
  fc.maxSafeInteger().map((value) => (value === 0 ? 0 : value))
)

/** Inside of JSON all strings are allowed. What JSON cannot tell apart, as -0 and 0, is made one. */
const json = fc
  .oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(null, "\u0000", "\ud800", "'", [], {}, "null", 1e300))
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)

const special: { readonly [column: string]: fc.Arbitrary<unknown> } = {
  id,
  folder: id,
  parent: id,
  manager: id,
  author: id,
  editor: id,
  person: id,
  about: prose,
  number: small,
  rank: small,
  weight: small,
  score: small,
  counter: small,
  balance: small
}

const byKind: { readonly [K in Table.ColumnKind]: fc.Arbitrary<unknown> } = {
  text,
  integer,
  boolean: fc.boolean(),
  json,
  bytes: fc.uint8Array({ maxLength: 300 })
}

/** A value to compare a column with. */
export const scalar = (table: Table.AnyTable, column: string): fc.Arbitrary<Where.Scalar> =>
  (special[column] ?? byKind[table.columns[column]!.kind]) as fc.Arbitrary<Where.Scalar>

/** A value for a column: null too, where it may be. */
export const value = (table: Table.AnyTable, column: string): fc.Arbitrary<unknown> => {
  const present = special[column] ?? byKind[table.columns[column]!.kind]
  return table.columns[column]!.nullable ? fc.option(present, { freq: 2 }) : present
}

/** A row of a table, without regard to what it shares with others or refers to. */
export const row = (table: Table.AnyTable): fc.Arbitrary<PlainRow> =>
  fc.record(Object.fromEntries(Object.keys(table.columns).map((column) => [column, value(table, column)])))

/** The columns that can be compared. */
export const scalarColumns = (table: Table.AnyTable): ReadonlyArray<string> =>
  Object.keys(table.columns).filter((column) => !["json", "bytes"].includes(table.columns[column]!.kind))

/** Where a row stands in an order. */
export const position = (table: Table.AnyTable, orderBy: ReadonlyArray<string>, row: PlainRow) =>
  totalOrder(table, orderBy).map((column) => row[column] as Where.Scalar)

const plain = { name: "", email: null, manager: null, active: true, balance: 0 }

/** A person with nothing but a key, and what is given. */
export const person = (id: string, fields: Partial<Table.Row<typeof people>> = {}) => ({
  ...plain,
  id,
  ...fields
})

/** A folder of its own name, and what is given. */
export const folder = (id: string, fields: Partial<Table.Row<typeof folders>> = {}) => ({
  ...{ id, parent: null, name: id, about: "", counter: 0 },
  ...fields
})

/** A note, and what is given. */
export const note = (folder: string, number: number, fields: Partial<Table.Row<typeof notes>> = {}) => ({
  ...{ folder, number, title: "", pinned: false, done: null, rank: null, size: 0, weight: 0, score: null },
  ...{ author: null, editor: null, body: null, extra: null, image: null },
  ...fields
})
