/**
 * Measures the background processing of a large OpenAPI document (1.7 MB, the public contract of the API), and the
 * delay of the event loop during it. Run with `npm run bench:specs`.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { specParser } from "@lectern/converters"
import {
  Administration,
  BackgroundWork,
  CurrentUser,
  OpenApiSpecs,
  SpecParser,
  UserId,
  Workspace
} from "@lectern/core"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer } from "effect"
import { median } from "./processes.ts"

const rounds = 10

const document = readFileSync(
  join(dirname(createRequire(import.meta.url).resolve("@gitbook/api")), "../spec/openapi.json"),
  "utf8"
)

const measureProcessing = Effect.gen(function* () {
  const administration = yield* Administration
  const user = UserId.make(yield* administration.createUser({ input: { email: "bench@example.com" } }))
  const organization = yield* administration.createOrganization({
    administrator: user,
    input: { title: "Measured" }
  })
  const specs = yield* OpenApiSpecs
  const { drain } = yield* BackgroundWork
  const seconds: Array<number> = []
  const delays: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const text = document.replace('"title":', `"x-round": ${round}, "title":`)
    yield* specs
      .createOrUpdate({ organization, slug: "contract", input: { source: { text } } })
      .pipe(CurrentUser.provide(user))
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const started = performance.now()
    yield* drain
    seconds.push((performance.now() - started) / 1000)
    delay.disable()
    delays.push(delay.max / 1e6)
  }
  return { seconds, delays }
})

const { seconds, delays } = await Effect.runPromise(
  Effect.provide(
    measureProcessing,
    Workspace.layer.pipe(
      Layer.provide(SqliteStorage.layer({ filename: ":memory:" })),
      Layer.provide(Layer.succeed(SpecParser, specParser()))
    )
  )
)
console.log(
  `A document of 1.7 MB is processed in ${median(seconds).toFixed(2)} s (first: ${seconds[0]!.toFixed(2)} s); at most 5 s`
)
console.log(
  `Event loop delay: ${median(delays).toFixed(0)} ms (maximum: ${Math.max(...delays).toFixed(0)} ms); at most 50 ms`
)
