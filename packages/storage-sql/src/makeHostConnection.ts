/** Transactions that Lectern and a host share: see `RecordsAdapter.hostConnection` and `joinTransaction`. */
import type { ReadError, RecordsAdapter } from "@lectern/kernel"
import { Context, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { failWithStorageError } from "./classify.ts"
import type { Dialect } from "./Dialect.ts"
import type { SqlRecordsOptions } from "./SqlRecordsOptions.ts"

/** Returns the connection of the transaction of a fiber as a part of the adapter, if the driver can share it. */
export const makeHostConnection = (
  sql: SqlClient.SqlClient,
  hostConnection: SqlRecordsOptions["hostConnection"]
): Pick<RecordsAdapter["Service"], "hostConnection"> =>
  hostConnection === undefined
    ? {}
    : {
        hostConnection: Effect.withFiber((fiber) =>
          Effect.succeed(hostConnection(Context.getUnsafe(fiber.context, sql.transactionService)[0]))
        )
      }

/** Returns the method that joins transactions of a host, if the driver can. `inSavepoint` runs an effect as a transaction. */
export const makeJoinTransaction = (
  dialect: Dialect,
  joinTransaction: SqlRecordsOptions["joinTransaction"],
  inSavepoint: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E | ReadError, R>
): Pick<RecordsAdapter["Service"], "joinTransaction"> =>
  joinTransaction === undefined
    ? {}
    : {
        joinTransaction: (transaction) =>
          joinTransaction(transaction).pipe(
            Effect.map((join) => ({
              savepoint: <A, E, R>(self: Effect.Effect<A, E, R>) => join(inSavepoint(self))
            })),
            Effect.catch(
              (error) => failWithStorageError(dialect, "", error) as Effect.Effect<never, ReadError>
            )
          )
      }
