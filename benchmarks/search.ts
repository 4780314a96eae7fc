/**
 * Measures searches of 10,000 pages of real text (the documentation of installed packages), compared with a bare FTS5 index
 * of the same words, with searches of 1,000 pages, and the indexing of pages with the insertion into a bare FTS5 index.
 * Prints the time of suggestions and the size of the index. Each kind of query is compared on its own, by the shortest of
 * rounds that alternate, as other programs only make rounds longer. Only the ratios are comparable between machines. Run
 * with `npm run bench:search`.
 */
// cspell:ignore asynchronus blorptang configuraton enviroment qzxvkw unfindable
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
  SearchIndex,
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
const warmUpRounds = 150

/** A page of the corpus. */
interface Page {
  readonly title: string
  readonly markdown: string
}

/** Returns pages of 0.4 to 4 kB of Markdown, split between paragraphs. The title is the last heading before a page. */
const readCorpus = (): ReadonlyArray<Page> => {
  const pages: Array<Page> = []
  const files = readdirSync("node_modules", { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md")
  )
  for (const file of files.sort()) {
    let [title, markdown] = [file.split("/")[0]!, ""]
    for (const paragraph of readFileSync(join("node_modules", file), "utf8").split(/\n\n+/)) {
      if (paragraph.length > 4_000 || paragraph.startsWith("---")) continue
      if (markdown === "") title = /^#+ +(.*\w.*)$/m.exec(paragraph)?.[1]?.slice(0, 60) ?? title
      markdown += `${paragraph}\n\n`
      if (markdown.length < 350) continue
      pages.push({ title, markdown })
      markdown = ""
      if (pages.length === largeSize) return pages
    }
  }
  return pages
}

const corpus = readCorpus()

/** The queries, by their kind. */
const queriesByKind: ReadonlyMap<string, ReadonlyArray<string>> = new Map([
  ["titles", [1, 3, 5, 7, 9].map((tenth) => corpus[Math.floor((corpus.length * tenth) / 10)]!.title)],
  ["one word", ["install", "stream", "deprecated", "callback", "certificate"]],
  ["several words", ["configuration options", "error handling", "default value of the timeout"]],
  ["phrases", ['"pull request"', '"environment variables"', '"command line"']],
  ["prefixes", ["strea", "unicode prop", "node vers"]],
  ["identifiers", ["fs.readFile", "JSON.stringify", "--dry-run", "NODE_ENV"]],
  ["typos", ["configuraton", "enviroment variable", "asynchronus iterator"]],
  ["no match", ["qzxvkw", "unfindable blorptang"]]
])

/** The kinds of which a bare index finds nothing, so that no throughput can be required. */
const unmatchedKinds: ReadonlySet<string> = new Set(["typos", "no match"])

const queries = [...queriesByKind.values()].flat()

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
      const changes = corpus.slice(at, Math.min(at + 50, count)).map(({ title, markdown }) => ({
        operation: "insert_page" as const,
        title,
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

/** A space, and a user who can read it. */
interface Searched {
  readonly space: SpaceId
  readonly user: UserId
}

/** Searches a space for the 20 best pages of each query, and returns their numbers. */
const searchAll = Effect.fnUntraced(function* (
  { space, user }: Searched,
  texts: ReadonlyArray<string>,
  options: { readonly prefix?: true } = {}
) {
  const search = yield* Search
  const results = yield* Effect.forEach(texts, (query) =>
    search.searchSpace({ space, input: { query, limit: 20, ...options } })
  ).pipe(CurrentUser.provide(user))
  return results.map(({ count }) => count)
})

/** Measures effects alternately, and returns the shortest time of each, in milliseconds. */
const measureAlternately = Effect.fnUntraced(function* <E, R>(
  effects: ReadonlyArray<Effect.Effect<unknown, E, R>>
) {
  const shortest = effects.map(() => Infinity)
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const [index, effect] of effects.entries()) {
      const started = performance.now()
      yield* effect
      if (round >= 0) shortest[index] = Math.min(shortest[index]!, performance.now() - started)
    }
  }
  return shortest
})

/** Words that are being typed, with the first character, the first three, or most of them. */
const typed = ["c", "con", "configura", "e", "err", "error handlin", "s", "str", "strea"]

/** Creates a bare FTS5 index of the same words, and returns the function that finds the 20 best pages of each query. */
const createBareIndex = (file: string, space: string): ((texts: ReadonlyArray<string>) => void) => {
  const database = new DatabaseSync(":memory:")
  database.exec(
    `ATTACH '${file}' AS source;
     CREATE VIRTUAL TABLE "words" USING fts5 ("space", "title", "body", "forms", tokenize = 'porter ascii', content = '');
     CREATE TABLE "numbers" ("number" INTEGER PRIMARY KEY, "space", "page", "part");
     INSERT INTO "numbers" ("space", "page", "part")
       SELECT "space", "page", "part" FROM source."searchParts" ORDER BY "space", "page", "part";
     INSERT INTO "words" (rowid, "space", "title", "body", "forms")
       SELECT n."number", s."space", s."title", s."headings" || ' ' || s."body", s."forms"
       FROM source."searchParts" s JOIN "numbers" n USING ("space", "page", "part")`
  )
  const statement = database.prepare(
    `SELECT n."page", bm25("words", 0, 10, 1, 1) AS "score" FROM "words"
     JOIN "numbers" n ON n."number" = "words".rowid WHERE "words" MATCH ? ORDER BY "score" LIMIT 20`
  )
  const ftsQueryOf = (query: string): string => {
    const words = query.match(/\w+/g) ?? []
    if (query.startsWith('"')) return `"${words.join(" ")}"`
    const significant = words.filter((word) => !["of", "the", "a", "to", "and", "in"].includes(word))
    return `${significant.map((word) => `"${word}"`).join(" AND ")} *`
  }
  return (texts) => {
    for (const query of texts) statement.all(`space : "${space}" AND ${ftsQueryOf(query)}`)
  }
}

/** Compares the searches of each kind of query with a bare index. */
const compareWithBareIndex = Effect.fnUntraced(function* (searched: Searched, file: string) {
  const searchBare = createBareIndex(file, searched.space)
  let [allMs, allBareMs] = [0, 0]
  console.log(
    "| kind | results | ms per search | ms per bare search | ratio |\n| --- | --- | --- | --- | --- |"
  )
  for (const [kind, texts] of queriesByKind) {
    const counts = yield* searchAll(searched, texts)
    const [timeMs = 0, bareMs = 0] = yield* measureAlternately([
      searchAll(searched, texts),
      Effect.sync(() => searchBare(texts))
    ])
    const [perSearch, perBareSearch] = [timeMs / texts.length, bareMs / texts.length]
    console.log(
      `| ${kind} | ${counts.join(", ")} | ${perSearch.toFixed(2)} | ${perBareSearch.toFixed(2)} | ${(bareMs / timeMs).toFixed(2)} |`
    )
    if (unmatchedKinds.has(kind)) continue
    allMs += timeMs
    allBareMs += bareMs
  }
  return allBareMs / allMs
})

/** Compares the CPU time of indexing the pages of a space with that of inserting them into a bare FTS5 index. */
const compareIndexing = Effect.fnUntraced(function* ({ space }: Searched, folder: string) {
  const index = yield* SearchIndex
  // The first run reads the stored outlines.
  yield* index.rebuild(space)
  const started = cpuTimeMs()
  const count = yield* index.rebuild(space)
  const timeMs = cpuTimeMs() - started
  const database = new DatabaseSync(join(folder, "bare.db"))
  const bareStarted = cpuTimeMs()
  database.exec(
    `PRAGMA journal_mode = WAL; BEGIN;
     CREATE VIRTUAL TABLE "words" USING fts5 ("title", "body", tokenize = 'porter unicode61', content = '')`
  )
  const insert = database.prepare(`INSERT INTO "words" ("title", "body") VALUES (?, ?)`)
  for (const { title, markdown } of corpus) insert.run(title, markdown)
  database.exec("COMMIT")
  const bareTimeMs = cpuTimeMs() - bareStarted
  database.close()
  return { perPageMs: timeMs / count, ratio: bareTimeMs / timeMs }
})

/** Prints the size of the index, and of the text that it covers. */
const printSize = (title: string, file: string): void => {
  const database = new DatabaseSync(file, { readOnly: true })
  const { indexed } = database
    .prepare(`SELECT SUM("pgsize") AS "indexed" FROM dbstat WHERE "name" LIKE '%search%'`)
    .get() as { readonly indexed: number }
  database.close()
  const textSize =
    corpus.reduce((sum, { markdown }) => sum + Buffer.byteLength(markdown), 0) *
    (1 + smallSize / corpus.length)
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1)
  console.log(
    `${title}: the index has ${megabytes(indexed)} MB for ${megabytes(textSize)} MB of Markdown: ${(indexed / textSize).toFixed(2)} times`
  )
}

const measure = async (
  title: string,
  storage: Layer.Layer<RecordsAdapter, unknown>,
  files?: { readonly folder: string; readonly file: string }
) => {
  const started = cpuTimeMs()
  await Effect.runPromise(
    Effect.gen(function* () {
      const [large, small] = [yield* createSpace(corpus.length), yield* createSpace(smallSize)]
      const seconds = (cpuTimeMs() - started) / 1000
      console.log(
        `${title}: ${corpus.length + smallSize} pages written and indexed in ${seconds.toFixed(1)} s of CPU time`
      )
      if (files !== undefined) {
        const searchRatio = yield* compareWithBareIndex(large, files.file)
        console.log(
          `${title}: ${searchRatio.toFixed(2)} of the throughput of a bare FTS5 index for queries that it finds; at least 0.5`
        )
        printSize(title, files.file)
      }
      const [largeMs = 0, smallMs = 0, typedMs = 0] = yield* measureAlternately([
        searchAll(large, queries),
        searchAll(small, queries),
        searchAll(large, typed, { prefix: true })
      ])
      console.log(
        `${title}: ${(largeMs / queries.length).toFixed(2)} ms per search of ${corpus.length} pages, ${(largeMs / smallMs).toFixed(2)} times the time for ${smallSize} pages; at most 3`
      )
      console.log(
        `${title}: ${(typedMs / typed.length).toFixed(2)} ms per suggestion in ${corpus.length} pages; at most 10`
      )
      if (files !== undefined) {
        const { perPageMs, ratio } = yield* compareIndexing(large, files.folder)
        console.log(
          `${title}: ${perPageMs.toFixed(2)} ms of CPU time per indexed page, ${ratio.toFixed(2)} of the throughput of insertion into a bare FTS5 index`
        )
      }
    }).pipe(Effect.provide(Workspace.layer.pipe(Layer.provide(storage))))
  )
}

const folder = mkdtempSync(join(tmpdir(), "lectern-bench-"))
const postgres = await startPostgres([])
try {
  const file = join(folder, "search.db")
  await measure("SQLite", SqliteStorage.layer({ filename: file }), { folder, file })
  const url = await createTestDatabase(postgres.url)
  await measure("PostgreSQL", PgStorage.layer({ url: Redacted.make(url) }))
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
