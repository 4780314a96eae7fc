/**
 * Writes of a transaction whose results are unused. They are collected, and sent in one round trip before the next query
 * of the transaction, or before the transaction or its savepoint ends.
 */
import { observeStatement, type ReadError } from "@lectern/kernel"
import { Context, Effect, type Fiber } from "effect"
import type { SqlClient } from "effect/sql"
import { failWithStorageError } from "./classify.ts"
import type { Dialect } from "./Dialect.ts"
import type { ExecuteTogether } from "./SqlRecordsOptions.ts"

/** A write that is executed later. */
export interface LaterWrite {
  readonly table: string
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
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
  /** Executes the collected writes. No caller can handle a violated unique set or reference. */
  const send = (
    fiber: Fiber.Fiber<unknown, unknown>,
    writes: ReadonlyArray<LaterWrite>
  ): Effect.Effect<void, ReadError> => {
    const [connection] = Context.getUnsafe(fiber.context, sql.transactionService)
    let sent: Effect.Effect<void, ReadError> = Effect.catch(
      executeTogether(connection, writes),
      ({ error, index }) =>
        Effect.catchTags(failWithStorageError(dialect, writes[index]!.table, error), {
          UniqueViolation: Effect.die,
          ReferenceViolation: Effect.die
        })
    )
    if (isObserved) for (const { text } of writes) sent = observeStatement(fiber, text, sent)
    return sent
  }

  /** Executes the collected writes of the fiber's transaction, and then the effect. */
  const before = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | ReadError, R> =>
    Effect.withFiber((fiber) => {
      const writes = Context.getOrUndefined(fiber.context, LaterWrites)
      return writes === undefined || writes.length === 0
        ? self
        : Effect.andThen(send(fiber, writes.splice(0)), self)
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
