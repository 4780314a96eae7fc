/**
 * Measures searching 10,000 pages of real text (the documentation of what is installed here), beside the bare query of
 * the same index, and beside searching 1,000 pages. Only the ratios mean anything. `npm run bench:search`.
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

const many = 10_000
const few = 1_000
const rounds = 30
/** Rounds before those that count: a server has searched before. */
const warmUps = 40
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

/** Stretches of markdown of 0.4 to 4 kB, cut between paragraphs. */
const texts = (): ReadonlyArray<string> => {
  const found: Array<string> = []
  const files = readdirSync("node_modules", { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md")
  )
  for (const file of files.sort()) {
    let text = ""
    for (const paragraph of readFileSync(join("node_modules", file), "utf8").split(/\n\n+/)) {
      if (paragraph.length > 4_000 || paragraph.startsWith("---")) continue
      text += `${paragraph}\n\n`
      if (text.length < 350) continue
      found.push(text)
      text = ""
      if (found.length === many) return found
    }
  }
  return found
}

const fill = Effect.fnUntraced(function* (count: number) {
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

const searched = Effect.fnUntraced(function* ({ space, user }: { space: SpaceId; user: UserId }) {
  const search = yield* Search
  const once = Effect.forEach(queries, (query) =>
    search.searchSpace({ space, input: { query, limit: 20 } })
  ).pipe(CurrentUser.provide(user))
  const found = yield* once
  for (let round = 0; round < warmUps; round++) yield* once
  const times: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const started = performance.now()
    yield* once
    times.push(performance.now() - started)
  }
  return { time: median(times), found: found.map(({ count }) => count) }
})

/** The bare query that answers as much: the best 20 by their scores, and how many there are. */
const bare = (file: string, space: string): number => {
  const database = new DatabaseSync(file, { readOnly: true })
  const statement = database.prepare(
    `SELECT n."page", bm25("searchPagesText", 0, 10, 1, 1) AS "score" FROM "searchPagesText"
     JOIN "searchPagesNumbers" n ON n."number" = "searchPagesText".rowid
     WHERE "searchPagesText" MATCH ? ORDER BY "score" LIMIT 20`
  )
  const asked = queries.map(
    (query) =>
      `space : "${space}" AND ${(query.match(/\w+/g) ?? [])
        .filter((word) => !["of", "the"].includes(word))
        .map((word) => `"${word.slice(0, 6)}" *`)
        .join(" AND ")}`
  )
  const times: Array<number> = []
  for (let round = -warmUps; round < rounds; round++) {
    const started = performance.now()
    for (const query of asked) statement.all(query)
    if (round >= 0) times.push(performance.now() - started)
  }
  database.close()
  return median(times)
}

const measure = async (title: string, storage: Layer.Layer<RecordsAdapter, unknown>, file?: string) => {
  const started = performance.now()
  await Effect.runPromise(
    Effect.gen(function* () {
      const [large, small] = [yield* fill(corpus.length), yield* fill(few)]
      const seconds = (performance.now() - started) / 1000
      console.log(`${title}: ${corpus.length + few} pages written and indexed in ${seconds.toFixed(0)} s`)
      const [ofMany, ofFew] = [yield* searched(large), yield* searched(small)]
      const each = (ofMany.time / queries.length).toFixed(2)
      console.log(
        `${title}: ${each} ms for a search of ${corpus.length} pages, ${ofMany.found.join(", ")} found`
      )
      console.log(
        `${title}: ${(ofMany.time / ofFew.time).toFixed(2)} times as long as of ${few} pages; at most 3`
      )
      if (file !== undefined) {
        console.log(
          `${title}: ${(bare(file, large.space) / ofMany.time).toFixed(2)} of the bare query; at least 0.5`
        )
      }
    }).pipe(Effect.provide(Workspace.layer.pipe(Layer.provide(storage))))
  )
}

const corpus = texts()
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
