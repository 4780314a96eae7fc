/** A process that does background work on a database until it is killed. `node jobsProcess.ts <file or url>`. */
import { BackgroundWork, JobLease, type RecordsAdapter, Workspace } from "@lectern/core"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer, Redacted } from "effect"

/** Short, so that what a killed process has left is soon taken by another. */
const leaseMillis = 1_500

const database = process.argv[2]!
const storage: Layer.Layer<RecordsAdapter, unknown> = database.startsWith("postgres")
  ? PgStorage.layer({ url: Redacted.make(database) })
  : SqliteStorage.layer({ filename: database })
await Effect.runPromise(
  Effect.flatMap(BackgroundWork, ({ forever }) => forever).pipe(
    Effect.provide(
      Workspace.layer.pipe(Layer.provide(storage), Layer.provide(Layer.succeed(JobLease, leaseMillis)))
    )
  )
)
