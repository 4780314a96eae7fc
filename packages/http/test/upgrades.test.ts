/** Databases of every released schema are upgraded, on both databases: nothing is lost, and derived data is rebuilt. */
import { readFileSync } from "node:fs"
import { DatabaseSync } from "node:sqlite"
import {
  BackgroundWork,
  Doctor,
  Jobs,
  RecordsAdapter,
  rebuildJobKind,
  rebuiltDataOf,
  SystemGrant,
  spaces
} from "@lectern/core"
import { createTestDatabase } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { migrations } from "@lectern/storage-sql"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { makeCoreApi } from "@lectern/testkit/model"
import { Effect, type Layer, Redacted, Stream } from "effect"
import pg from "pg"
import { describe, expect, inject, it } from "vitest"
import { runCommand } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import { extractOldDatabase, oldSchemas } from "./support/oldDatabases.ts"
import { startServer } from "./support.ts"

type Row = Record<string, unknown>

/** Returns the rows of the tables of a schema. Full-text tables are derived from others, and are not among them. */
const readTables = (filename: string): ReadonlyMap<string, ReadonlyArray<Row>> => {
  const database = new DatabaseSync(filename, { readOnly: true })
  try {
    const names = database
      .prepare(
        `SELECT "name" FROM sqlite_schema WHERE "type" = 'table' AND "name" NOT LIKE '%Text%' AND "name" NOT LIKE '%Numbers' AND "name" NOT LIKE '%Items' AND "name" NOT LIKE 'sqlite_%'`
      )
      .all()
      .map(({ name }) => String(name))
    return new Map(
      names.map((name) => [name, database.prepare(`SELECT * FROM "${name}"`).all() as Array<Row>])
    )
  } finally {
    database.close()
  }
}

/** Creates a PostgreSQL database with the schema and the rows of a SQLite database, as the old version would have. */
const copyToPostgres = async (schema: number, filename: string): Promise<string> => {
  const url = await createTestDatabase(inject("postgres"))
  const old = PgStorage.layer({ url: Redacted.make(url), migrations: migrations.slice(0, schema) })
  await Effect.runPromise(Effect.provide(Effect.asVoid(RecordsAdapter), old))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // Rows can refer to rows that are inserted later.
    await client.query("SET session_replication_role = replica")
    for (const [table, rows] of readTables(filename)) {
      if (table === "lecternMigrations") continue
      const { rows: columns } = await client.query<{ name: string; type: string }>(
        `SELECT column_name AS "name", data_type AS "type" FROM information_schema.columns WHERE table_name = $1 AND is_generated = 'NEVER' AND is_identity = 'NO'`,
        [table]
      )
      for (const row of rows) {
        const values = columns.map(({ name, type }) => {
          const value = row[name]
          if (type === "boolean" && value !== null) return value === 1
          return value instanceof Uint8Array ? Buffer.from(value) : value
        })
        const names = columns.map(({ name }) => `"${name}"`).join(", ")
        const places = values.map((_, index) => `$${index + 1}`).join(", ")
        await client.query(`INSERT INTO "${table}" (${names}) VALUES (${places})`, values)
      }
    }
  } finally {
    await client.end()
  }
  return url
}

const stores: ReadonlyArray<{
  readonly name: string
  readonly make: (schema: number, filename: string) => Promise<Layer.Layer<RecordsAdapter, unknown>>
}> = [
  { name: "SQLite", make: async (_, filename) => SqliteStorage.layer({ filename }) },
  {
    name: "PostgreSQL",
    make: async (schema, filename) =>
      PgStorage.layer({ url: Redacted.make(await copyToPostgres(schema, filename)) })
  }
]

const findings = Effect.gen(function* () {
  const { examine } = yield* Doctor
  const events = yield* Stream.runCollect(examine())
  return events.flatMap((event) => (event._tag === "Found" ? [event.finding] : []))
})

describe("a database of each released schema", () => {
  it("is stored as a file, except for the latest schema that no release has", () => {
    // The version of a schema is the count of its migrations.
    const released = migrations.slice(0, -1).map((_, index) => index + 1)
    // Migration 2 changed before it was released: no database has schema 2.
    expect(oldSchemas).toEqual(expect.arrayContaining(released.filter((schema) => schema !== 2)))
  })

  for (const { name, make } of stores) {
    for (const schema of oldSchemas) {
      it(`is upgraded from ${schema}, on ${name}: the doctor finds nothing, and clients read and write`, async () => {
        const filename = extractOldDatabase(schema, temporaryFolder())
        const before = readTables(filename)
        const storage = await make(schema, filename)
        const core = makeCoreApi(storage)
        try {
          const { titles, afterMigration, damage } = await core.runtime.runPromise(
            Effect.gen(function* () {
              const { records } = yield* SystemGrant.make("Reads the spaces of an upgraded database.")
              const found = yield* records.find(spaces, { select: ["title"] })
              const afterMigration = yield* findings
              yield* (yield* BackgroundWork).drain
              const damage = yield* findings
              return { titles: found.map(({ title }) => title).sort(), afterMigration, damage }
            })
          )
          expect(titles).toEqual(
            before
              .get("spaces")!
              .map((space) => space.title)
              .sort()
          )
          expect(titles).toContain("Manual")
          // Until the job has run, the doctor only reports that the index is incomplete.
          const isStale = migrations.slice(schema).some(({ makesStale = [] }) => makesStale.length > 0)
          expect(afterMigration.map(({ check }) => check).includes("job-rebuild")).toBe(isStale)
          expect(afterMigration.filter(({ severity }) => severity !== "notice")).toEqual([])
          expect(damage).toEqual([])
        } finally {
          await core.close()
        }
        const server = await startServer(storage)
        try {
          const token = "the-token-of-the-administrator-of-old-databases"
          const call = async (path: string, body?: unknown) => {
            const response = await fetch(`${server.url}/v1${path}`, {
              method: body === undefined ? "GET" : "POST",
              headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
              ...(body === undefined ? {} : { body: JSON.stringify(body) })
            })
            expect(response.ok, `${path}: ${response.status}`).toBe(true)
            return (await response.json()) as { readonly [field: string]: unknown }
          }
          const manual = before.get("spaces")!.find(({ title }) => title === "Manual")!
          if (schema >= 2) {
            const { items } = await call(`/spaces/${manual.id}/search?query=quixotic`)
            expect(items).toEqual([expect.objectContaining({ title: "Start" })])
            const { pages } = await call(`/spaces/${manual.id}/content/pages`)
            expect(pages).toMatchObject([{ title: "Start" }, { title: "Setup" }])
          }
          const page = {
            operation: "insert_page",
            title: "New",
            document: { markdown: "Perspicuous words." }
          }
          await call(`/spaces/${manual.id}/content`, { changes: [page] })
          const { items } = await call(`/spaces/${manual.id}/search?query=perspicuous`)
          expect(items).toEqual([expect.objectContaining({ title: "New" })])
        } finally {
          await server.close()
        }
      })
    }
  }
})

describe("migrations that make derived data stale", () => {
  it("name data that a feature rebuilds, after the table of jobs exists", async () => {
    const core = makeCoreApi(SqliteStorage.layer({ filename: ":memory:" }))
    try {
      const stale = migrations.flatMap(({ number, makesStale = [] }) =>
        makesStale.map((data) => ({ number, kind: rebuildJobKind(data) }))
      )
      expect(stale).not.toEqual([])
      for (const { number, kind } of stale) {
        expect(number).toBeGreaterThan(7)
        expect(rebuiltDataOf(kind)).toBeDefined()
        const handled = await core.runtime.runPromise(
          Effect.gen(function* () {
            yield* (yield* Jobs).enqueue(kind, null)
            yield* (yield* BackgroundWork).drain
            return (yield* (yield* Jobs).waiting).every((job) => job.kind !== kind)
          })
        )
        expect(handled, kind).toBe(true)
      }
    } finally {
      await core.close()
    }
  })

  it("enqueue nothing in a new database", async () => {
    const core = makeCoreApi(SqliteStorage.layer({ filename: ":memory:" }))
    const waiting = await core.runtime.runPromise(Effect.flatMap(Jobs, ({ waiting }) => waiting))
    expect(waiting.filter(({ kind }) => rebuiltDataOf(kind) !== undefined)).toEqual([])
    await core.close()
  })
})

describe("lectern migrate", () => {
  it("prints the status and the pending statements without changing the database", async () => {
    const filename = extractOldDatabase(4, temporaryFolder())
    const content = readFileSync(filename)
    const env = { LECTERN_DATABASE_URL: `sqlite:${filename}` }
    const status = await runCommand(["migrate", "status"], env)
    expect(status.output).toMatch(
      new RegExp(
        `^Schema version 4; this version of Lectern supports ${migrations.length}\\.\npending  5  sites\n`
      )
    )
    expect(status.output).toMatch(/^pending {2}8 {2}search {2}\(then rebuilds searchIndex\)$/m)
    expect(status.code).toBe(2)
    const dryRun = await runCommand(["migrate", "up", "--dry-run"], env)
    expect(dryRun.output).toMatch(/^ {2}CREATE TABLE "sites" .+;$/m)
    expect(dryRun.code).toBe(0)
    expect(readTables(filename).get("lecternMigrations")).toHaveLength(4)
    expect(readFileSync(filename).length).toBe(content.length)

    const up = await runCommand(["migrate", "up"], env)
    expect(up.errors).toMatch(/version 8 \(search\).+Background jobs rebuild searchIndex/)
    expect(up.output).toMatch(/is up to date\.\n$/)
    const after = await runCommand(["migrate", "status"], env)
    expect(after.output).toBe(
      `Schema version ${migrations.length}; this version of Lectern supports ${migrations.length}.\nrebuilding  searchIndex\n`
    )
    expect(after.code).toBe(0)
  })

  it.each(["auto", "pretty", "json"])(
    "writes its log to standard error, with the log format %s",
    async (format) => {
      const filename = extractOldDatabase(4, temporaryFolder())
      const env = { LECTERN_DATABASE_URL: `sqlite:${filename}`, LECTERN_LOG_FORMAT: format }
      const { code, output, errors } = await runCommand(["migrate"], env)
      expect(output).toBe(`The schema of sqlite:${filename} is up to date.\n`)
      expect(errors).toContain("version 8 (search)")
      expect(code).toBe(0)
    }
  )
})
