/** A connection of the pool that one caller uses until its lease ends. */
import type { PgConnection } from "@effect/sql-pg"
import type { PlainRow } from "@lectern/kernel"
import { Effect, Exit, Result, Scope, Semaphore, Stream } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"
import type { Connections } from "./Connections.ts"
import { isFromStandby } from "./classify.ts"
import {
  clientGraceMs,
  isBegin,
  localLimits,
  type PgLimits,
  StatementLimits,
  withDeadline
} from "./limits.ts"

/** Options of {@link LeasedConnection}. */
export interface LeaseOptions extends PgLimits {
  /** Whether statements are prepared. */
  readonly preparedStatements: boolean
}

/** A statement with its parameters. */
interface SentStatement {
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
}

/** The error of a statement of several, and its index. */
interface FailedStatement {
  readonly error: SqlError.SqlError
  readonly index: number
}

type Results = Effect.Effect<ReadonlyArray<PgConnection.Result>, FailedStatement>

/** Returns the result of a statement that the server does not receive. */
const unsent = (command: string): PgConnection.Result => ({
  command,
  rowCount: 0,
  oid: null,
  rows: [],
  fields: []
})

/**
 * Waits for the microtask in which `@effect/sql-pg` sends a batch. If it runs after the next statement was sent on the pinned connection, as
 * in Deno, the response to that statement is not expected, and it never returns.
 */
const flushed = Effect.callback<void>((resume) => queueMicrotask(() => resume(Effect.void)))

/** Executes statements on a leased connection, within their limits. */
export class LeasedConnection implements SqlConnection.Connection {
  readonly #connections: Connections
  readonly #base: PgConnection.PgConnection
  readonly #scope: Scope.Scope
  readonly #limits: StatementLimits
  readonly #isPrepared: boolean
  /** The exclusive view of the connection, on which an interruption cancels a statement, and its scope. */
  #pinned: { readonly view: PgConnection.PgConnection; readonly scope: Scope.Closeable } | undefined
  /** The turn of a statement, or of several that are executed together: they share the connection, and pin it differently. */
  readonly #turn = Semaphore.makeUnsafe(1)
  #isInTransaction = false
  /** The statement that begins the transaction, until it is sent together with the first statement of the transaction. */
  #opening: string | undefined
  /** Whether a statement exceeded its deadline, or can still be executed. The connection is closed when it is released. */
  #isBroken = false

  constructor(
    connections: Connections,
    base: PgConnection.PgConnection,
    scope: Scope.Scope,
    options: LeaseOptions
  ) {
    this.#connections = connections
    this.#base = base
    this.#scope = scope
    this.#limits = options
    this.#isPrepared = options.preparedStatements
  }

  readonly #query = (
    text: string,
    parameters: ReadonlyArray<unknown>,
    isPrepared: boolean
  ): Effect.Effect<PgConnection.Result, SqlError.SqlError> =>
    Effect.withFiber((fiber) => {
      // PostgreSQL rolls back a transaction whose connection ends.
      if (this.#isBroken && text === "ROLLBACK") return Effect.succeed(unsent(text))
      if (isBegin(text)) {
        this.#isInTransaction = true
        this.#opening = text
        return Effect.succeed(unsent("BEGIN"))
      }
      const limits = fiber.getRef(StatementLimits) ?? this.#limits
      if (this.#opening !== undefined) {
        if (text === "COMMIT" || text === "ROLLBACK") {
          this.#opening = undefined
          return Effect.succeed(unsent(text))
        }
        return Effect.mapBoth(this.#open(limits, [{ text, parameters }], isPrepared), {
          onSuccess: ([result]) => result!,
          onFailure: ({ error }) => error
        })
      }
      const limitMs = limits.statementMs + (this.#isInTransaction ? clientGraceMs : 0)
      return this.#withDeadline(this.#queryPinned(text, parameters, isPrepared && this.#isPrepared), limitMs)
    })

  /** Closes the connection if it exceeds a deadline, and records its responses. */
  readonly #withDeadline = <A>(
    result: Effect.Effect<A, SqlError.SqlError>,
    limitMs: number
  ): Effect.Effect<A, SqlError.SqlError> =>
    Effect.tap(
      Effect.tapError(
        withDeadline(result, limitMs, () => {
          this.#isBroken = true
          this.#connections.distrust(this.#base)
        }),
        this.#leaveStandby
      ),
      () => Effect.sync(() => this.#connections.responded(this.#base))
    )

  /** Closes the connection after its transaction if the server accepts no writes, and replaces the others. */
  readonly #leaveStandby = (error: SqlError.SqlError): Effect.Effect<void> =>
    Effect.sync(() => {
      if (isFromStandby(error) && this.#connections.leave(this.#base)) this.#isBroken = true
    })

  readonly #queryPinned = (
    text: string,
    parameters: ReadonlyArray<unknown>,
    isPrepared: boolean
  ): Effect.Effect<PgConnection.Result, SqlError.SqlError> =>
    this.#turn.withPermit(Effect.flatMap(this.#pin, (view) => view.query(text, parameters, isPrepared)))

  readonly #pin: Effect.Effect<PgConnection.PgConnection> = Effect.suspend(() =>
    this.#pinned === undefined
      ? // Uninterruptible, so that a view is never lost. No other statement delays it: see `#turn`.
        Effect.uninterruptible(
          Effect.flatMap(Scope.fork(this.#scope), (scope) =>
            Effect.map(Scope.provide(this.#base.pin, scope), (view) => {
              this.#pinned = { view, scope }
              return view
            })
          )
        )
      : Effect.succeed(this.#pinned.view)
  )

  readonly #unpin: Effect.Effect<void> = Effect.suspend(() => {
    if (this.#pinned === undefined) return Effect.void
    const { scope } = this.#pinned
    this.#pinned = undefined
    return Scope.close(scope, Exit.void)
  })

  /** Sends statements in one round trip, and returns the result of each. */
  readonly #send = (
    statements: ReadonlyArray<SentStatement>,
    isPrepared: (index: number) => boolean
  ): Effect.Effect<ReadonlyArray<Result.Result<PgConnection.Result, SqlError.SqlError>>> =>
    Effect.tap(
      Effect.forEach(
        statements,
        ({ text, parameters }, index) =>
          Effect.result(this.#base.query(text, parameters, this.#isPrepared && isPrepared(index))),
        { concurrency: "unbounded" }
      ),
      () => flushed
    )

  /** Returns the results, or fails with the error of the first statement that failed. */
  readonly #firstFailure = (
    results: ReadonlyArray<Result.Result<PgConnection.Result, SqlError.SqlError>>
  ): Results => {
    const succeeded: Array<PgConnection.Result> = []
    for (const [index, result] of results.entries()) {
      if (Result.isFailure(result)) {
        const { failure: error } = result
        return Effect.andThen(this.#leaveStandby(error), Effect.fail({ error, index }))
      }
      succeeded.push(result.success)
    }
    return Effect.succeed(succeeded)
  }

  /**
   * Begins the transaction, sets its limits and executes its first statements, in one round trip. Pinned statements would need one
   * each, but only they can be canceled: if the caller is interrupted, the connection is closed, and the server rolls back the
   * transaction when a statement that waits for a lock has acquired it, or exceeds its limit.
   */
  readonly #open = (
    limits: StatementLimits,
    statements: ReadonlyArray<SentStatement>,
    isPrepared = true
  ): Results =>
    Effect.suspend(() => {
      const begin = this.#opening!
      this.#opening = undefined
      const opening = [begin, ...localLimits(begin, limits)].map((text) => ({ text, parameters: [] }))
      // A prepared statement that the server has lost is executed again after the others, which must be in the transaction.
      const sent = this.#send([...opening, ...statements], (index) => isPrepared && index > 0)
      const closed = Effect.sync(() => {
        this.#isBroken = true
        this.#connections.abandon(this.#base)
      })
      return Effect.mapBoth(
        Effect.flatMap(
          Effect.mapError(
            this.#withDeadline(
              this.#turn.withPermit(Effect.onInterrupt(sent, () => closed)),
              limits.statementMs + clientGraceMs
            ),
            (error) => ({ error, index: 0 })
          ),
          this.#firstFailure
        ),
        {
          onSuccess: (results) => results.slice(opening.length),
          onFailure: ({ error, index }) => ({ error, index: Math.max(index - opening.length, 0) })
        }
      )
    })

  /**
   * Executes statements in order and in one round trip, which an interruption does not cancel: they write, and the
   * transaction limits their time. Returns their rows. Fails with the error of the first that fails, and its index.
   */
  readonly executeTogether = (
    statements: ReadonlyArray<SentStatement>
  ): Effect.Effect<ReadonlyArray<ReadonlyArray<PlainRow>>, FailedStatement> =>
    Effect.withFiber((fiber) => {
      const [only] = statements
      const isOpen = this.#opening === undefined
      if (isOpen && statements.length === 1 && only !== undefined) {
        return Effect.mapBoth(this.#query(only.text, only.parameters, true), {
          onSuccess: ({ rows }) => [rows],
          onFailure: (error) => ({ error, index: 0 })
        })
      }
      const limits = fiber.getRef(StatementLimits) ?? this.#limits
      const results = isOpen ? this.#writeTogether(limits, statements) : this.#open(limits, statements)
      return Effect.map(results, (all) => all.map(({ rows }) => rows))
    })

  readonly #writeTogether = (limits: StatementLimits, statements: ReadonlyArray<SentStatement>): Results =>
    Effect.flatMap(
      Effect.mapError(
        this.#withDeadline(
          this.#turn.withPermit(
            Effect.uninterruptible(
              Effect.andThen(
                this.#unpin,
                this.#send(statements, () => true)
              )
            )
          ),
          limits.statementMs + clientGraceMs
        ),
        (error) => ({ error, index: 0 })
      ),
      this.#firstFailure
    )

  readonly execute: SqlConnection.Connection["execute"] = (text, parameters, transform) =>
    Effect.map(this.#query(text, parameters, true), ({ rows }) =>
      transform === undefined ? rows : transform(rows)
    )

  readonly executeUnprepared: SqlConnection.Connection["execute"] = (text, parameters, transform) =>
    Effect.map(this.#query(text, parameters, false), ({ rows }) =>
      transform === undefined ? rows : transform(rows)
    )

  readonly executeRaw: SqlConnection.Connection["executeRaw"] = (text, parameters) =>
    this.#query(text, parameters, true)

  readonly executeValues: SqlConnection.Connection["executeValues"] = (text, parameters) =>
    Effect.map(this.#query(text, parameters, true), ({ rows }) => rows.map((row) => Object.values(row)))

  readonly executeValuesUnprepared: SqlConnection.Connection["executeValuesUnprepared"] = (
    text,
    parameters
  ) => Effect.map(this.#query(text, parameters, false), ({ rows }) => rows.map((row) => Object.values(row)))

  readonly executeStream: SqlConnection.Connection["executeStream"] = (text, parameters, transform) =>
    Stream.fromIterableEffect(this.execute(text, parameters, transform))
}
