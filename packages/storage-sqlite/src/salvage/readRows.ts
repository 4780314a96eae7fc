/**
 * Reads the rows of a table in a corrupt file. A scan of a b-tree fails at the first corrupt page, so a table is scanned from
 * both ends, and then from keys between them.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import { isCorruption } from "../classify.ts"
import {
  compareKeys,
  encodeKey,
  keyOf,
  quoteName,
  quoteNames,
  type Row,
  type SourceTable,
  type Value
} from "./SourceTable.ts"

/** The result of reading a table. */
export interface ReadResult {
  /** Whether every row was read. */
  readonly isComplete: boolean
  /** The number of rows that indexes or references of other tables name, and that could not be read. */
  readonly missing: number
}

type Direction = "ascending" | "descending"

/** The rows between the last one of the ascending scan and the last one of the descending scan. */
interface Gap {
  readonly after: Row | undefined
  readonly before: Row | undefined
  /** The characters of keys outside of the gap. */
  readonly characters: ReadonlySet<string>
}

const isInside = ({ after, before }: Gap, key: Row): boolean =>
  (after === undefined || compareKeys(key, after) > 0) &&
  (before === undefined || compareKeys(key, before) < 0)

const preparedStatements = new WeakMap<DatabaseSync, Map<string, StatementSync>>()

/** Prepares a statement that returns rows as arrays, once: scans begin at thousands of keys. */
const prepareOnce = (database: DatabaseSync, text: string): StatementSync => {
  const cache = preparedStatements.get(database) ?? new Map<string, StatementSync>()
  preparedStatements.set(database, cache)
  const cached = cache.get(text)
  if (cached !== undefined) return cached
  const statement = database.prepare(text)
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  cache.set(text, statement)
  return statement
}

/** Iterates over the rows of a statement until it fails. Returns whether it completed. */
function* rowsUntilCorruption(
  database: DatabaseSync,
  text: string,
  parameters: Row
): Generator<Row, boolean> {
  try {
    const statement = prepareOnce(database, text)
    for (const row of statement.iterate(...(parameters as ReadonlyArray<SQLInputValue>))) {
      yield row as unknown as Row
    }
    return true
  } catch (cause) {
    if (!isCorruption(cause)) throw cause
    return false
  }
}

/**
 * Scans a table from a key, or from its end. It stops at a corrupt page, and at a key that is out of order, which
 * also is a sign of corruption. Returns whether it reached the other end.
 */
function* scan(
  database: DatabaseSync,
  table: SourceTable,
  direction: Direction,
  from?: { readonly key: Row; readonly isInclusive: boolean }
): Generator<Row, boolean> {
  const isAscending = direction === "ascending"
  const bounded = table.key.slice(0, from?.key.length ?? 0)
  const operator = `${isAscending ? ">" : "<"}${from?.isInclusive === true ? "=" : ""}`
  const condition =
    from === undefined
      ? ""
      : ` WHERE (${quoteNames(bounded)}) ${operator} (${bounded.map(() => "?").join(", ")})`
  const order = table.key.map((name) => quoteName(name) + (isAscending ? "" : " DESC")).join(", ")
  const text = `SELECT ${quoteNames(table.columns)} FROM ${quoteName(table.name)}${condition} ORDER BY ${order}`
  const rows = rowsUntilCorruption(database, text, from?.key ?? [])
  let previous: Row | undefined
  for (;;) {
    const next = rows.next()
    if (next.done === true) return next.value
    const key = keyOf(table, next.value)
    if (previous !== undefined && compareKeys(key, previous) > 0 !== isAscending) return false
    previous = key
    yield next.value
  }
}

/** The printable characters of ASCII, of which ids and hashes consist. */
const printable: ReadonlySet<string> = new Set(
  Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))
)

/** The number of keys whose characters determine where scans of a gap begin. */
const sampledKeys = 1_000

/** The number of integer keys at which scans of a gap begin. */
const integerProbes = 4096n

/** Returns integers between two others. Without an upper one, their distance grows: the last key can be any integer. */
const integersBetween = (low: bigint, high: bigint | undefined): ReadonlyArray<bigint> => {
  const values: Array<bigint> = []
  if (high === undefined) {
    for (let offset = 1n; low + offset < 2n ** 63n; offset += 1n + offset / 32n) values.push(low + offset)
  } else {
    const step = (high - low) / integerProbes + 1n
    for (let value = low + 1n; value < high; value += step) values.push(value)
  }
  return values
}

const commonPrefix = (one: string, other: string): string => {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.slice(0, length)
}

/** Returns values between two others, at which scans of a gap begin. */
const valuesBetween = (
  low: Value | undefined,
  high: Value | undefined,
  characters: ReadonlySet<string>,
  isInteger: boolean
): ReadonlyArray<Value> => {
  if (isInteger || typeof (low ?? high) === "bigint") {
    return integersBetween(typeof low === "bigint" ? low : 0n, typeof high === "bigint" ? high : undefined)
  }
  if (typeof (low ?? high ?? "") !== "string") return []
  const prefix = typeof low === "string" && typeof high === "string" ? commonPrefix(low, high) : ""
  const alphabet = [...(characters.size === 0 ? printable : characters)].sort()
  return alphabet.flatMap((first) => alphabet.map((second) => prefix + first + second))
}

/** Returns keys in a gap at which scans begin: prefixes of keys. */
const probesOf = (table: SourceTable, { after, before, characters }: Gap): ReadonlyArray<Row> => {
  const position = table.key.findIndex(
    (_, index) =>
      after === undefined || before === undefined || compareKeys([after[index]!], [before[index]!]) !== 0
  )
  return valuesBetween(
    after?.[position],
    before?.[position],
    characters,
    table.key[position] === "rowid"
  ).map((value) => [...(after ?? before ?? []).slice(0, position), value])
}

/** Returns the keys in a gap that indexes of the table contain, and that references of other tables name. */
function* namedKeys(database: DatabaseSync, table: SourceTable): Generator<Row> {
  const key = quoteNames(table.key)
  const indexes = database
    .prepare("SELECT name FROM pragma_index_list(?) WHERE origin <> 'pk'")
    .all(table.name)
  for (const { name } of indexes) {
    const columns = database
      .prepare("SELECT name FROM pragma_index_info(?) ORDER BY seqno")
      .all(String(name))
      .map((column) => quoteName(String(column.name)))
    const source = `SELECT ${key} FROM ${quoteName(table.name)} INDEXED BY ${quoteName(String(name))} ORDER BY `
    if (yield* rowsUntilCorruption(database, source + columns.join(", "), [])) continue
    yield* rowsUntilCorruption(database, source + columns.map((column) => `${column} DESC`).join(", "), [])
  }
  if (table.key.length !== 1) return
  const references = database
    .prepare(
      `SELECT t.name AS "table", f."from" AS "column" FROM sqlite_schema t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table' AND f."table" = ?`
    )
    .all(table.name)
  for (const reference of references) {
    const column = quoteName(String(reference.column))
    const text = `SELECT ${column} FROM ${quoteName(String(reference.table))} WHERE ${column} IS NOT NULL`
    yield* rowsUntilCorruption(database, text, [])
  }
}

/** Reads the rows in a gap from its intact pages. */
function* readGap(database: DatabaseSync, table: SourceTable, gap: Gap): Generator<Row, number> {
  const found = new Set<string>()
  function* scanFrom(start: Row, direction: Direction): Generator<Row> {
    for (const row of scan(database, table, direction, {
      key: start,
      isInclusive: direction === "ascending"
    })) {
      const key = keyOf(table, row)
      const encoded = encodeKey(key)
      if (!isInside(gap, key) || found.has(encoded)) return
      found.add(encoded)
      yield row
    }
  }
  for (const probe of probesOf(table, gap)) {
    yield* scanFrom(probe, "ascending")
    yield* scanFrom(probe, "descending")
  }
  const named = new Map<string, Row>()
  for (const key of namedKeys(database, table)) {
    if (isInside(gap, key)) named.set(encodeKey(key), key)
  }
  for (const [encoded, key] of named) {
    if (found.has(encoded)) continue
    yield* scanFrom(key, "ascending")
    yield* scanFrom(key, "descending")
  }
  return [...named.keys()].filter((encoded) => !found.has(encoded)).length
}

/** Reads every row of a table that can be read, each once. Returns the number of missing ones. */
export function* readRows(database: DatabaseSync, table: SourceTable): Generator<Row, ReadResult> {
  let after: Row | undefined
  const characters = new Set<string>()
  let sampled = 0
  const sample = (key: Row) => {
    if (sampled++ >= sampledKeys) return
    for (const value of key) {
      if (typeof value === "string") for (const character of value) characters.add(character)
    }
  }
  const ascending = scan(database, table, "ascending")
  for (;;) {
    const next = ascending.next()
    if (next.done === true) {
      if (next.value) return { isComplete: true, missing: 0 }
      break
    }
    after = keyOf(table, next.value)
    sample(after)
    yield next.value
  }
  let before: Row | undefined
  for (const row of scan(database, table, "descending")) {
    const key = keyOf(table, row)
    if (after !== undefined && compareKeys(key, after) <= 0) break
    before = key
    sample(key)
    yield row
  }
  const missing = yield* readGap(database, table, { after, before, characters })
  return { isComplete: false, missing }
}
