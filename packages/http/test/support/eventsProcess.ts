/**
 * A process that commits changes, or delivers webhooks, on a database until it is killed:
 * `node eventsProcess.ts <write|work> <file or url> <organization> <user>`.
 */
import { setTimeout } from "node:timers/promises"
import {
  BackgroundWork,
  CurrentUser,
  Fetcher,
  OrganizationId,
  type RecordsAdapter,
  Spaces,
  UserId,
  WebhookTimes,
  Workspace
} from "@lectern/core"
import { nodeFetcher } from "@lectern/http"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"

const [, , role, database, organization, user] = process.argv as [
  string,
  string,
  string,
  string,
  string,
  string
]
const storage: Layer.Layer<RecordsAdapter, unknown> = database.startsWith("postgres")
  ? PgStorage.layer({ url: Redacted.make(database) })
  : SqliteStorage.layer({ filename: database })

/** Short times, so that another process soon retries the deliveries of a killed one. */
const times = { timeoutMs: 2_000, leaseMs: 2_500, firstRetryMs: 100, retryForMs: 24 * 60 * 60 * 1_000 }

const runtime = ManagedRuntime.make(
  Workspace.layer.pipe(
    Layer.provide(storage),
    Layer.provide(Layer.succeed(Fetcher, nodeFetcher({ allow: ["127.0.0.1"] }))),
    Layer.provide(Layer.succeed(WebhookTimes, times))
  )
)

/** Renames a space, with ascending numbers. */
const write = Effect.gen(function* () {
  const spaces = yield* Spaces
  const create = spaces.create({ organization: OrganizationId.make(organization) })
  const mine = (yield* create).id
  for (let number = 0; ; number++) {
    yield* spaces.update({ space: mine, input: { title: String(number) } })
    yield* Effect.promise(() => setTimeout(number % 3))
  }
}).pipe(CurrentUser.provide(UserId.make(user)))

await runtime.runPromise(role === "write" ? write : Effect.flatMap(BackgroundWork, ({ run }) => run))
