/** The connection of the open transaction, for statements of a host: see `RecordsAdapter.hostConnection`. */
import type { RecordsAdapter } from "@lectern/kernel"
import { Context, Effect } from "effect"
import type { SqlClient } from "effect/sql"
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
