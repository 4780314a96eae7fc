/** The options of `SqlRecords.layer`, which adapters set for their driver. */
import type { HostConnection, JoinableTransaction, PlainRow, Signals, StoreStatistics } from "@lectern/kernel"
import type { Effect, Scope } from "effect"
import type { SqlClient, SqlConnection } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"

/** Executes a statement, which reads or writes `table` if it is set, and returns its rows. */
export type Execute = (
  text: string,
  parameters: ReadonlyArray<unknown>,
  transform: undefined,
  table?: string
) => Effect.Effect<ReadonlyArray<PlainRow>, SqlError>

/**
 * Executes statements on the connection of a transaction, in order and in one round trip, and returns the rows of each. Fails with
 * the error of the first that fails, and its index.
 */
export type ExecuteTogether = (
  connection: SqlConnection.Connection,
  statements: ReadonlyArray<{ readonly text: string; readonly parameters: ReadonlyArray<unknown> }>
) => Effect.Effect<
  ReadonlyArray<ReadonlyArray<PlainRow>>,
  { readonly error: SqlError; readonly index: number }
>

/** Runs an effect whose transactions, one at a time, are savepoints of a transaction that a host has begun. */
export type JoinTransactions = <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Options of `SqlRecords.layer`. */
export interface SqlRecordsOptions {
  /**
   * Executes a statement outside of transactions. By default, the `SqlClient` does. Set it if the driver can execute a
   * statement with less overhead, for example without a span.
   */
  readonly executeOutsideTransaction?: Execute
  /**
   * Executes several statements of a transaction in one round trip: see `WriteOptions.isResultUnused`. By default, each
   * write is executed immediately.
   */
  readonly executeTogether?: ExecuteTogether | undefined
  /** Identifies the committed state: see `RecordsAdapter.version`. By default, the store does not support it. */
  readonly version?: (() => number | undefined) | undefined
  /** Whether the migrations have created the versions of cached rows: see `RecordsAdapter.raisedVersions`. False by default. */
  readonly hasCacheVersions?: boolean
  /**
   * The number of the last migration that this process supports. Transactions are rejected after another process applies
   * a later one. By default, the version of the schema is not verified.
   */
  readonly supportedSchema?: number
  /** Returns the state of the store: see `RecordsAdapter.statistics`. By default, the store does not report it. */
  readonly statistics?: (() => StoreStatistics) | undefined
  /** Checks the structure of the files of the database: see `RecordsAdapter.checkIntegrity`. */
  readonly checkIntegrity?: () => ReadonlyArray<string>
  /**
   * Opens a connection in a transaction whose reads see one committed state, and closes it with the scope: see
   * `RecordsAdapter.readTransaction`. It is used if `Dialect.beginReadOnly` is undefined.
   */
  readonly openSnapshot?: Effect.Effect<SqlConnection.Connection, SqlError, Scope.Scope> | undefined
  /**
   * Returns the connection of an open transaction for statements of a host: see `RecordsAdapter.hostConnection`. By default, a
   * host cannot share it. It must not be set together with `executeTogether`, whose writes would follow statements of the host.
   */
  readonly hostConnection?: (connection: SqlConnection.Connection) => HostConnection
  /**
   * Joins a transaction that a host has begun, and returns a function that runs an effect whose transactions are savepoints of it:
   * see `RecordsAdapter.joinTransaction`. By default, none can be joined.
   */
  readonly joinTransaction?: (transaction: JoinableTransaction) => Effect.Effect<JoinTransactions, SqlError>
  /** Returns the signals of the store. By default, the store does not support signals. */
  readonly signals?: (sql: SqlClient.SqlClient) => Signals
}
