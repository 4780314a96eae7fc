/** Copies the readable rows of a corrupt SQLite database to a new file. */
import { appendFileSync, existsSync, rmSync } from "node:fs"
import { DatabaseSync, type SQLInputValue } from "node:sqlite"
import { migrationHistoryTable, migrations } from "@lectern/storage-sql"
import { Clock, Effect, Schema } from "effect"
import { isCorruption } from "../classify.ts"
import { createPrivateFile } from "../databaseFile.ts"
import { findAppliedMigrations } from "./migrationHistory.ts"
import { readRows } from "./readRows.ts"
import { removeDanglingRows } from "./removeDanglingRows.ts"
import { quoteName, quoteNames, type Row, readSourceTable, type SourceTable } from "./SourceTable.ts"

/** The database cannot be salvaged. The message states why, and the remedy. */
export class SalvageError extends Schema.TaggedError<SalvageError>()("SalvageError", {
  message: Schema.String
}) {}

/** The result of a table. */
export interface SalvagedTable {
  /** The name of the table. */
  readonly table: string
  /** The number of rows in the new file. */
  readonly copied: number
  /** Whether every row of the table could be read. */
  readonly isComplete: boolean
  /** The number of rows that other pages name, and that could not be read. More rows can be lost. */
  readonly missing: number
  /** The number of rows that were read, and do not fit into the new file. They are in the file of rejected rows. */
  readonly rejected: number
}

/** The result of {@link salvage}. */
export interface SalvageReport {
  /** The result of each table, including tables of a host. */
  readonly tables: ReadonlyArray<SalvagedTable>
  /** The file of rejected rows, one JSON object per line. Undefined if no row was rejected. */
  readonly rejectedRows: string | undefined
  /** Whether the history of migrations was lost, and was derived from the schema. */
  readonly isHistoryRestored: boolean
}

/** Options of {@link salvage}. */
export interface SalvageOptions {
  /** The path of the corrupt file, which is not changed. Its `-wal` file must be next to it. No server may use it. */
  readonly source: string
  /** The path of the new file, which must not exist. */
  readonly target: string
  /** The prefix of Lectern's tables; none by default. */
  readonly prefix?: string | undefined
}

/** The number of rows that are inserted in one transaction. */
const rowsPerTransaction = 1_000

/** The tables of a file, and the statements that create its schema. */
interface SourceSchema {
  readonly tables: ReadonlyArray<SourceTable>
  /** Statements that run before rows are inserted. */
  readonly before: ReadonlyArray<string>
  /** Statements that run after rows were inserted: the triggers and views of hosts. */
  readonly after: ReadonlyArray<string>
}

/** The end of the name of the table that the triggers of a full-text index fill. Files of older versions call it numbers. */
const itemTable = /(Items|Numbers)$/

/**
 * Reads the schema of a file. A full-text index has no content of its own, so it is rebuilt by the triggers of its table:
 * these exist before the rows are inserted, and the table of items that they fill is not copied.
 */
const readSchema = (database: DatabaseSync): SourceSchema => {
  const objects = database
    .prepare(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite~_%' ESCAPE '~'"
    )
    .all()
    .map(({ type, name, tbl_name: table, sql }) => ({
      type: String(type),
      name: String(name),
      table: String(table),
      sql: String(sql)
    }))
  const kinds = new Map(
    database
      .prepare("SELECT name, type, wr FROM pragma_table_list WHERE schema = 'main'")
      .all()
      .map(({ name, type, wr }) => [String(name), { type: String(type), hasRowid: wr === 0 }])
  )
  const isIndexed = (table: string) => kinds.get(`${table}Text`)?.type === "virtual"
  const created = objects.filter(({ name }) => kinds.get(name)?.type !== "shadow")
  const isEarly = ({ type, table }: (typeof created)[number]) =>
    type === "table" || type === "index" || (type === "trigger" && isIndexed(table))
  return {
    before: created.filter(isEarly).map(({ sql }) => sql),
    after: created.filter((object) => !isEarly(object)).map(({ sql }) => sql),
    tables: created.flatMap(({ name }) => {
      const kind = kinds.get(name)
      const isFilled = itemTable.test(name) && isIndexed(name.replace(itemTable, ""))
      return kind?.type !== "table" || isFilled ? [] : [readSourceTable(database, name, kind.hasRowid)]
    })
  }
}

const toJson = (table: SourceTable, row: Row): string => {
  const values = table.columns.map((column, index) => [column, row[index]])
  return `${JSON.stringify({ table: table.name, row: Object.fromEntries(values) }, (_, value) =>
    typeof value === "bigint"
      ? Number(value)
      : value instanceof Uint8Array
        ? { base64: Buffer.from(value).toString("base64") }
        : value
  )}\n`
}

/** Copies the rows of all tables. */
const copyRows = (
  source: DatabaseSync,
  target: DatabaseSync,
  tables: ReadonlyArray<SourceTable>,
  reject: (table: SourceTable, row: Row) => void
): ReadonlyArray<SalvagedTable> => {
  const results = new Map<
    string,
    { copied: number; rejected: number; isComplete: boolean; missing: number }
  >()
  for (const table of tables) {
    const insert = target.prepare(
      `INSERT INTO ${quoteName(table.name)} (${quoteNames(table.columns)}) VALUES (${table.columns.map(() => "?").join(", ")})`
    )
    const result = { copied: 0, rejected: 0, isComplete: true, missing: 0 }
    results.set(table.name, result)
    const rejectRow = (row: Row) => {
      result.rejected++
      reject(table, row)
    }
    const rows = readRows(source, table)
    target.exec("BEGIN")
    for (let next = rows.next(); ; next = rows.next()) {
      if (next.done === true) {
        Object.assign(result, next.value)
        break
      }
      if (insertRow(insert, next.value)) result.copied++
      else rejectRow(next.value)
      if (result.copied % rowsPerTransaction === 0) target.exec("COMMIT; BEGIN")
    }
    target.exec("COMMIT")
  }
  target.exec("BEGIN")
  removeDanglingRows(target, tables, (table, row) => {
    const result = results.get(table.name)!
    result.copied--
    result.rejected++
    reject(table, row)
  })
  target.exec("COMMIT")
  return tables.map(({ name }) => ({ table: name, ...results.get(name)! }))
}

const constraintCode = 19

/** Inserts a row. Returns false if it violates a constraint, as a row of a corrupt page can. */
const insertRow = (insert: ReturnType<DatabaseSync["prepare"]>, row: Row): boolean => {
  try {
    insert.run(...(row as ReadonlyArray<SQLInputValue>))
    return true
  } catch (cause) {
    const code = cause instanceof Error && "errcode" in cause ? Number(cause.errcode) & 0xff : undefined
    if (code === constraintCode) return false
    throw cause
  }
}

/** Opens a corrupt file to read it. */
const openSource = (filename: string): DatabaseSync => {
  const database = new DatabaseSync(filename, { readOnly: true })
  // Finds corrupt cells when a page is read, instead of returning rows that are read from them.
  database.exec("PRAGMA cell_size_check = ON")
  return database
}

/** Converts an exception to the error of {@link salvage}. */
const toSalvageError = (cause: unknown): SalvageError =>
  cause instanceof SalvageError
    ? cause
    : new SalvageError({
        message: isCorruption(cause)
          ? "The schema of the file cannot be read, so no table of it can be. Restore a backup."
          : `The file cannot be salvaged: ${cause instanceof Error ? cause.message : String(cause)}`
      })

const attempt = <A>(body: () => A): Effect.Effect<A, SalvageError> =>
  Effect.try({ try: body, catch: toSalvageError })

/** Restores the history of migrations in the new file, from its schema. */
const restoreHistory = Effect.fnUntraced(function* (target: DatabaseSync, prefix: string) {
  const applied = yield* findAppliedMigrations(target, prefix, migrations)
  if (applied === undefined) {
    return yield* new SalvageError({
      message:
        "The history of migrations cannot be read, and the schema is not one of this version of Lectern. Run the version that last used the file."
    })
  }
  const time = new Date(yield* Clock.currentTimeMillis).toISOString()
  yield* attempt(() => {
    const table = quoteName(prefix + migrationHistoryTable)
    target.exec(`DELETE FROM ${table}`)
    const insert = target.prepare(`INSERT INTO ${table} VALUES (?, ?, ?)`)
    for (const { number, name } of applied) insert.run(number, name, time)
  })
})

/**
 * Copies the readable rows of a corrupt database to a new file, and reports the losses. The new file has the schema of the
 * old one, no corruption, and no reference to a row that was lost: rows with such references are written to
 * `<target>.rejected.jsonl`, together with rows that violate another constraint. Derived data can be incomplete afterwards;
 * the doctor repairs it.
 *
 * Fails with a `SalvageError` if the schema of the file cannot be read, or `target` exists or cannot be written. A new file that
 * is incomplete is deleted then.
 */
export const salvage = Effect.fnUntraced(function* ({
  source: sourceName,
  target: targetName,
  prefix = ""
}: SalvageOptions): Effect.fn.Return<SalvageReport, SalvageError> {
  const rejectedName = `${targetName}.rejected.jsonl`
  for (const filename of [targetName, rejectedName]) {
    if (!existsSync(filename)) continue
    return yield* new SalvageError({
      message: `The file ${JSON.stringify(filename)} exists. Choose another one.`
    })
  }
  return yield* Effect.scoped(
    Effect.gen(function* () {
      const open = (body: () => DatabaseSync) =>
        Effect.acquireRelease(attempt(body), (database) => Effect.sync(() => database.close()))
      const source = yield* open(() => openSource(sourceName))
      const schema = yield* attempt(() => readSchema(source))
      const target = yield* open(() => {
        createPrivateFile(targetName)
        return new DatabaseSync(targetName, { enableForeignKeyConstraints: false })
      })
      let rejectedCount = 0
      const tables = yield* attempt(() => {
        for (const statement of schema.before) target.exec(statement)
        const copied = copyRows(source, target, schema.tables, (table, row) => {
          if (rejectedCount++ === 0) createPrivateFile(rejectedName)
          appendFileSync(rejectedName, toJson(table, row))
        })
        for (const statement of schema.after) target.exec(statement)
        return copied
      })
      const history = tables.find(({ table }) => table === prefix + migrationHistoryTable)
      const isHistoryRestored = history !== undefined && !history.isComplete
      if (isHistoryRestored) yield* restoreHistory(target, prefix)
      return { tables, rejectedRows: rejectedCount === 0 ? undefined : rejectedName, isHistoryRestored }
    })
  ).pipe(
    Effect.onError(() =>
      Effect.sync(() => {
        for (const filename of [targetName, `${targetName}-journal`, rejectedName])
          rmSync(filename, { force: true })
      })
    )
  )
})
