/**
 * Serves a PostgreSQL database with every command in a `SERIALIZABLE` transaction, as before commands declared locks. The
 * arguments are the URL of the database and the port. `writers.ts` compares it with the server.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { RecordsAdapter, Workspace } from "@lectern/core"
import { serve } from "@lectern/http"
import { PgStorage } from "@lectern/storage-pg"
import { Effect, Layer, Redacted } from "effect"

const [database = "", port] = process.argv.slice(2)

const withoutLocks = Layer.effect(
  RecordsAdapter,
  Effect.map(RecordsAdapter, ({ lockedTransaction: _, ...adapter }) => RecordsAdapter.of(adapter))
).pipe(Layer.provide(PgStorage.layer({ url: Redacted.make(database) })))

NodeRuntime.runMain(
  Effect.scoped(Effect.andThen(serve({ port: Number(port) }), Effect.never)).pipe(
    Effect.provide(Workspace.layer.pipe(Layer.provide(withoutLocks)))
  )
)
