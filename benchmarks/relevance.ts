/**
 * Measures how well search ranks the right pages, on real documentation and queries with known right pages, compared with plain
 * FTS5, PostgreSQL `tsvector` and minisearch. Prints the half of the queries for tuning and the held-out half. Run with
 * `npm run bench:relevance`; `-- --memory` measures the memory store only, and `-- --misses` also lists the queries
 * whose right page is not first.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { createTestDatabase, startPostgres } from "@lectern/harness/postgres"
import {
  type Corpus,
  type Outcome,
  readCorpora,
  relevanceByKind,
  relevanceOf,
  runQueries,
  type SearchCorpus,
  searchCorpora
} from "@lectern/harness/relevance"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { MemoryStorage } from "@lectern/testkit"
import { Redacted } from "effect"
import MiniSearch from "minisearch"
import pg from "pg"

const corpora = readCorpora()
const isMemoryOnly = process.argv.includes("--memory")
const printsMisses = process.argv.includes("--misses")

const bodyOf = ({ description, markdown }: Corpus["pages"][number]): string => `${description}\n${markdown}`

/** Searches FTS5 tables with stemming, the title weighted with 10. All words must match. */
const makeFts5Search = (): SearchCorpus => {
  const database = new DatabaseSync(":memory:")
  for (const { name, pages } of corpora) {
    database.exec(
      `CREATE VIRTUAL TABLE "${name}" USING fts5 (id UNINDEXED, title, body, tokenize = 'porter unicode61')`
    )
    const insert = database.prepare(`INSERT INTO "${name}" VALUES (?, ?, ?)`)
    for (const page of pages) insert.run(page.id, page.title, bodyOf(page))
  }
  return async (corpus, query) => {
    const words = query.match(/[\p{L}\p{N}]+/gu) ?? []
    const rows = database
      .prepare(
        `SELECT id FROM "${corpus}" WHERE "${corpus}" MATCH ? ORDER BY bm25("${corpus}", 0, 10, 1) LIMIT 10`
      )
      .all(words.map((word) => `"${word}"`).join(" "))
    return rows.map(({ id }) => String(id))
  }
}

/** Searches with minisearch: prefixes, fuzzy matches within a fifth of the length, the title weighted with 3. */
const makeMinisearch = (): SearchCorpus => {
  const indexes = new Map(
    corpora.map(({ name, pages }) => {
      const index = new MiniSearch({ fields: ["title", "body"] })
      index.addAll(pages.map((page) => ({ id: page.id, title: page.title, body: bodyOf(page) })))
      return [name, index] as const
    })
  )
  return async (corpus, query) =>
    indexes
      .get(corpus)!
      .search(query, { boost: { title: 3 }, fuzzy: 0.2, prefix: true })
      .slice(0, 10)
      .map(({ id }) => String(id))
}

/** Searches `tsvector` columns with the English configuration, the title with weight A and the body with D. */
const withTsvectorSearch = async <A>(url: string, use: (search: SearchCorpus) => Promise<A>): Promise<A> => {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query("CREATE TABLE documents (corpus text, id text, words tsvector)")
    for (const { name, pages } of corpora) {
      for (const page of pages) {
        await client.query(
          `INSERT INTO documents VALUES ($1, $2, setweight(to_tsvector('english', $3), 'A') ||
           setweight(to_tsvector('english', $4), 'D'))`,
          [name, page.id, page.title, bodyOf(page)]
        )
      }
    }
    return await use(async (corpus, query) => {
      const { rows } = await client.query<{ id: string }>(
        `SELECT id FROM documents, plainto_tsquery('english', $2) AS query WHERE corpus = $1 AND words @@ query
         ORDER BY ts_rank(words, query) DESC LIMIT 10`,
        [corpus, query]
      )
      return rows.map(({ id }) => id)
    })
  } finally {
    await client.end()
  }
}

const row = (engine: string, half: string, kind: string, outcomes: ReadonlyArray<Outcome>): string => {
  const { queries, hitAt1, hitAt5, meanReciprocalRank, empty } = relevanceOf(outcomes)
  const shares = [hitAt1, hitAt5, meanReciprocalRank, empty].map((share) => share.toFixed(3))
  return `| ${[engine, half, kind, queries, ...shares].join(" | ")} |`
}

const report = async (engine: string, search: SearchCorpus) => {
  const outcomes = await runQueries(corpora, search)
  for (const isHeldOut of [false, true]) {
    const half = outcomes.filter((outcome) => outcome.isHeldOut === isHeldOut)
    const name = isHeldOut ? "held-out" : "tuning"
    console.log(row(engine, name, "all", half))
    if (!engine.startsWith("Lectern")) continue
    for (const kind of relevanceByKind(half).keys()) {
      console.log(
        row(
          engine,
          name,
          kind,
          half.filter((outcome) => outcome.kind === kind)
        )
      )
    }
    // The held-out half is not for tuning, so its misses are not listed.
    if (!printsMisses || isHeldOut) continue
    for (const { corpus, kind, query, rank, resultCount, expected } of half) {
      if (rank !== 1) {
        console.log(
          `  ${corpus} ${kind} "${query}": rank ${rank} of ${resultCount}, ${[...expected].join(", ")}`
        )
      }
    }
  }
}

console.log(
  "| engine | half | kind | queries | hit@1 | hit@5 | MRR | empty |\n| --- | --- | --- | --- | --- | --- | --- | --- |"
)
await searchCorpora(MemoryStorage.layer(), corpora, (search) => report("Lectern, memory", search))
if (!isMemoryOnly) {
  const folder = mkdtempSync(join(tmpdir(), "lectern-relevance-"))
  const postgres = await startPostgres([])
  try {
    await report("FTS5", makeFts5Search())
    await report("minisearch", makeMinisearch())
    await withTsvectorSearch(await createTestDatabase(postgres.url), (search) => report("tsvector", search))
    const sqlite = SqliteStorage.layer({ filename: join(folder, "relevance.db") })
    await searchCorpora(sqlite, corpora, (search) => report("Lectern, SQLite", search))
    const url = Redacted.make(await createTestDatabase(postgres.url))
    await searchCorpora(PgStorage.layer({ url }), corpora, (search) => report("Lectern, PostgreSQL", search))
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
