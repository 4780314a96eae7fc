/** Implements `RecordsAdapter` over any `SqlClient`. Each method executes one statement. */
import {
  ObserveOperations,
  observeStatement,
  type PlainRow,
  type ReadError,
  RecordsAdapter,
  type StorageUnavailable,
  type Table,
  totalOrder,
  type Where,
  type WriteError,
  type WriteOptions
} from "@lectern/kernel"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { cascadesIntoItself } from "./cascades.ts"
import { failWithStorageError, failWithTransactionError } from "./classify.ts"
import { columnList } from "./columnLists.ts"
import { zstd } from "./compression.ts"
import { createMissingTables } from "./createMissingTables.ts"
import type { Dialect } from "./Dialect.ts"
import { findStatement } from "./findStatement.ts"
import { insertStatement } from "./insertStatement.ts"
import { addLater, makeLaterWrites, withoutLaterWrites } from "./laterWrites.ts"
import { makeLockedMethods } from "./lockedMethods.ts"
import { makeAcquire } from "./locking.ts"
import { migrationHistoryTable } from "./Migration.ts"
import { makeHostConnection, makeJoinTransaction } from "./makeHostConnection.ts"
import { makeProbe } from "./probe.ts"
import { makeStateReads } from "./raisedVersions.ts"
import { endReadAhead, readOnce } from "./readAhead.ts"
import { makeReadTransaction } from "./readTransaction.ts"
import { makeReferenceChecks } from "./referenceChecks.ts"
import { decodeRows } from "./rows.ts"
import type { Execute, SqlRecordsOptions } from "./SqlRecordsOptions.ts"
import { quoteName, quoteNames, Statement } from "./Statement.ts"
import { makeSchemaGuard } from "./schemaGuard.ts"
import { searchStatement } from "./search.ts"

/** Returns the assignments of an `UPDATE`. */
const assignments = (
  statement: Statement,
  table: Table.AnyTable,
  set: PlainRow,
  add: { readonly [column: string]: number }
): ReadonlyArray<string> => [
  ...Object.entries(set).map(
    ([name, value]) => `${quoteName(name)} = ${statement.columnValue(table.columns[name]!, value)}`
  ),
  ...Object.entries(add).map(
    ([name, by]) => `${quoteName(name)} = ${quoteName(name)} + ${statement.value(by)}`
  )
]

const makeSqlRecords = (dialect: Dialect, options: SqlRecordsOptions) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const executeOutsideTransaction: Execute =
      options.executeOutsideTransaction ?? ((text, parameters) => sql.unsafe<PlainRow>(text, parameters))

    const isObserved = yield* ObserveOperations

    /** Executes a statement in the fiber's open transaction, if there is one, and outside of transactions otherwise. */
    const execute: Execute = (text, parameters, _, table) =>
      Effect.withFiber((fiber) => {
        const openTransaction = Context.getOrUndefined(fiber.context, sql.transactionService)
        const executed =
          openTransaction === undefined
            ? executeOutsideTransaction(text, parameters, undefined, table)
            : openTransaction[0].execute(text, parameters, undefined)
        return isObserved ? observeStatement(fiber, text, executed) : executed
      })

    const { executeTogether } = options
    const laterWrites = executeTogether && makeLaterWrites(dialect, sql, executeTogether, isObserved)

    const run = (
      table: Table.AnyTable,
      statement: Statement,
      text: string
    ): Effect.Effect<ReadonlyArray<PlainRow>, WriteError> => {
      const executed = Effect.catch(execute(text, statement.parameters, undefined, table.name), (error) =>
        failWithStorageError(dialect, table.name, error)
      )
      return laterWrites === undefined ? executed : laterWrites.before(executed)
    }

    /** Runs a write with a clause that returns rows, or without it later. Returns undefined if it runs later. */
    const write = (
      table: Table.AnyTable,
      statement: Statement,
      text: string,
      returning: string,
      isResultUnused: boolean | undefined
    ): Effect.Effect<ReadonlyArray<PlainRow> | undefined, WriteError> =>
      laterWrites !== undefined && isResultUnused === true
        ? Effect.withFiber((fiber) =>
            addLater(fiber, { table: table.name, text, parameters: statement.parameters })
              ? Effect.undefined
              : run(table, statement, text + returning)
          )
        : run(table, statement, text + returning)

    const query = (table: Table.AnyTable, statement: Statement, text: string) => {
      const executed = run(table, statement, text) as Effect.Effect<ReadonlyArray<PlainRow>, ReadError>
      return executeTogether === undefined
        ? executed
        : readOnce({ text, parameters: statement.parameters }, executed)
    }

    const references = makeReferenceChecks(dialect, (table, text) => run(table, new Statement(dialect), text))

    const guard = makeSchemaGuard(dialect, options.supportedSchema, (text) => execute(text, [], undefined))
    const toReadError = (error: SqlError | StorageUnavailable): Effect.Effect<never, WriteError> =>
      isSqlError(error) ? failWithStorageError(dialect, "", error) : Effect.fail(error)
    const guardBefore = guard.beforeTransaction && Effect.catch(guard.beforeTransaction, toReadError)
    const guardInside = guard.inTransaction && Effect.catch(guard.inTransaction, toReadError)

    const { observeWrites, probe } = makeProbe(dialect)

    const withTransaction = <A, E, R>(begin: string | undefined, self: Effect.Effect<A, E, R>) =>
      Effect.withFiber((fiber) => {
        const isNested = Context.getOrUndefined(fiber.context, sql.transactionService) !== undefined
        const guarded = isNested || guardInside === undefined ? self : Effect.andThen(guardInside, self)
        const body = laterWrites === undefined ? guarded : laterWrites.during(guarded)
        const run = sql.withTransaction(body).pipe(
          Effect.provideService(SqlClient.BeginTransaction, begin),
          Effect.catchCause((cause) => failWithTransactionError(dialect, cause))
        )
        if (isNested) return laterWrites === undefined ? run : laterWrites.before(run)
        return observeWrites(guardBefore === undefined ? run : Effect.andThen(guardBefore, run))
      }) as Effect.Effect<A, E | ReadError, R>

    const { locking } = dialect
    const gateTable = dialect.table(migrationHistoryTable)

    const runControl = (text: string) =>
      Effect.catch(execute(text, [], undefined), (error) => failWithStorageError(dialect, "", error))

    const enterGate = locking === undefined ? undefined : runControl(locking.gateOfSerializable(gateTable))

    const transaction = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | ReadError, R> =>
      enterGate === undefined
        ? withTransaction(dialect.beginSerializable, self)
        : (Effect.withFiber((fiber) =>
            withTransaction(
              dialect.beginSerializable,
              Context.getOrUndefined(fiber.context, sql.transactionService) === undefined
                ? Effect.andThen(enterGate, self)
                : self
            )
          ) as Effect.Effect<A, E | ReadError, R>)

    const readTransaction = makeReadTransaction(dialect, sql, options.openSnapshot, withTransaction)

    const acquire = makeAcquire(dialect, execute, gateTable)

    /** Runs one statement as a transaction that excludes no locked ones, because no lock covers its rows. */
    const unlockedTransaction =
      locking === undefined
        ? transaction
        : <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | ReadError, R> =>
            withTransaction(locking.begin, Effect.andThen(acquire(locking, []), self))

    /**
     * Runs a write of one statement in the fiber's open transaction. Outside of one, it is a transaction of its own, which is
     * serializable if locks cover the rows of the table.
     */
    const inTransaction = <A>(
      { locking: covering }: Table.AnyTable,
      write: Effect.Effect<A, WriteError>
    ): Effect.Effect<A, WriteError> =>
      Effect.withFiber((fiber) => {
        endReadAhead(fiber)
        if (Context.getOrUndefined(fiber.context, sql.transactionService) !== undefined) return write
        const run = covering?.writes.length === 0 ? unlockedTransaction : transaction
        return run(laterWrites === undefined ? write : withoutLaterWrites(write))
      })

    const find: RecordsAdapter["Service"]["find"] = (table, options) => {
      const { statement, text } = findStatement(dialect, table, options)
      return Effect.map(query(table, statement, text), (rows) => decodeRows(table, rows))
    }

    const findBeforeEnd: RecordsAdapter["Service"]["findBeforeEnd"] =
      laterWrites &&
      ((table, options, use) =>
        Effect.withFiber((fiber) => {
          const { statement, text } = findStatement(dialect, table, options)
          return Effect.succeed(
            addLater(fiber, {
              table: table.name,
              text,
              parameters: statement.parameters,
              use: (rows) => use(decodeRows(table, rows))
            })
          )
        }))

    const count = (table: Table.AnyTable, where: Where.AnyWhere) => {
      const statement = new Statement(dialect)
      const text = `SELECT COUNT(*) AS "count" FROM ${dialect.table(table.name)} WHERE ${statement.where(table, where)}`
      return Effect.map(query(table, statement, text), (rows) => Number(rows[0]!.count))
    }

    const countBy: RecordsAdapter["Service"]["countBy"] = (table, column, where) => {
      const statement = new Statement(dialect)
      const name = quoteName(column)
      const text =
        `SELECT ${name}, COUNT(*) AS "count of rows" FROM ${dialect.table(table.name)} ` +
        `WHERE ${name} IS NOT NULL AND ${statement.where(table, where)} GROUP BY ${name}`
      return Effect.map(query(table, statement, text), (rows) =>
        decodeRows(table, rows).map(
          (row) => [row[column] as Where.Scalar, Number(row["count of rows"])] as const
        )
      )
    }

    const search: RecordsAdapter["Service"]["search"] = (table, request) => {
      if (request.scopes.length === 0) return Effect.succeed({ count: 0, hits: [] })
      const { statement, text } = searchStatement(dialect, table, request)
      return Effect.flatMap(query(table, statement, text), (rows) => {
        // The total count comes with each row, so a page after the last entry has no row that contains it.
        if (rows.length === 0 && request.after !== undefined) {
          const { after: _, ...fromStart } = request
          return Effect.map(search(table, { ...fromStart, limit: 1 }), ({ count }) => ({ count, hits: [] }))
        }
        const hits = rows.map(({ scope, item, score, best }) => ({
          scope: request.scopes.length === 1 ? request.scopes[0]! : String(scope),
          item: String(item),
          score: Number(score),
          best: Number(best)
        }))
        return Effect.succeed({ count: Number(rows[0]?.count ?? 0), hits })
      })
    }

    const insert: RecordsAdapter["Service"]["insert"] = (table, rows, { isResultUnused } = {}) => {
      if (rows.length === 0) return Effect.void
      const { statement, text } = insertStatement(dialect, table, rows)
      return inTransaction(table, Effect.asVoid(write(table, statement, text, "", isResultUnused)))
    }

    const insertMissing: RecordsAdapter["Service"]["insertMissing"] = (
      table,
      rows,
      { isResultUnused } = {}
    ) => {
      if (rows.length === 0) return Effect.succeed(0)
      const { statement, text } = insertStatement(dialect, table, rows)
      const returning = ` RETURNING ${quoteName(table.key[0]!)}`
      const inserted = write(table, statement, `${text} ON CONFLICT DO NOTHING`, returning, isResultUnused)
      return inTransaction(
        table,
        Effect.map(inserted, (found) => (found ?? rows).length)
      )
    }

    const update: RecordsAdapter["Service"]["update"] = (table, where, { set, add }, options) => {
      const statement = new Statement(dialect)
      const assigned = assignments(statement, table, set, add)
      if (assigned.length === 0) return count(table, where)
      const text = `UPDATE ${dialect.table(table.name)} SET ${assigned.join(", ")} WHERE ${statement.where(table, where)}`
      return inTransaction(table, countAffected(table, statement, text, options))
    }

    const remove: RecordsAdapter["Service"]["remove"] = (table, where, options) => {
      const statement = new Statement(dialect)
      const text = `DELETE FROM ${dialect.table(table.name)} WHERE ${statement.where(table, where)}`
      const removal = references.deferDuring(table, countAffected(table, statement, text, options))
      if (!cascadesIntoItself(table)) return inTransaction(table, removal)
      // SQLite's `RETURNING` omits matching rows that were removed earlier by a cascade of the same statement.
      return inTransaction(
        table,
        Effect.flatMap(count(table, where), (found) => Effect.as(removal, found))
      )
    }

    /** Runs an `UPDATE` or `DELETE` and returns the number of affected rows, or 1 if it runs later. */
    const countAffected = (
      table: Table.AnyTable,
      statement: Statement,
      text: string,
      { isResultUnused }: WriteOptions = {}
    ) =>
      Effect.map(
        write(table, statement, text, ` RETURNING ${quoteName(table.key[0]!)}`, isResultUnused),
        (rows) => rows?.length ?? 1
      )

    const next: RecordsAdapter["Service"]["next"] = (table, where, column) => {
      const statement = new Statement(dialect)
      const text =
        `UPDATE ${dialect.table(table.name)} SET ${quoteName(column)} = ${quoteName(column)} + 1 ` +
        `WHERE ${statement.where(table, where)} RETURNING ${quoteName(column)}`
      return inTransaction(
        table,
        Effect.map(run(table, statement, text), (rows) =>
          rows[0] === undefined ? undefined : Number(rows[0][column])
        )
      )
    }

    const claim: RecordsAdapter["Service"]["claim"] = (table, { where, orderBy, limit }, { set, add }) => {
      const statement = new Statement(dialect)
      const key = quoteNames(table.key)
      const order = quoteNames(totalOrder(table, orderBy))
      // Materialized: if the planner evaluated the selection once per row, more rows than `limit` would match.
      const text =
        `WITH "claimed" AS MATERIALIZED (SELECT ${key} FROM ${dialect.table(table.name)} ` +
        `WHERE ${statement.where(table, where)} ORDER BY ${order} LIMIT ${statement.limit(limit)}` +
        `${dialect.skipLocked ?? ""}) ` +
        `UPDATE ${dialect.table(table.name)} SET ${assignments(statement, table, set, add).join(", ")} ` +
        `WHERE (${key}) IN (SELECT ${key} FROM "claimed") RETURNING ${columnList(table)}`
      const rows = Effect.map(run(table, statement, text), (rows) => decodeRows(table, rows))
      // The statement locks its rows itself: in a serializable transaction it would conflict with every insert.
      if (dialect.skipLocked === undefined) return inTransaction(table, rows)
      return Effect.withFiber((fiber) => {
        endReadAhead(fiber)
        return rows
      })
    }

    return RecordsAdapter.of({
      concurrency: dialect.concurrency,
      find,
      findBeforeEnd,
      count,
      countBy,
      search,
      ...makeStateReads(dialect, execute, options.hasCacheVersions === true),
      version: options.version,
      insert,
      insertMissing,
      update,
      remove,
      next,
      claim,
      signals: options.signals?.(sql),
      // It waits for no gate, so that the state of writers does not influence readiness.
      probe: probe(
        (text) => sql.unsafe(text).unprepared,
        (self) => withTransaction(dialect.beginSerializable, self)
      ),
      statistics: options.statistics,
      compression: zstd,
      checkIntegrity: options.checkIntegrity && Effect.sync(options.checkIntegrity),
      createTables: (tables) =>
        Effect.ensuring(
          Effect.provideService(createMissingTables(dialect, tables), SqlClient.SqlClient, sql),
          Effect.sync(references.forget)
        ),
      transaction,
      ...(readTransaction === undefined ? {} : { readTransaction }),
      ...(locking === undefined
        ? {}
        : makeLockedMethods({ sql, locking, acquire, withTransaction, isObserved, executeTogether })),
      ...makeHostConnection(sql, options.hostConnection),
      ...makeJoinTransaction(dialect, options.joinTransaction, (self) =>
        withTransaction(locking?.begin, self)
      )
    })
  })

/**
 * The `RecordsAdapter` of the `SqlClient`'s database. The tables must exist: apply the migrations first, with
 * `migrationLayer` or `migrate`.
 *
 * @example
 * SqlRecords.layer(dialect).pipe(Layer.provideMerge(migrationLayer(dialect, migrations)))
 */
export const layer = (
  dialect: Dialect,
  options: SqlRecordsOptions = {}
): Layer.Layer<RecordsAdapter, never, SqlClient.SqlClient> =>
  Layer.effect(RecordsAdapter, makeSqlRecords(dialect, options))

export type { Execute, ExecuteTogether, JoinTransactions, SqlRecordsOptions } from "./SqlRecordsOptions.ts"
