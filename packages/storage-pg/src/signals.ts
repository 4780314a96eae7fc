/** Signals between processes by `LISTEN` and `NOTIFY`. */
import { randomUUID } from "node:crypto"
import { PgConnection } from "@effect/sql-pg"
import type { Signals } from "@lectern/kernel"
import { Effect, Queue, type Redacted, Schedule } from "effect"
import type { SqlClient } from "effect/sql"

/** The channel of all workspaces of a database. The payload of a signal begins with the schema of its workspace. */
const channel = "lectern_jobs"

/** How long to wait before the connection that listens is replaced, after it is lost. */
const reconnectDelay = "2 seconds"

/** Identifies the signals of a kind. */
interface Topic {
  /** The payload of the signals that this process sends. */
  readonly payload: string
  /** Whether a payload is that of a signal that this process receives. */
  readonly receives: (payload: string) => boolean
}

/**
 * Returns the signals of the workspace in a schema. `listenUrl` names the server itself, because poolers in transaction
 * mode do not support `LISTEN`. Only subscribers open the connection that listens. The schema contains no space.
 */
export const makeSignals = (
  listenUrl: Redacted.Redacted<string>,
  schema: string
): ((sql: SqlClient.SqlClient) => Signals) => {
  const jobs = makeTopic(listenUrl, { payload: schema, receives: (payload) => payload === schema })
  const prefix = `${schema} events `
  const own = prefix + randomUUID()
  const events = makeTopic(listenUrl, {
    payload: own,
    receives: (payload) => payload.startsWith(prefix) && payload !== own
  })
  return (sql) => ({ ...jobs(sql), events: events(sql) })
}

const makeTopic =
  (listenUrl: Redacted.Redacted<string>, topic: Topic) =>
  (sql: SqlClient.SqlClient): Pick<Signals, "send" | "subscribe"> => {
    const listen = (onSignal: () => void) =>
      Effect.scoped(
        Effect.gen(function* () {
          const connection = yield* PgConnection.make({
            url: listenUrl,
            applicationName: "lectern (listen)",
            keepAlive: "10 seconds"
          })
          const notifications = yield* connection.listen(channel)
          // Signals that were sent while no connection listened are lost.
          onSignal()
          for (;;) {
            const { payload } = yield* Queue.take(notifications)
            if (topic.receives(payload)) onSignal()
          }
        })
      )

    let isSending = false
    let isPending = false
    // Not in the transaction: `NOTIFY` makes commits wait for each other. Signals during a notification share the next.
    const notify: Effect.Effect<void> = Effect.suspend(() => {
      if (isSending) {
        isPending = true
        return Effect.void
      }
      isSending = true
      return Effect.ignore(sql.unsafe("SELECT pg_notify($1, $2)", [channel, topic.payload])).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            isSending = false
          })
        ),
        Effect.andThen(
          Effect.suspend(() => {
            if (!isPending) return Effect.void
            isPending = false
            return notify
          })
        )
      )
    })

    return {
      send: sql.afterCommit(Effect.asVoid(Effect.forkDetach(notify))),
      subscribe: (onSignal) =>
        listen(onSignal).pipe(
          Effect.tapCause((cause) =>
            Effect.logWarning(
              "The connection that listens for jobs was lost. Workers poll until then.",
              cause
            )
          ),
          Effect.retry(Schedule.spaced(reconnectDelay)),
          Effect.ignore,
          Effect.forkScoped,
          Effect.asVoid
        )
    }
  }
