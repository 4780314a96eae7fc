/**
 * Measures content: operations on a space of 10,000 pages compared with one of 100, and listing all pages compared with
 * a static server that sends the same bytes from memory. Only the ratios are comparable between machines. Run with
 * `npm run bench:content`.
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
import { compareWithStaticServer, median, stopAll } from "./processes.ts"

const rounds = 60
const seconds = 4
/**
 * The sizes of spaces, in pages, and the number of spaces of each size. The shape of the tree varies between spaces.
 */
const sizes = [
  { size: 100, count: 8 },
  { size: 10_000, count: 3 }
] as const

/** The number of content bytes written to the store since the last reset. */
let writtenBytes = 0

/** Returns a store that adds the sizes of inserted blobs to {@link writtenBytes}. */
const countWrittenBytes = (
  storage: Layer.Layer<RecordsAdapter, unknown>
): Layer.Layer<RecordsAdapter, unknown> =>
  Layer.effect(
    RecordsAdapter,
    Effect.map(RecordsAdapter, (adapter) =>
      RecordsAdapter.of({
        ...adapter,
        insertMissing: (table, rows) => {
          for (const { bytes } of rows) if (bytes instanceof Uint8Array) writtenBytes += bytes.length
          return adapter.insertMissing(table, rows)
        }
      })
    )
  ).pipe(Layer.provide(storage))

/** Returns about two kilobytes of Markdown. */
const textOf = (seed: string) =>
  Array.from({ length: 30 }, (_, line) => `Line ${line} of ${seed}: ${"words and words ".repeat(3)}`).join(
    "\n\n"
  )

/** A space with pages. */
interface FilledSpace {
  readonly space: string
  /** The ids of the pages with a body, in no particular order. */
  readonly pages: ReadonlyArray<string>
}

const openWorkspace = async (storage: Layer.Layer<RecordsAdapter, unknown>) => {
  const runtime = ManagedRuntime.make(Workspace.layer.pipe(Layer.provide(countWrittenBytes(storage))))
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

type OpenWorkspace = Awaited<ReturnType<typeof openWorkspace>>

/** Creates a space of `size` pages in √size sections. */
const createSpace = ({ run, organization }: OpenWorkspace, size: number): Promise<FilledSpace> =>
  run(
    Effect.gen(function* () {
      const content = yield* Content
      const { id: space } = yield* (yield* Spaces).create({ organization, input: {} })
      const width = Math.round(Math.sqrt(size))
      const pages: Array<string> = []
      const insert = Effect.fnUntraced(function* (titles: ReadonlyArray<string>, into?: string) {
        const created: Array<string> = []
        for (let from = 0; from < titles.length; from += 50) {
          const changes = titles.slice(from, from + 50).map((title) => ({
            operation: "insert_page" as const,
            title,
            ...(into === undefined ? {} : { into }),
            document: { markdown: textOf(title) }
          }))
          const edited = yield* content.edit({ content: { space }, input: { changes } })
          for (const { page } of edited.changes) if (typeof page !== "string") created.push(page.id)
        }
        return created
      })
      const titles = (prefix: string, count: number) =>
        Array.from({ length: count }, (_, i) => `${prefix} ${i}`)
      for (const section of yield* insert(titles("Section", width))) {
        pages.push(...(yield* insert(titles(`Page of ${section}`, width - 1), section)))
      }
      return { space, pages }
    })
  )

/** Measures the median time of an operation in milliseconds, and the median number of bytes that it writes. */
const measureCost = async (rounds: number, operation: (round: number) => Promise<unknown>) => {
  const [times, bytes]: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round < rounds; round++) {
    writtenBytes = 0
    const started = performance.now()
    await operation(round)
    times.push(performance.now() - started)
    bytes.push(writtenBytes)
  }
  return { timeMs: median(times), bytes: median(bytes) }
}

type Cost = Awaited<ReturnType<typeof measureCost>>

const printRatios = (title: string, [small, large]: ReadonlyArray<Cost>, limit: number) =>
  console.log(
    `${title}: time ratio ${(large!.timeMs / small!.timeMs).toFixed(2)} ` +
      `(${small!.timeMs.toFixed(2)} ms with 100 pages), ` +
      (small!.bytes === 0
        ? `${large!.bytes} bytes written (0 with 100 pages)`
        : `ratio of bytes written ${(large!.bytes / small!.bytes).toFixed(2)} (${small!.bytes} with 100 pages)`) +
      `; at most ${limit}`
  )

const update = (page: string, text: string) => ({
  operation: "update_page" as const,
  page,
  document: { markdown: textOf(text) }
})

const compareSizes = async (title: string, storage: Layer.Layer<RecordsAdapter, unknown>): Promise<void> => {
  const workspace = await openWorkspace(storage)
  const { run } = workspace
  const spacesBySize: Array<ReadonlyArray<FilledSpace>> = []
  for (const { size, count } of sizes) {
    const spaces: Array<FilledSpace> = []
    for (let i = 0; i < count; i++) spaces.push(await createSpace(workspace, size))
    spacesBySize.push(spaces)
  }

  /** Measures the cost in the spaces of each size, alternating between sizes, after a warm-up. */
  const measureSizes = async (measure: (filled: FilledSpace, name: string) => Promise<Cost>) => {
    const costs: Array<Cost> = []
    for (const name of ["warm-up", "measured"]) {
      costs.length = 0
      for (const spaces of spacesBySize) {
        const measured: Array<Cost> = []
        for (const filled of spaces) measured.push(await measure(filled, name))
        costs.push({
          timeMs: median(measured.map(({ timeMs }) => timeMs)),
          bytes: Math.round(measured.reduce((sum, { bytes }) => sum + bytes, 0) / measured.length)
        })
      }
    }
    return costs
  }
  const pageAt = ({ pages }: FilledSpace, index: number) => pages[(index * 7919) % pages.length]!

  printRatios(
    `${title}, edit a page`,
    await measureSizes((filled, name) =>
      measureCost(rounds, (i) =>
        run(
          Effect.flatMap(Content, (content) =>
            content.edit({
              content: { space: filled.space },
              input: { changes: [update(pageAt(filled, i), `${name} ${i}`)] }
            })
          )
        )
      )
    ),
    1.5
  )
  printRatios(
    `${title}, read a page`,
    await measureSizes((filled) =>
      measureCost(rounds * 10, (i) =>
        run(
          Effect.flatMap(Content, (content) =>
            content.getPage({
              content: { space: filled.space },
              page: pageAt(filled, i % 20),
              input: { format: "markdown" }
            })
          )
        )
      )
    ),
    1.5
  )

  /** Measures merges of change requests that change ten pages, after ten other pages changed in the space. */
  const measureMerge = (filled: FilledSpace, name: string) => {
    const ready: Array<string> = []
    const prepare = (round: number) =>
      run(
        Effect.gen(function* () {
          const content = yield* Content
          const { id } = yield* (yield* ChangeRequests).create({ space: filled.space, input: {} })
          const changes = (from: number) =>
            Array.from({ length: 10 }, (_, i) =>
              update(filled.pages[(from + i) % filled.pages.length]!, `${name} ${round}`)
            )
          yield* content.edit({
            content: { space: filled.space, changeRequest: id },
            input: { changes: changes(0) }
          })
          yield* content.edit({ content: { space: filled.space }, input: { changes: changes(20) } })
          ready.push(id)
        })
      )
    return (async () => {
      const costs: Array<Cost> = []
      for (let round = 0; round < 10; round++) {
        await prepare(round)
        costs.push(
          await measureCost(1, () =>
            run(
              Effect.flatMap(ChangeRequests, (requests) =>
                Effect.map(
                  requests.merge({ space: filled.space, changeRequest: ready.at(-1)! }),
                  (merged) => {
                    if (merged.result !== "merge") throw new Error("The merge has conflicts.")
                  }
                )
              )
            )
          )
        )
      }
      return {
        timeMs: median(costs.map(({ timeMs }) => timeMs)),
        bytes: median(costs.map(({ bytes }) => bytes))
      }
    })()
  }
  printRatios(`${title}, merge 10 changed pages`, await measureSizes(measureMerge), 5)

  printRatios(
    `${title}, duplicate a space`,
    await measureSizes((filled) =>
      measureCost(10, () =>
        run(Effect.flatMap(Spaces, (spaces) => spaces.duplicate({ space: filled.space })))
      )
    ),
    1.5
  )
  await workspace.close()
}

const measureList = async (
  title: string,
  database: string,
  storage: Layer.Layer<RecordsAdapter, unknown>
) => {
  const workspace = await openWorkspace(storage)
  const { space } = await createSpace(workspace, 10_000)
  await workspace.close()
  const path = `/v1/spaces/${space}/content/pages`
  const { ratio, size } = await compareWithStaticServer(
    database,
    path,
    workspace.token,
    join(folder, `${title}.json`),
    seconds
  )
  console.log(
    `${title}, list 10,000 pages (${(size / 1e6).toFixed(1)} MB): ${ratio.toFixed(2)} of the throughput of a static server; at least 0.6`
  )
}

const folder = mkdtempSync(join(tmpdir(), "lectern-bench-"))
const postgres = await startPostgres([])
try {
  const pathOf = (name: string) => join(folder, name)
  const postgresStorage = (url: string) => PgStorage.layer({ url: Redacted.make(url) })
  await compareSizes("SQLite", SqliteStorage.layer({ filename: pathOf("sizes.db") }))
  await compareSizes("PostgreSQL", postgresStorage(await createTestDatabase(postgres.url)))
  const file = pathOf("list.db")
  await measureList("SQLite", `sqlite:${file}`, SqliteStorage.layer({ filename: file }))
  const url = await createTestDatabase(postgres.url)
  await measureList("PostgreSQL", url, postgresStorage(url))
} finally {
  stopAll()
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
