/** Tests of Lectern in the database of a host: in a separate schema, over its own connections or the host's pool. */

import { PgClient } from "@effect/sql-pg"
import { createWorkspace, RecordsAdapter, StorageUnavailable, tables as workspaceTables } from "@lectern/core"
import { variantShare } from "@lectern/harness"
import { createDialect, PgStorage, postgres } from "@lectern/storage-pg"
import { createTables, TableNameConflict, verifySchema } from "@lectern/storage-sql"
import { storageConformance } from "@lectern/testkit/conformance"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { afterAll, describe, expect, it, onTestFinished } from "vitest"
import { testTwoWorkspaces, testWorkspace } from "../../storage-sql/test/support/embedding.ts"
import { folders, tables } from "../../storage-sql/test/support/tables.ts"
import { createDatabase, createHostDatabase } from "./support.ts"

/** Connections with this configuration find no table by an unqualified name. */
const emptySearchPath = { options: "-c search_path=nowhere" }

/** Creates a host's database, whose pool is closed when the test finishes. */
const openHostDatabase = async (...[config]: Parameters<typeof createHostDatabase>) => {
  const host = await createHostDatabase(config)
  onTestFinished(async () => {
    if (!host.pool.ended) await host.pool.end()
  })
  return host
}

describe("in a database with tables of a host", () => {
  const host = createHostDatabase(emptySearchPath)
  afterAll(async () => (await host).pool.end())
  const openStore = (
    config: (host: Awaited<ReturnType<typeof createHostDatabase>>) => Parameters<typeof postgres>[0]
  ) =>
    ((tables) =>
      Layer.unwrap(
        Effect.map(
          Effect.promise(() => host),
          (host) => {
            const options = config(host)
            if (typeof options === "string" || Redacted.isRedacted(options))
              throw new Error("The configuration must be an object.")
            return PgStorage.layer({ ...options, migrations: createTables(tables) })
          }
        )
      )) satisfies Parameters<typeof storageConformance>[1]

  storageConformance(
    "PostgreSQL in a schema",
    openStore(({ url }) => ({ url, schema: "lectern" })),
    { caseShare: variantShare }
  )
  storageConformance(
    "PostgreSQL in a schema over the host's pool",
    openStore(({ pool }) => ({ pool, schema: "lectern_pool" })),
    { caseShare: variantShare }
  )

  it("the conformance tests do not change the host's tables", async () => (await host).requireUntouched())

  it("the conformance tests return connections to the host's pool without settings, statements or listeners", async () => {
    const { pool } = await host
    expect(pool.idleCount).toBe(pool.totalCount)
    const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
    try {
      for (const client of clients) {
        expect((await client.query("SHOW search_path")).rows).toEqual([{ search_path: "nowhere" }])
        expect((await client.query("SHOW transaction_isolation")).rows).toEqual([
          { transaction_isolation: "read committed" }
        ])
        expect((await client.query("SELECT * FROM pg_prepared_statements")).rows).toEqual([])
        expect(client.listenerCount("error")).toBe(0)
      }
    } finally {
      for (const client of clients) client.release()
    }
  })
})

storageConformance(
  "PostgreSQL over a host's pool",
  (tables) =>
    Layer.unwrap(
      Effect.map(
        Effect.promise(async () => {
          const { pool } = await createHostDatabase({ options: "-c search_path=tests,public" })
          await pool.query("CREATE SCHEMA tests")
          afterAll(() => pool.end())
          return pool
        }),
        (pool) => PgStorage.layer({ pool, migrations: createTables(tables) })
      )
    ),
  { caseShare: variantShare }
)

describe("a workspace", () => {
  it.each(["url", "pool"] as const)("in a schema does not change the host's tables, by %s", async (by) => {
    const { url, pool, requireUntouched } = await openHostDatabase(emptySearchPath)
    await testWorkspace(postgres(by === "url" ? { url, schema: "lectern" } : { pool, schema: "lectern" }))
    await requireUntouched()
    // The host's pool is still open after the workspace was disposed of.
    expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }])
  })

  it("shares a pool with another workspace in another schema", async () => {
    const { pool, requireUntouched } = await openHostDatabase(emptySearchPath)
    await testTwoWorkspaces(postgres({ pool, schema: "one" }), postgres({ pool, schema: "two" }))
    await requireUntouched()
  })

  it("shares a database with another workspace in another schema", async () => {
    const { url, requireUntouched } = await openHostDatabase()
    await testTwoWorkspaces(postgres({ url, schema: "one" }), postgres({ url, schema: "two" }))
    await requireUntouched()
  })

  it("accepts a plain string, a redacted one, and a pool with one connection", async () => {
    await testWorkspace(postgres(Redacted.value(await createDatabase())))
    await testWorkspace(postgres(await createDatabase()))
    const { pool } = await openHostDatabase({ max: 1 })
    await testWorkspace(postgres({ pool, schema: "lectern" }))
  })

  it("does not depend on the type parsers of the host's pool", async () => {
    const { pool } = await openHostDatabase({
      ...emptySearchPath,
      types: { getTypeParser: () => () => "parsed by the host" }
    })
    await testWorkspace(postgres({ pool, schema: "lectern" }))
  })

  it("creates the tables that it declares, in its schema", async () => {
    const { url } = await openHostDatabase()
    await Effect.runPromise(Effect.scoped(Layer.build(postgres({ url, schema: "lectern" }))))
    const differences = verifySchema(createDialect({ schema: "lectern" }), workspaceTables)
    const client = PgClient.layer({ url: Redacted.make(url) })
    expect(await Effect.runPromise(Effect.provide(differences, client))).toEqual([])
  })

  it("uses an existing schema without the privilege to create schemas", async () => {
    const { url, pool } = await openHostDatabase()
    await pool.query("CREATE ROLE embedded LOGIN PASSWORD 'embedded'")
    await pool.query("CREATE SCHEMA lectern AUTHORIZATION embedded")
    const restricted = new URL(url)
    restricted.username = "embedded"
    restricted.password = "embedded"
    await testWorkspace(postgres({ url: restricted.toString(), schema: "lectern" }))
  })
})

describe("a name conflict", () => {
  it("fails at start with the names and the option in the message, without changes", async () => {
    const { url, pool } = await openHostDatabase()
    await pool.query(`DROP TABLE public."lecternMigrations"`)
    await pool.query(`CREATE TYPE public."teams" AS ENUM ('red', 'blue')`)
    const error = await Effect.runPromise(Effect.scoped(Effect.flip(Layer.build(postgres(url)))))
    expect(error).toBeInstanceOf(TableNameConflict)
    expect(error.message).toContain('table "users"')
    expect(error.message).toContain('type "teams"')
    expect(error.message).toContain('schema: "lectern"')
    expect(error).toMatchObject({
      names: expect.arrayContaining(["users", "spaces", "comments", "searchParts", "teams"])
    })
    expect((await pool.query(`SELECT to_regclass('public."lecternMigrations"') AS "table"`)).rows).toEqual([
      { table: null }
    ])
  })

  it("rejects the first call of a workspace with TableNameConflict", async () => {
    const { pool } = await openHostDatabase()
    await pool.query(`DROP TABLE public."lecternMigrations"`)
    const workspace = createWorkspace({ storage: postgres({ pool }) })
    onTestFinished(() => workspace.dispose())
    await expect(
      workspace.administration.createUser({ input: { email: "ada@example.com" } })
    ).rejects.toBeInstanceOf(TableNameConflict)
  })

  it.each(["", "1a", 'a"b', "pg_lectern", "information_schema", "x".repeat(64)])(
    "rejects the schema %j",
    (schema) => {
      expect(() => postgres({ url: "postgres://localhost/docs", schema })).toThrow(TypeError)
    }
  )
})

describe("a connection of the host's pool", () => {
  const openStore = async () => {
    const { pool } = await openHostDatabase({ max: 2 })
    const layer = PgStorage.layer({ pool, schema: "lectern", migrations: createTables(tables) })
    const run = <A, E>(effect: Effect.Effect<A, E, RecordsAdapter>) =>
      Effect.runPromise(Effect.provide(effect, layer))
    return { pool, run }
  }
  const folder = (id: string) => ({ id, parent: null, name: "" })

  it("is replaced if it is lost in a transaction, which fails with StorageUnavailable", async () => {
    const { pool, run } = await openStore()
    pool.on("error", () => {})
    await run(
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        const error = yield* store
          .transaction(
            Effect.andThen(
              store.insert(folders, [folder("1")]),
              Effect.promise(() =>
                pool.query(
                  "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
              )
            ).pipe(Effect.andThen(store.insert(folders, [folder("2")])))
          )
          .pipe(Effect.flip)
        expect(error).toBeInstanceOf(StorageUnavailable)
        expect(yield* store.count(folders, { op: "all" })).toBe(0)
        yield* store.insert(folders, [folder("3")])
      })
    )
  })

  it("is released if its transaction is interrupted at any point", async () => {
    const { pool, run } = await openStore()
    await run(
      Effect.gen(function* () {
        const store = yield* RecordsAdapter
        for (let round = 0; round < 40; round++) {
          const fiber = yield* Effect.forkChild(
            store.transaction(
              Effect.andThen(store.insert(folders, [folder(`${round}`)]), store.count(folders, { op: "all" }))
            )
          )
          const turns = round % 10
          yield* Effect.promise(async () => {
            for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setTimeout(resolve, 1))
          })
          yield* Fiber.interrupt(fiber)
        }
        const before = yield* store.count(folders, { op: "all" })
        yield* store.transaction(store.insert(folders, [folder("last")]))
        expect(yield* store.count(folders, { op: "all" })).toBe(before + 1)
      })
    )
    expect(pool.idleCount).toBe(pool.totalCount)
    expect(pool.waitingCount).toBe(0)
  })

  it("that the pool does not provide is StorageUnavailable", async () => {
    const { pool, run } = await openStore()
    await pool.end()
    const error = await run(Effect.flatMap(RecordsAdapter, Effect.succeed)).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(StorageUnavailable)
  })
})
