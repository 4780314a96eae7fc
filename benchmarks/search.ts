/**
 * Measures searches of 10,000 pages of real text (the documentation of installed packages), compared with a raw query
 * of the same index, and with searches of 1,000 pages. Only the ratios are comparable between machines. Run with
 * `npm run bench:search`.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import {
  Administration,
  Content,
  CurrentUser,
  type RecordsAdapter,
  Search,
  type SpaceId,
  Spaces,
  UserId,
  Workspace
} from "@lectern/core"
import { createTestDatabase, startPostgres } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer, Redacted } from "effect"
import { median } from "./processes.ts"

const largeSize = 10_000
const smallSize = 1_000
const rounds = 30
/** The number of rounds before measurement, so that caches and the JIT compiler are warm. */
const warmUpRounds = 40
const queries = [
  "configuration options",
  "error handling",
  "install",
  '"pull request"',
  "default value of the timeout",
  "stream",
  "unicode normaliz",
  "deprecated"
]

/** Returns Markdown documents of 0.4 to 4 kB, split between paragraphs. */
const readCorpus = (): ReadonlyArray<string> => {
  const texts: Array<string> = []
  const files = readdirSync("node_modules", { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md")
  )
  for (const file of files.sort()) {
    let text = ""
    for (const paragraph of readFileSync(join("node_modules", file), "utf8").split(/\n\n+/)) {
      if (paragraph.length > 4_000 || paragraph.startsWith("---")) continue
      text += `${paragraph}\n\n`
      if (text.length < 350) continue
      texts.push(text)
      text = ""
      if (texts.length === largeSize) return texts
    }
  }
  return texts
}

/** Creates a space with the first `count` documents of the corpus as pages. */
const createSpace = Effect.fnUntraced(function* (count: number) {
  const administration = yield* Administration
  const user = UserId.make(
    yield* administration.createUser({ input: { email: `bench${count}@example.com` } })
  )
  const organization = yield* administration.createOrganization({
    administrator: user,
    input: { title: "Measured" }
  })
  const space = yield* Effect.gen(function* () {
    const { id } = yield* (yield* Spaces).create({ organization, input: {} })
    const content = yield* Content
    for (let at = 0; at < count; at += 50) {
      const changes = corpus.slice(at, Math.min(at + 50, count)).map((markdown, index) => ({
        operation: "insert_page" as const,
        title: `Page ${at + index}`,
        document: { markdown }
      }))
      yield* content.edit({ content: { space: id }, input: { changes } })
    }
    return id
  }).pipe(CurrentUser.provide(user))
  return { space, user }
})

/** Measures the median time of all queries, in milliseconds, and returns the number of results of each. */
const measureSearch = Effect.fnUntraced(function* ({ space, user }: { space: SpaceId; user: UserId }) {
  const search = yield* Search
  const searchAll = Effect.forEach(queries, (query) =>
    search.searchSpace({ space, input: { query, limit: 20 } })
  ).pipe(CurrentUser.provide(user))
  const results = yield* searchAll
  for (let round = 0; round < warmUpRounds; round++) yield* searchAll
  const times: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    yield* searchAll
    times.push(performance.now() - started)
  }
  return { timeMs: median(times), counts: results.map(({ count }) => count) }
})

/** Measures the median time of raw queries for the 20 best pages, in milliseconds. */
const measureRawQueries = (file: string, space: string): number => {
  const database = new DatabaseSync(file, { readOnly: true })
  const statement = database.prepare(
    `SELECT n."page", bm25("searchPagesText", 0, 10, 1, 1) AS "score" FROM "searchPagesText"
     JOIN "searchPagesNumbers" n ON n."number" = "searchPagesText".rowid
     WHERE "searchPagesText" MATCH ? ORDER BY "score" LIMIT 20`
  )
  const ftsQueries = queries.map(
    (query) =>
      `space : "${space}" AND ${(query.match(/\w+/g) ?? [])
        .filter((word) => !["of", "the"].includes(word))
        .map((word) => `"${word.slice(0, 6)}" *`)
        .join(" AND ")}`
  )
  const times: Array<number> = []
  for (let round = -warmUpRounds; round < rounds; round++) {
    const started = performance.now()
    for (const query of ftsQueries) statement.all(query)
    if (round >= 0) times.push(performance.now() - started)
  }
  database.close()
  return median(times)
}

const measure = async (title: string, storage: Layer.Layer<RecordsAdapter, unknown>, file?: string) => {
  const started = performance.now()
  await Effect.runPromise(
    Effect.gen(function* () {
      const [large, small] = [yield* createSpace(corpus.length), yield* createSpace(smallSize)]
      const seconds = (performance.now() - started) / 1000
      console.log(
        `${title}: ${corpus.length + smallSize} pages written and indexed in ${seconds.toFixed(0)} s`
      )
      const [largeSearch, smallSearch] = [yield* measureSearch(large), yield* measureSearch(small)]
      const timePerQuery = (largeSearch.timeMs / queries.length).toFixed(2)
      console.log(
        `${title}: ${timePerQuery} ms per search of ${corpus.length} pages, with ${largeSearch.counts.join(", ")} results`
      )
      console.log(
        `${title}: ${(largeSearch.timeMs / smallSearch.timeMs).toFixed(2)} times the time for ${smallSize} pages; at most 3`
      )
      if (file !== undefined) {
        const rawTimeMs = measureRawQueries(file, large.space)
        console.log(
          `${title}: ${(rawTimeMs / largeSearch.timeMs).toFixed(2)} of the throughput of raw queries; at least 0.5`
        )
      }
    }).pipe(Effect.provide(Workspace.layer.pipe(Layer.provide(storage))))
  )
}

const corpus = readCorpus()
const folder = mkdtempSync(join(tmpdir(), "lectern-bench-"))
const postgres = await startPostgres([])
try {
  const file = join(folder, "search.db")
  await measure("SQLite", SqliteStorage.layer({ filename: file }), file)
  const url = await createTestDatabase(postgres.url)
  await measure("PostgreSQL", PgStorage.layer({ url: Redacted.make(url) }))
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
