/** A process that runs background jobs on a database until it is killed: `node jobsProcess.ts <file or url>`. */
import { converters } from "@lectern/converters"
import {
  BackgroundWork,
  Fetcher,
  GitPacks,
  ImportReader,
  JobLease,
  MarkdownEngine,
  type RecordsAdapter,
  SpecParser,
  Workspace
} from "@lectern/core"
import { nodeFetcher } from "@lectern/http"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer, Redacted } from "effect"

/** The lease of a job, in milliseconds: short, so that another process soon retries the jobs of a killed one. */
const leaseMillis = 1_500

const { gitPacks, importReader, markdownEngine, specParser } = converters()
const services = Layer.mergeAll(
  Layer.succeed(SpecParser, specParser),
  Layer.succeed(MarkdownEngine, markdownEngine),
  Layer.succeed(ImportReader, importReader),
  Layer.succeed(GitPacks, gitPacks),
  Layer.succeed(Fetcher, nodeFetcher({ allow: ["127.0.0.1"] })),
  Layer.succeed(JobLease, leaseMillis)
)

const database = process.argv[2]!
const storage: Layer.Layer<RecordsAdapter, unknown> = database.startsWith("postgres")
  ? PgStorage.layer({ url: Redacted.make(database) })
  : SqliteStorage.layer({ filename: database })
await Effect.runPromise(
  Effect.flatMap(BackgroundWork, ({ run }) => run).pipe(
    Effect.provide(Workspace.layer.pipe(Layer.provide(storage), Layer.provide(services)))
  )
)
