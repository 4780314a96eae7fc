/**
 * Measures searches of 10,000 pages of real text (the documentation of installed packages), compared with a bare FTS5 index
 * of the same words, and with searches of 1,000 pages, and prints the time of suggestions and the size of the index. The
 * shortest of all rounds is compared, as other programs only make rounds longer. Only the ratios are comparable between
 * machines. Run with `npm run bench:search`.
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

const largeSize = 10_000
const smallSize = 1_000
const rounds = 100
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

/** Returns the CPU time of this process, in milliseconds. */
const cpuTimeMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Measures the shortest time of all queries, in milliseconds, and returns the number of results of each. */
const measureSearch = Effect.fnUntraced(function* (
  { space, user }: { space: SpaceId; user: UserId },
  texts: ReadonlyArray<string> = queries,
  options: { readonly prefix?: true } = {}
) {
  const search = yield* Search
  const searchAll = Effect.forEach(texts, (query) =>
    search.searchSpace({ space, input: { query, limit: 20, ...options } })
  ).pipe(CurrentUser.provide(user))
  const results = yield* searchAll
  for (let round = 0; round < warmUpRounds; round++) yield* searchAll
  const times: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    yield* searchAll
    times.push(performance.now() - started)
  }
  return { timeMs: Math.min(...times), counts: results.map(({ count }) => count) }
})

/** Words that are being typed, with the first character, the first three, or most of them. */
const typed = ["c", "con", "configura", "e", "err", "error handlin", "s", "str", "strea"]

/**
 * Creates a bare FTS5 index of the same words, and measures the shortest time of queries for the 20 best pages, in
 * milliseconds.
 */
const measureBareIndex = (file: string, space: string): number => {
  const database = new DatabaseSync(":memory:")
  database.exec(
    `ATTACH '${file}' AS source;
     CREATE VIRTUAL TABLE "words" USING fts5 ("space", "title", "body", "forms", tokenize = 'ascii', content = '');
     CREATE TABLE "numbers" ("number" INTEGER PRIMARY KEY, "space", "page", "part");
     INSERT INTO "numbers" ("space", "page", "part")
       SELECT "space", "page", "part" FROM source."searchPages" ORDER BY "space", "page", "part";
     INSERT INTO "words" (rowid, "space", "title", "body", "forms")
       SELECT n."number", s."space", s."title", s."headings" || ' ' || s."body", s."forms"
       FROM source."searchPages" s JOIN "numbers" n USING ("space", "page", "part")`
  )
  const statement = database.prepare(
    `SELECT n."page", bm25("words", 0, 10, 1, 1) AS "score" FROM "words"
     JOIN "numbers" n ON n."number" = "words".rowid WHERE "words" MATCH ? ORDER BY "score" LIMIT 20`
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
  return Math.min(...times)
}

/** Prints the size of the index, and of the text that it covers. */
const printSize = (title: string, file: string): void => {
  const database = new DatabaseSync(file, { readOnly: true })
  const { indexed } = database
    .prepare(`SELECT SUM("pgsize") AS "indexed" FROM dbstat WHERE "name" LIKE '%search%'`)
    .get() as { readonly indexed: number }
  database.close()
  const textSize =
    corpus.reduce((sum, text) => sum + Buffer.byteLength(text), 0) * (1 + smallSize / corpus.length)
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
  console.log(
    `${title}: the index has ${megabytes(indexed)} MB for ${megabytes(textSize)} MB of Markdown: ${(indexed / textSize).toFixed(2)} times`
  )
}

const measure = async (title: string, storage: Layer.Layer<RecordsAdapter, unknown>, file?: string) => {
  const started = cpuTimeMs()
  await Effect.runPromise(
    Effect.gen(function* () {
      const [large, small] = [yield* createSpace(corpus.length), yield* createSpace(smallSize)]
      const seconds = (cpuTimeMs() - started) / 1000
      console.log(
        `${title}: ${corpus.length + smallSize} pages written and indexed in ${seconds.toFixed(1)} s of CPU time`
      )
      const [largeSearch, smallSearch] = [yield* measureSearch(large), yield* measureSearch(small)]
      const timePerQuery = (largeSearch.timeMs / queries.length).toFixed(2)
      console.log(
        `${title}: ${timePerQuery} ms per search of ${corpus.length} pages, with ${largeSearch.counts.join(", ")} results`
      )
      console.log(
        `${title}: ${(largeSearch.timeMs / smallSearch.timeMs).toFixed(2)} times the time for ${smallSize} pages; at most 3`
      )
      const suggestions = yield* measureSearch(large, typed, { prefix: true })
      console.log(
        `${title}: ${(suggestions.timeMs / typed.length).toFixed(2)} ms per suggestion in ${corpus.length} pages; at most 10`
      )
      if (file !== undefined) {
        const bareTimeMs = measureBareIndex(file, large.space)
        console.log(
          `${title}: ${(bareTimeMs / largeSearch.timeMs).toFixed(2)} of the throughput of a bare FTS5 index; at least 0.5`
        )
        printSize(title, file)
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
