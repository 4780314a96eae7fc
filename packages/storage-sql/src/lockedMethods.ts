/** The methods of an adapter that run locked transactions, with the reads that these begin with. */
import {
  type Lock,
  observeStatement,
  type PlainRow,
  type ReadError,
  type RecordsAdapter
} from "@lectern/kernel"
import { Context, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { type Locking, type makeAcquire, makeLockQueues } from "./locking.ts"
import { endReadAhead, makeReadAhead, type Read } from "./readAhead.ts"
import type { Execute, ExecuteTogether } from "./SqlRecordsOptions.ts"

/** The methods of an adapter with locks. */
export type LockedMethods = Pick<RecordsAdapter["Service"], "lockedTransaction" | "acquireLocks">

/** The parts of locked transactions. */
interface LockedParts {
  readonly sql: SqlClient.SqlClient
  readonly locking: Locking
  readonly acquire: ReturnType<typeof makeAcquire>
  readonly withTransaction: <A, E, R>(
    begin: string,
    self: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | ReadError, R>
  readonly isObserved: boolean
  /** Absent if the driver executes one statement per round trip: then nothing is read ahead. */
  readonly executeTogether: ExecuteTogether | undefined
}

type Rows = ReadonlyArray<PlainRow>

/** Creates the methods of an adapter with locks. */
export const makeLockedMethods = ({
  sql,
  locking,
  acquire,
  withTransaction,
  isObserved,
  executeTogether
}: LockedParts): LockedMethods => {
  const inQueues = makeLockQueues(locking.timeoutMs)
  const readAhead = makeReadAhead()

  /** Acquires the locks of a transaction, and executes reads in the same round trip, whose rows it returns. */
  const acquireAndRead = (
    together: ExecuteTogether,
    locks: ReadonlyArray<Lock>,
    reads: ReadonlyArray<Read>
  ): Effect.Effect<readonly [ReadonlySet<string>, ReadonlyArray<Rows>], ReadError> =>
    Effect.suspend(() => {
      let found: ReadonlyArray<Rows> = []
      const run: Execute = (text, parameters) =>
        Effect.withFiber((fiber) => {
          const [connection] = Context.getUnsafe(fiber.context, sql.transactionService)
          const statements = [{ text, parameters }, ...reads]
          const sent = Effect.mapBoth(together(connection, statements), {
            onSuccess: ([acquired, ...others]) => {
              found = others
              return acquired!
            },
            onFailure: ({ error }) => error
          })
          return isObserved
            ? statements.reduce((observed, one) => observeStatement(fiber, one.text, observed), sent)
            : sent
        })
      return Effect.map(acquire(locking, locks, run), (names) => [names, found] as const)
    })

  return {
    lockedTransaction: (locks, self, like) =>
      inQueues(
        locks,
        withTransaction(
          locking.begin,
          executeTogether === undefined || like === undefined
            ? Effect.flatMap(acquire(locking, locks), self)
            : readAhead(like, locks, (reads) => acquireAndRead(executeTogether, locks, reads), self)
        )
      ),
    acquireLocks: (locks) =>
      Effect.withFiber((fiber) => {
        endReadAhead(fiber)
        return acquire(locking, locks)
      })
  }
}
