/** `RecordsAdapter` over any `SqlClient`: each verb is one statement. */
import {
  type PlainRow,
  type ReadError,
  RecordsAdapter,
  type Table,
  totalOrder,
  type Where,
  type WriteError
} from "@lectern/core"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { cascadesIntoItself } from "./cascades.ts"
import { classify, classifyTransaction } from "./classify.ts"
import { createMissingTables } from "./createMissingTables.ts"
import type { Dialect } from "./Dialect.ts"
import { fixRows } from "./rows.ts"
import { encodeText, names, quote, Statement } from "./Statement.ts"
import { searchStatement } from "./search.ts"

const written = new WeakMap<Table.AnyTable, string>()

/** All columns of a table, as a statement names them: written once. */
const columnsOf = (table: Table.AnyTable): string => {
  const known = written.get(table)
  if (known !== undefined) return known
  const text = names(Object.keys(table.columns))
  written.set(table, text)
  return text
}

/** Runs a statement outside of a transaction. */
export type Execute = (
  text: string,
  parameters: ReadonlyArray<unknown>,
  transform: undefined
) => Effect.Effect<ReadonlyArray<PlainRow>, SqlError>

const makeSqlRecords = (dialect: Dialect, outside: Execute | undefined) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const executeOutside: Execute = outside ?? ((text, parameters) => sql.unsafe<PlainRow>(text, parameters))

    /** By the connection of the transaction that the fiber is in, else outside of any. */
    const execute: Execute = (text, parameters) =>
      Effect.withFiber((fiber) => {
        const open = Context.getOrUndefined(fiber.context, sql.transactionService)
        return open === undefined
          ? executeOutside(text, parameters, undefined)
          : open[0].execute(text, parameters, undefined)
      })

    const run = (
      table: Table.AnyTable,
      statement: Statement,
      text: string
    ): Effect.Effect<ReadonlyArray<PlainRow>, WriteError> =>
      Effect.catch(execute(text, statement.parameters, undefined), (error) =>
        classify(dialect, table.name, error)
      )

    const ask = (table: Table.AnyTable, statement: Statement, text: string) =>
      run(table, statement, text) as Effect.Effect<ReadonlyArray<PlainRow>, ReadError>

    const transaction = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | ReadError, R> =>
      sql.withTransaction(self).pipe(
        Effect.provideService(SqlClient.BeginTransaction, dialect.begin),
        Effect.catchCause((cause) => classifyTransaction(dialect, cause))
      ) as Effect.Effect<A, E | ReadError, R>

    /** A verb that writes is a transaction, serializable as all are: by itself, or as part of one. */
    const writing = <A>(verb: Effect.Effect<A, WriteError>): Effect.Effect<A, WriteError> =>
      Effect.withFiber((fiber) =>
        Context.getOrUndefined(fiber.context, sql.transactionService) === undefined ? transaction(verb) : verb
      )

    const find: RecordsAdapter["Service"]["find"] = (table, options) => {
      const statement = new Statement(dialect)
      const order = totalOrder(table, options.orderBy)
      const [sign, direction] = options.direction === "asc" ? [">", ""] : ["<", " DESC"]
      const columns = options.select === undefined ? columnsOf(table) : names(options.select)
      let text = `SELECT ${columns} FROM ${dialect.table(table.name)}`
      text += ` WHERE ${statement.where(table, options.where)}`
      if (options.after !== undefined) {
        text += ` AND (${names(order)}) ${sign} (${options.after.map((value) => statement.value(value)).join(", ")})`
      }
      text += ` ORDER BY ${order.map((column) => quote(column) + direction).join(", ")}`
      if (options.limit !== undefined) text += ` LIMIT ${statement.value(options.limit)}`
      return Effect.map(ask(table, statement, text), (rows) => fixRows(table, rows))
    }

    const count = (table: Table.AnyTable, where: Where.AnyWhere) => {
      const statement = new Statement(dialect)
      const text = `SELECT COUNT(*) AS "count" FROM ${dialect.table(table.name)} WHERE ${statement.where(table, where)}`
      return Effect.map(ask(table, statement, text), (rows) => Number(rows[0]!.count))
    }

    const countBy: RecordsAdapter["Service"]["countBy"] = (table, column, where) => {
      const statement = new Statement(dialect)
      const name = quote(column)
      const text =
        `SELECT ${name}, COUNT(*) AS "count of rows" FROM ${dialect.table(table.name)} ` +
        `WHERE ${name} IS NOT NULL AND ${statement.where(table, where)} GROUP BY ${name}`
      return Effect.map(ask(table, statement, text), (rows) =>
        fixRows(table, rows).map(
          (row) => [row[column] as Where.Scalar, Number(row["count of rows"])] as const
        )
      )
    }

    const search: RecordsAdapter["Service"]["search"] = (table, asked) => {
      const { statement, text } = searchStatement(dialect, table, asked)
      return Effect.flatMap(ask(table, statement, text), (rows) => {
        // Behind the last entry no row is left to tell how long the list is.
        if (rows.length === 0 && asked.after !== undefined) {
          const { after: _, ...fromStart } = asked
          return Effect.map(search(table, { ...fromStart, limit: 1 }), ({ count }) => ({ count, hits: [] }))
        }
        const hits = rows.map(({ scope, item, score, best }) => ({
          scope: asked.scope ?? String(scope),
          item: String(item),
          score: Number(score),
          best: Number(best)
        }))
        return Effect.succeed({ count: Number(rows[0]?.count ?? 0), hits })
      })
    }

    const snapshot = Effect.map(
      Effect.catch(execute(dialect.snapshot, [], undefined), (error) => classify(dialect, "", error)),
      ([row]) => String(row!.snapshot)
    ) as Effect.Effect<string, ReadError>

    const insertOne = (table: Table.AnyTable, row: PlainRow, otherwise: string) => {
      const statement = new Statement(dialect)
      const values = Object.entries(table.columns).map(([name, column]) =>
        statement.columnValue(column, row[name])
      )
      const text = `INSERT INTO ${dialect.table(table.name)} (${columnsOf(table)}) VALUES (${values.join(", ")})`
      return run(table, statement, text + otherwise)
    }

    /** Rows go as one parameter: no limit is met, and as one statement they may refer to each other. */
    const insertMany = (table: Table.AnyTable, rows: ReadonlyArray<PlainRow>, otherwise: string) => {
      const statement = new Statement(dialect)
      const columns = Object.entries(table.columns)
      const encoded = rows.map((row) =>
        Object.fromEntries(columns.map(([name, column]) => [name, encodeText(column, row[name])]))
      )
      const parameter = statement.value(JSON.stringify(encoded))
      const text = `INSERT INTO ${dialect.table(table.name)} (${columnsOf(table)}) ${dialect.rows(table.columns, parameter)}`
      return run(table, statement, text + otherwise)
    }

    const insertAll = (table: Table.AnyTable, rows: ReadonlyArray<PlainRow>, otherwise: string) =>
      writing(rows.length === 1 ? insertOne(table, rows[0]!, otherwise) : insertMany(table, rows, otherwise))

    const insert: RecordsAdapter["Service"]["insert"] = (table, rows) =>
      rows.length === 0 ? Effect.void : Effect.asVoid(insertAll(table, rows, ""))

    const insertMissing: RecordsAdapter["Service"]["insertMissing"] = (table, rows) =>
      rows.length === 0
        ? Effect.succeed(0)
        : Effect.map(
            insertAll(table, rows, ` ON CONFLICT DO NOTHING RETURNING ${quote(table.key[0]!)}`),
            (added) => added.length
          )

    const update: RecordsAdapter["Service"]["update"] = (table, where, { set, add }) => {
      const statement = new Statement(dialect)
      const assignments = [
        ...Object.entries(set).map(
          ([name, value]) => `${quote(name)} = ${statement.columnValue(table.columns[name]!, value)}`
        ),
        ...Object.entries(add).map(([name, by]) => `${quote(name)} = ${quote(name)} + ${statement.value(by)}`)
      ]
      if (assignments.length === 0) return count(table, where)
      const text = `UPDATE ${dialect.table(table.name)} SET ${assignments.join(", ")} WHERE ${statement.where(table, where)}`
      return writing(changed(table, statement, text))
    }

    const remove: RecordsAdapter["Service"]["remove"] = (table, where) => {
      const statement = new Statement(dialect)
      const text = `DELETE FROM ${dialect.table(table.name)} WHERE ${statement.where(table, where)}`
      const removed = checkedAtTheEnd(table, changed(table, statement, text))
      if (!cascadesIntoItself(table)) return writing(removed)
      // A row that went along with another before its turn is not among those that SQLite says it removed.
      return writing(Effect.flatMap(count(table, where), (found) => Effect.as(removed, found)))
    }

    /** Has references looked at when a removal is done: what goes along with it may go in any order. */
    const checkedAtTheEnd = (
      table: Table.AnyTable,
      removal: Effect.Effect<number, WriteError>
    ): Effect.Effect<number, WriteError> => {
      if (dialect.aroundRemoval === undefined) return removal
      const [before, after] = dialect.aroundRemoval
      const say = (text: string) => run(table, new Statement(dialect), text)
      return Effect.andThen(say(before), Effect.tap(removal, say(after)))
    }

    /** Runs a statement that changes rows, and answers how many. */
    const changed = (table: Table.AnyTable, statement: Statement, text: string) =>
      Effect.map(run(table, statement, `${text} RETURNING ${quote(table.key[0]!)}`), (rows) => rows.length)

    const next: RecordsAdapter["Service"]["next"] = (table, key, column) => {
      const statement = new Statement(dialect)
      const conditions = table.key.map((name) => `${quote(name)} = ${statement.value(key[name])}`)
      const text =
        `UPDATE ${dialect.table(table.name)} SET ${quote(column)} = ${quote(column)} + 1 ` +
        `WHERE ${conditions.join(" AND ")} RETURNING ${quote(column)}`
      return writing(
        Effect.map(run(table, statement, text), (rows) =>
          rows[0] === undefined ? undefined : Number(rows[0][column])
        )
      )
    }

    return RecordsAdapter.of({
      concurrency: dialect.concurrency,
      find,
      count,
      countBy,
      search,
      snapshot,
      insert,
      insertMissing,
      update,
      remove,
      next,
      createTables: (tables) =>
        Effect.provideService(createMissingTables(dialect, tables), SqlClient.SqlClient, sql),
      transaction
    })
  })

/**
 * Records in the database of the `SqlClient`, whose tables have to be there: see `migrate`. A driver that has a
 * shorter way to run a statement outside of transactions than through its client hands it in.
 */
export const layer = (
  dialect: Dialect,
  outside?: Execute
): Layer.Layer<RecordsAdapter, never, SqlClient.SqlClient> =>
  Layer.effect(RecordsAdapter, makeSqlRecords(dialect, outside))
