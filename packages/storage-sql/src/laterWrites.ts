/**
 * Statements of a transaction whose results are unused, or used only before it ends. They are collected, and sent in one round trip
 * before the next query of the transaction, or before the transaction or its savepoint ends.
 */
import { observeStatement, type PlainRow, type ReadError, type WriteError } from "@lectern/kernel"
import { Context, Effect, type Fiber } from "effect"
import type { SqlClient } from "effect/sql"
import { failWithStorageError } from "./classify.ts"
import type { Dialect } from "./Dialect.ts"
import type { ExecuteTogether } from "./SqlRecordsOptions.ts"

/** A statement that is executed later. */
export interface LaterWrite {
  readonly table: string
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
  /** Runs with its rows, after all statements of the round trip. */
  readonly use?: (rows: ReadonlyArray<PlainRow>) => Effect.Effect<void, WriteError>
}

/** The collected writes of the innermost transaction or savepoint of a fiber, in order. Undefined if it collects none. */
class LaterWrites extends Context.Service<LaterWrites, Array<LaterWrite> | undefined>()(
  "@lectern/storage-sql/LaterWrites"
) {}

/** Adds a write to the writes of the fiber's transaction. Returns false if it must be executed now. */
export const addLater = (fiber: Fiber.Fiber<unknown, unknown>, write: LaterWrite): boolean => {
  const writes = Context.getOrUndefined(fiber.context, LaterWrites)
  if (writes === undefined) return false
  writes.push(write)
  return true
}

/** Runs the body of a transaction that executes each write immediately. */
export const withoutLaterWrites = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(self, LaterWrites, undefined) as Effect.Effect<A, E, R>

/** Creates the functions of a store whose driver executes several statements in one round trip. */
export const makeLaterWrites = (
  dialect: Dialect,
  sql: SqlClient.SqlClient,
  executeTogether: ExecuteTogether,
  isObserved: boolean
) => {
  /** Fails with the error of a statement. No caller can handle a violated unique set or reference of a later one. */
  const withoutViolations = (failed: Effect.Effect<never, WriteError>): Effect.Effect<never, ReadError> =>
    Effect.catchTags(failed, { UniqueViolation: Effect.die, ReferenceViolation: Effect.die })

  /** Executes the collected statements, and uses their rows. */
  const send = (
    fiber: Fiber.Fiber<unknown, unknown>,
    writes: ReadonlyArray<LaterWrite>
  ): Effect.Effect<void, ReadError> => {
    const [connection] = Context.getUnsafe(fiber.context, sql.transactionService)
    let sent: Effect.Effect<ReadonlyArray<ReadonlyArray<PlainRow>>, ReadError> = Effect.catch(
      executeTogether(connection, writes),
      ({ error, index }) => withoutViolations(failWithStorageError(dialect, writes[index]!.table, error))
    )
    if (isObserved) for (const { text } of writes) sent = observeStatement(fiber, text, sent)
    return Effect.flatMap(sent, (results) =>
      Effect.forEach(
        writes,
        ({ use }, index) =>
          use === undefined
            ? Effect.void
            : Effect.catch(use(results[index]!), (error) => withoutViolations(Effect.fail(error))),
        { discard: true }
      )
    )
  }

  /** Executes the collected statements of the fiber's transaction, then the statements that their use adds, and then the effect. */
  const before = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | ReadError, R> =>
    Effect.withFiber((fiber) => {
      const writes = Context.getOrUndefined(fiber.context, LaterWrites)
      return writes === undefined || writes.length === 0
        ? self
        : Effect.andThen(send(fiber, writes.splice(0)), before(self))
    })

  /** Collects the writes of the body of a transaction or savepoint, and executes them at its end if it succeeds. */
  const during = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | ReadError, R> =>
    Effect.suspend(() =>
      Effect.provideService(
        Effect.flatMap(self, (value) => before(Effect.succeed(value))),
        LaterWrites,
        []
      )
    )

  return { before, during }
}
