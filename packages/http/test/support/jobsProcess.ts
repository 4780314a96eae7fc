/** A process that does background work on a PostgreSQL database until it is killed. `node jobsProcess.ts <url>`. */
import { BackgroundWork, JobLease, Workspace } from "@lectern/core"
import { PgStorage } from "@lectern/storage-pg"
import { Effect, Layer, Redacted } from "effect"

/** Short, so that what a killed process has left is soon taken by another. */
const leaseMillis = 1_500

const url = Redacted.make(process.argv[2]!)
await Effect.runPromise(
  Effect.flatMap(BackgroundWork, ({ forever }) => forever).pipe(
    Effect.provide(
      Workspace.layer.pipe(
        Layer.provide(PgStorage.layer({ url })),
        Layer.provide(Layer.succeed(JobLease, leaseMillis))
      )
    )
  )
)
