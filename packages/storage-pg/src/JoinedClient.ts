/**
 * Transactions that a host has begun on a client of its own, and that Lectern's transactions join as savepoints. Lectern ends
 * no statement on the client early: later statements, of Lectern and of the host, wait for it in the queue of the client.
 */
import { HostTransactionError, type JoinableTransaction } from "@lectern/kernel"
import { Context, Effect, Semaphore } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import { codeOf } from "./classify.ts"
import { isBegin, type StatementLimits, setLocalLimits } from "./limits.ts"

/** The part of a result of `pg` that Lectern uses. */
interface ClientResult {
  readonly command: string
  readonly rows: ReadonlyArray<object>
}

/** The part of `pg.PoolClient` and `pg.Client` that Lectern uses in a transaction of the host. */
export interface JoinableClient {
  /** Executes a statement. */
  readonly query: (query: { readonly text: string; readonly values: Array<unknown> }) => Promise<ClientResult>
}

/** Executes a statement on the client within the limits of Lectern. */
export type ExecuteOnClient = (
  text: string,
  parameters: ReadonlyArray<unknown>
) => Effect.Effect<ClientResult, SqlError.SqlError>

/** The connection on which the transactions of a fiber are savepoints of the host's; undefined for others. */
export const JoinedConnection = Context.Reference<SqlConnection.Connection | undefined>(
  "@lectern/storage-pg/JoinedConnection",
  { defaultValue: () => undefined }
)

/**
 * Returns the transaction that is open on a `pg.PoolClient` or a `pg.Client`, for `workspace.joinTransaction`. The workspace must
 * have been opened with `postgres({ pool })`, on the same database.
 *
 * @example
 * const client = await pool.connect()
 * await client.query("BEGIN")
 * const tx = await workspace.joinTransaction(pgTransaction(client))
 */
export const pgTransaction = (client: JoinableClient): JoinableTransaction => ({
  store: "postgresql",
  connection: client
})

const savepoint = '"lectern"'

/** SQLSTATE codes of a transaction that cannot be joined. */
const noTransaction = "25P01"
const failedTransaction = "25P02"

const notJoinable = (message: string): HostTransactionError =>
  new HostTransactionError("NotJoinable", message)

/** Fails with the reason why a host's transaction accepts no statements. Other errors remain. */
const refused = (error: SqlError.SqlError): Effect.Effect<never, SqlError.SqlError> => {
  switch (codeOf(error)) {
    case noTransaction:
      return Effect.die(notJoinable("The client has no open transaction. Execute `BEGIN` first."))
    case failedTransaction:
      return Effect.die(
        notJoinable("A statement of the transaction has failed, so it can only be rolled back.")
      )
    default:
      return Effect.fail(error)
  }
}

/** Verifies that a transaction is open that accepts writes and reads the last commits, and returns its number. */
const verify = Effect.fnUntraced(function* (execute: ExecuteOnClient) {
  // Outside of a transaction, this is an error without effect.
  yield* Effect.catch(execute(`SAVEPOINT ${savepoint}; RELEASE SAVEPOINT ${savepoint}`, []), refused)
  const settings = yield* execute(
    "SELECT current_setting('transaction_isolation') AS \"isolation\", current_setting('transaction_read_only') AS \"readOnly\"",
    []
  )
  const { isolation, readOnly } = settings.rows[0] as Readonly<Record<string, string>>
  // A snapshot from before the wait for a lock would hide what its former holder has written.
  if (isolation !== "read committed" && isolation !== "read uncommitted") {
    return yield* Effect.die(
      notJoinable(`The isolation of the transaction must be READ COMMITTED; it is ${isolation}.`)
    )
  }
  if (readOnly === "on") return yield* Effect.die(notJoinable("The transaction is read-only."))
  const { rows } = yield* execute('SELECT pg_current_xact_id()::text AS "transaction"', [])
  return (rows[0] as { readonly transaction: string }).transaction
})

/** The settings of the host that a savepoint replaces. */
interface HostSettings {
  readonly statement: string
  readonly lock: string
}

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Returns the connection of a joined transaction: statements that begin and end a transaction do so with a savepoint. */
const toSavepoints = (
  execute: ExecuteOnClient,
  transaction: string,
  limits: StatementLimits
): ExecuteOnClient => {
  let settings: HostSettings = { statement: "0", lock: "0" }

  const begin = Effect.gen(function* () {
    const { rows } = yield* Effect.catch(
      execute(
        'SELECT pg_current_xact_id_if_assigned()::text AS "transaction", ' +
          `current_setting('statement_timeout') AS "statement", current_setting('lock_timeout') AS "lock"`,
        []
      ),
      refused
    )
    const found = rows[0] as HostSettings & { readonly transaction: string | null }
    if (found.transaction !== transaction) return yield* Effect.die(HostTransactionError.ended())
    settings = found
    return yield* execute([`SAVEPOINT ${savepoint}`, ...setLocalLimits(limits)].join("; "), [])
  })

  const rollback = execute(`ROLLBACK TO SAVEPOINT ${savepoint}; RELEASE SAVEPOINT ${savepoint}`, [])

  // If it is unknown whether the savepoint was released, this either rolls it back, or fails and with it the transaction.
  const release = Effect.suspend(() =>
    Effect.tapError(
      execute(
        `SET LOCAL statement_timeout = ${quote(settings.statement)}; SET LOCAL lock_timeout = ${quote(settings.lock)}; ` +
          `RELEASE SAVEPOINT ${savepoint}`,
        []
      ),
      () => Effect.ignore(rollback)
    )
  )

  return (text, parameters) => {
    if (isBegin(text)) return begin
    if (text === "COMMIT") return Effect.as(release, { command: "COMMIT", rows: [] })
    return text === "ROLLBACK" ? rollback : execute(text, parameters)
  }
}

/** The turns of the clients with joined transactions: one operation at a time. */
const turns = new WeakMap<object, Semaphore.Semaphore>()

const turnOf = (client: object): Semaphore.Semaphore => {
  const existing = turns.get(client)
  if (existing !== undefined) return existing
  const turn = Semaphore.makeUnsafe(1)
  turns.set(client, turn)
  return turn
}

/**
 * Joins the transaction on a client, and returns a function that runs an effect whose transactions are savepoints of it. Dies with
 * `HostTransactionError` and the reason `NotJoinable` if it cannot be joined.
 */
export const joinClient = Effect.fnUntraced(function* (
  client: object,
  execute: ExecuteOnClient,
  limits: StatementLimits,
  toConnection: (execute: ExecuteOnClient) => SqlConnection.Connection
) {
  const turn = turnOf(client)
  const transaction = yield* turn.withPermit(verify(execute))
  const connection = toConnection(toSavepoints(execute, transaction, limits))
  return <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    turn.withPermit(Effect.provideService(self, JoinedConnection, connection))
})
