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
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { isSqlError } from "effect/sql/SqlError"
import { classify } from "./classify.ts"
import type { Dialect } from "./Dialect.ts"
import { fixRows } from "./rows.ts"
import { names, quote, Statement } from "./Statement.ts"

const make = (dialect: Dialect) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const run = (
      table: Table.AnyTable,
      statement: Statement,
      text: string
    ): Effect.Effect<ReadonlyArray<PlainRow>, WriteError> =>
      Effect.catch(sql.unsafe<PlainRow>(text, statement.parameters), (error) =>
        classify(dialect, table.name, error)
      )

    const ask = (table: Table.AnyTable, statement: Statement, text: string) =>
      run(table, statement, text) as Effect.Effect<ReadonlyArray<PlainRow>, ReadError>

    const transaction = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | ReadError, R> =>
      sql.withTransaction(self).pipe(
        Effect.provideService(SqlClient.BeginTransaction, dialect.begin),
        // Verbs turn the database's errors into others, so one that is left comes from the transaction itself.
        Effect.catchIf(isSqlError, (error) => classify(dialect, "", error))
      ) as Effect.Effect<A, E | ReadError, R>

    /** A verb that writes is a transaction, so that it is as serializable as any: by itself, or as part of one. */
    const writing = <A>(verb: Effect.Effect<A, WriteError>): Effect.Effect<A, WriteError> =>
      Effect.flatMap(Effect.serviceOption(sql.transactionService), (open) =>
        Option.isSome(open) ? verb : transaction(verb)
      )

    const find: RecordsAdapter["Service"]["find"] = (table, options) => {
      const statement = new Statement(dialect)
      const order = totalOrder(table, options.orderBy)
      const [sign, direction] = options.direction === "asc" ? [">", ""] : ["<", " DESC"]
      let text = `SELECT ${names(Object.keys(table.columns))} FROM ${quote(table.name)}`
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
      const text = `SELECT COUNT(*) AS "count" FROM ${quote(table.name)} WHERE ${statement.where(table, where)}`
      return Effect.map(ask(table, statement, text), (rows) => Number(rows[0]!.count))
    }

    const countBy: RecordsAdapter["Service"]["countBy"] = (table, column, where) => {
      const statement = new Statement(dialect)
      const name = quote(column)
      const text =
        `SELECT ${name}, COUNT(*) AS "count of rows" FROM ${quote(table.name)} ` +
        `WHERE ${name} IS NOT NULL AND ${statement.where(table, where)} GROUP BY ${name}`
      return Effect.map(ask(table, statement, text), (rows) =>
        fixRows(table, rows).map(
          (row) => [row[column] as Where.Scalar, Number(row["count of rows"])] as const
        )
      )
    }

    const insertSome = (table: Table.AnyTable, rows: ReadonlyArray<PlainRow>) => {
      const statement = new Statement(dialect)
      const columns = Object.entries(table.columns)
      const values = rows.map(
        (row) => `(${columns.map(([name, column]) => statement.columnValue(column, row[name])).join(", ")})`
      )
      const text = `INSERT INTO ${quote(table.name)} (${names(Object.keys(table.columns))}) VALUES ${values.join(", ")}`
      return run(table, statement, text)
    }

    const insert: RecordsAdapter["Service"]["insert"] = (table, rows) => {
      if (rows.length === 0) return Effect.void
      const most = Math.floor(dialect.maximumParameters / Object.keys(table.columns).length)
      const parts: Array<ReadonlyArray<PlainRow>> = []
      for (let i = 0; i < rows.length; i += most) parts.push(rows.slice(i, i + most))
      return writing(Effect.forEach(parts, (part) => insertSome(table, part), { discard: true }))
    }

    const update: RecordsAdapter["Service"]["update"] = (table, where, { set, add }) => {
      const statement = new Statement(dialect)
      const assignments = [
        ...Object.entries(set).map(
          ([name, value]) => `${quote(name)} = ${statement.columnValue(table.columns[name]!, value)}`
        ),
        ...Object.entries(add).map(([name, by]) => `${quote(name)} = ${quote(name)} + ${statement.value(by)}`)
      ]
      if (assignments.length === 0) return count(table, where)
      const text = `UPDATE ${quote(table.name)} SET ${assignments.join(", ")} WHERE ${statement.where(table, where)}`
      return writing(changed(table, statement, text))
    }

    const remove: RecordsAdapter["Service"]["remove"] = (table, where) => {
      const statement = new Statement(dialect)
      return writing(
        changed(table, statement, `DELETE FROM ${quote(table.name)} WHERE ${statement.where(table, where)}`)
      )
    }

    /** Runs a statement that changes rows, and answers how many. */
    const changed = (table: Table.AnyTable, statement: Statement, text: string) =>
      Effect.map(run(table, statement, `${text} RETURNING ${quote(table.key[0]!)}`), (rows) => rows.length)

    const next: RecordsAdapter["Service"]["next"] = (table, key, column) => {
      const statement = new Statement(dialect)
      const conditions = table.key.map((name) => `${quote(name)} = ${statement.value(key[name])}`)
      const text =
        `UPDATE ${quote(table.name)} SET ${quote(column)} = ${quote(column)} + 1 ` +
        `WHERE ${conditions.join(" AND ")} RETURNING ${quote(column)}`
      return writing(
        Effect.map(run(table, statement, text), (rows) =>
          rows[0] === undefined ? undefined : Number(rows[0][column])
        )
      )
    }

    return RecordsAdapter.of({ find, count, countBy, insert, update, remove, next, transaction })
  })

/** Records in the database of the `SqlClient`, whose tables have to be there: see `migrate`. */
export const layer = (dialect: Dialect): Layer.Layer<RecordsAdapter, never, SqlClient.SqlClient> =>
  Layer.effect(RecordsAdapter, make(dialect))
