/**
 * Measures content: what a space of 10,000 pages costs beside one of 100, and a list of all pages beside a bare
 * server that sends the same bytes from memory. Only the ratios mean anything. `npm run bench:content`.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  Administration,
  ApiTokens,
  ChangeRequests,
  Content,
  CurrentUser,
  RecordsAdapter,
  Spaces,
  UserId,
  Workspace
} from "@lectern/core"
import { createTestDatabase, startPostgres } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { besideBare, median, stopAll } from "./processes.ts"

const rounds = 60
const seconds = 4
/** How many pages a space has, and how many such spaces are measured: the shape of each is left to chance. */
const sizes = [
  { size: 100, count: 8 },
  { size: 10_000, count: 3 }
] as const

/** The bytes that were put into the store, as content. */
let written = 0

const measuring = (storage: Layer.Layer<RecordsAdapter, unknown>): Layer.Layer<RecordsAdapter, unknown> =>
  Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter) =>
      RecordsAdapter.of({
        ...adapter,
        insertMissing: (table, rows) => {
          for (const { bytes } of rows) if (bytes instanceof Uint8Array) written += bytes.length
          return adapter.insertMissing(table, rows)
        }
      })
    )
  ).pipe(Layer.provide(storage))

/** Text as pages have it: about two kilobytes. */
const textOf = (seed: string) =>
  Array.from({ length: 30 }, (_, line) => `Line ${line} of ${seed}: ${"words and words ".repeat(3)}`).join(
    "\n\n"
  )

interface Filled {
  readonly space: string
  /** The ids of the pages that have a body, in no order. */
  readonly pages: ReadonlyArray<string>
}

const open = async (storage: Layer.Layer<RecordsAdapter, unknown>) => {
  const runtime = ManagedRuntime.make(Workspace.layer.pipe(Layer.provide(measuring(storage))))
  const setUp = await runtime.runPromise(
    Effect.gen(function* () {
      const administration = yield* Administration
      const user = yield* administration.createUser({ input: { email: "bench@example.com" } })
      const organization = yield* administration.createOrganization({
        administrator: user,
        input: { title: "Measured" }
      })
      const { secret } = yield* (yield* ApiTokens).create({
        input: { user: UserId.make(user), label: "Bench" }
      })
      return { user: UserId.make(user), organization, token: Redacted.value(secret) }
    })
  )
  const run = <A, E>(effect: Effect.Effect<A, E, CurrentUser | Content | ChangeRequests | Spaces>) =>
    runtime.runPromise(CurrentUser.provide(setUp.user)(effect))
  return { ...setUp, run, close: () => runtime.dispose() }
}

type Opened = Awaited<ReturnType<typeof open>>

/** A space of sections with pages: as many sections as each has pages. */
const fill = ({ run, organization }: Opened, size: number): Promise<Filled> =>
  run(
    Effect.gen(function* () {
      const content = yield* Content
      const { id: space } = yield* (yield* Spaces).create({ organization, input: {} })
      const width = Math.round(Math.sqrt(size))
      const pages: Array<string> = []
      const insert = Effect.fnUntraced(function* (titles: ReadonlyArray<string>, into?: string) {
        const made: Array<string> = []
        for (let from = 0; from < titles.length; from += 50) {
          const changes = titles.slice(from, from + 50).map((title) => ({
            operation: "insert_page" as const,
            title,
            ...(into === undefined ? {} : { into }),
            document: { markdown: textOf(title) }
          }))
          const edited = yield* content.edit({ content: { space }, input: { changes } })
          for (const { page } of edited.changes) if (typeof page !== "string") made.push(page.id)
        }
        return made
      })
      const titles = (of: string, count: number) => Array.from({ length: count }, (_, i) => `${of} ${i}`)
      for (const section of yield* insert(titles("Section", width))) {
        pages.push(...(yield* insert(titles(`Page of ${section}`, width - 1), section)))
      }
      return { space, pages }
    })
  )

/** The time of something in milliseconds, and the bytes that it wrote: the medians of many rounds. */
const cost = async (times: number, round: (index: number) => Promise<unknown>) => {
  const [millis, bytes]: [Array<number>, Array<number>] = [[], []]
  for (let i = 0; i < times; i++) {
    written = 0
    const started = performance.now()
    await round(i)
    millis.push(performance.now() - started)
    bytes.push(written)
  }
  return { millis: median(millis), bytes: median(bytes) }
}

type Cost = Awaited<ReturnType<typeof cost>>

const say = (title: string, [small, large]: ReadonlyArray<Cost>, limit: number) =>
  console.log(
    `${title}: ${(large!.millis / small!.millis).toFixed(2)} in time ` +
      `(${small!.millis.toFixed(2)} ms of 100 pages), ` +
      (small!.bytes === 0 ? `${large!.bytes}` : (large!.bytes / small!.bytes).toFixed(2)) +
      ` in bytes written (${small!.bytes} of 100 pages); at most ${limit}`
  )

const update = (page: string, text: string) => ({
  operation: "update_page" as const,
  page,
  document: { markdown: textOf(text) }
})

const compareSizes = async (title: string, storage: Layer.Layer<RecordsAdapter, unknown>): Promise<void> => {
  const opened = await open(storage)
  const { run } = opened
  const filled: Array<ReadonlyArray<Filled>> = []
  for (const { size, count } of sizes) {
    const spaces: Array<Filled> = []
    for (let i = 0; i < count; i++) spaces.push(await fill(opened, size))
    filled.push(spaces)
  }

  /** The cost in spaces of each size: in turns, once to warm up, then for good. */
  const each = async (measure: (of: Filled, name: string) => Promise<Cost>) => {
    const costs: Array<Cost> = []
    for (const name of ["warm", "measured"]) {
      costs.length = 0
      for (const spaces of filled) {
        const found: Array<Cost> = []
        for (const of of spaces) found.push(await measure(of, name))
        costs.push({
          millis: median(found.map(({ millis }) => millis)),
          bytes: Math.round(found.reduce((sum, { bytes }) => sum + bytes, 0) / found.length)
        })
      }
    }
    return costs
  }
  const nth = ({ pages }: Filled, index: number) => pages[(index * 7919) % pages.length]!

  say(
    `${title}, edit a page`,
    await each((of, name) =>
      cost(rounds, (i) =>
        run(
          Effect.flatMap(Content, (content) =>
            content.edit({
              content: { space: of.space },
              input: { changes: [update(nth(of, i), `${name} ${i}`)] }
            })
          )
        )
      )
    ),
    1.5
  )
  say(
    `${title}, read a page`,
    await each((of) =>
      cost(rounds * 10, (i) =>
        run(
          Effect.flatMap(Content, (content) =>
            content.getPage({
              content: { space: of.space },
              page: nth(of, i % 20),
              input: { format: "markdown" }
            })
          )
        )
      )
    ),
    1.5
  )

  /** Ten pages changed in a change request, ten others in the space: then the merge, which alone is measured. */
  const merge = (of: Filled, name: string) => {
    const ready: Array<string> = []
    const prepare = (round: number) =>
      run(
        Effect.gen(function* () {
          const content = yield* Content
          const { id } = yield* (yield* ChangeRequests).create({ space: of.space, input: {} })
          const changes = (from: number) =>
            Array.from({ length: 10 }, (_, i) =>
              update(of.pages[(from + i) % of.pages.length]!, `${name} ${round}`)
            )
          yield* content.edit({
            content: { space: of.space, changeRequest: id },
            input: { changes: changes(0) }
          })
          yield* content.edit({ content: { space: of.space }, input: { changes: changes(20) } })
          ready.push(id)
        })
      )
    return (async () => {
      const costs: Array<Cost> = []
      for (let round = 0; round < 10; round++) {
        await prepare(round)
        costs.push(
          await cost(1, () =>
            run(
              Effect.flatMap(ChangeRequests, (requests) =>
                Effect.map(requests.merge({ space: of.space, changeRequest: ready.at(-1)! }), (merged) => {
                  if (merged.result !== "merge") throw new Error("The merge has conflicts.")
                })
              )
            )
          )
        )
      }
      return {
        millis: median(costs.map(({ millis }) => millis)),
        bytes: median(costs.map(({ bytes }) => bytes))
      }
    })()
  }
  say(`${title}, merge 10 changed pages`, await each(merge), 5)

  say(
    `${title}, duplicate a space`,
    await each((of) =>
      cost(10, () => run(Effect.flatMap(Spaces, (spaces) => spaces.duplicate({ space: of.space }))))
    ),
    1.5
  )
  await opened.close()
}

const listAll = async (title: string, database: string, storage: Layer.Layer<RecordsAdapter, unknown>) => {
  const opened = await open(storage)
  const { space } = await fill(opened, 10_000)
  await opened.close()
  const path = `/v1/spaces/${space}/content/pages`
  const { ratio, size } = await besideBare(
    database,
    path,
    opened.token,
    join(folder, `${title}.json`),
    seconds
  )
  console.log(
    `${title}, list 10,000 pages (${(size / 1e6).toFixed(1)} MB): ${ratio.toFixed(2)} of a bare server; at least 0.6`
  )
}

const folder = mkdtempSync(join(tmpdir(), "lectern-bench-"))
const postgres = await startPostgres([])
try {
  const fileOf = (name: string) => join(folder, name)
  const postgresOf = (url: string) => PgStorage.layer({ url: Redacted.make(url) })
  await compareSizes("SQLite", SqliteStorage.layer({ filename: fileOf("sizes.db") }))
  await compareSizes("PostgreSQL", postgresOf(await createTestDatabase(postgres.url)))
  const file = fileOf("list.db")
  await listAll("SQLite", `sqlite:${file}`, SqliteStorage.layer({ filename: file }))
  const url = await createTestDatabase(postgres.url)
  await listAll("PostgreSQL", url, postgresOf(url))
} finally {
  stopAll()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
