/** The stores on which the tests of the server run. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { RecordsAdapter } from "@lectern/core"
import { isFastRun } from "@lectern/harness"
import { createTestDatabase } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Layer, Redacted } from "effect"
import { inject, onTestFinished } from "vitest"

/** Registers a cleanup that runs when a test or a test file has finished. */
export type OnFinished = (cleanUp: () => void) => void

/** Creates a folder that is removed when the test has finished, or when `onFinished` runs the cleanup. */
export const temporaryFolder = (onFinished: OnFinished = onTestFinished): string => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-"))
  onFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Opens a store once, which creates its tables. */
const migrate = (storage: Layer.Layer<RecordsAdapter, unknown>): Promise<void> =>
  Effect.runPromise(Effect.scoped(Effect.asVoid(Layer.build(storage))))

/** Returns the result of the first call of `create` for all calls, in all test files of this process. */
const makeShared = <A>(create: () => Promise<A>): (() => Promise<A>) => {
  let created: Promise<A> | undefined
  return () => {
    created ??= create()
    return created
  }
}

// Copies of a database with all tables take a sixth of the time of the migrations.
const migratedDatabase = makeShared(async () => {
  const url = await createTestDatabase(inject("postgres"))
  await migrate(PgStorage.layer({ url: Redacted.make(url) }))
  return url
})

const migratedFile = makeShared(async () => {
  const filename = join(mkdtempSync(join(tmpdir(), "lectern-")), "lectern.db")
  await migrate(SqliteStorage.layer({ filename }))
  const bytes = readFileSync(filename)
  rmSync(dirname(filename), { recursive: true })
  return bytes
})

/** The in-memory store. */
export const memory: (typeof stores)[number] = {
  name: "memory",
  make: async () => MemoryStorage.layer()
}

/** The databases, each of which creates a new store per test, with all tables. */
export const stores: ReadonlyArray<{
  readonly name: string
  /** Creates a store for one test. Required in hooks: `onFinished`. */
  readonly make: (onFinished?: OnFinished) => Promise<Layer.Layer<RecordsAdapter, unknown>>
}> = [
  {
    name: "SQLite",
    make: async (onFinished) => {
      const filename = join(temporaryFolder(onFinished), "lectern.db")
      writeFileSync(filename, await migratedFile(), { mode: 0o600 })
      return SqliteStorage.layer({ filename })
    }
  },
  {
    name: "PostgreSQL",
    make: async () => {
      const url = await createTestDatabase(inject("postgres"), await migratedDatabase())
      return PgStorage.layer({ url: Redacted.make(url) })
    }
  }
]

/**
 * The stores of tests of business rules, which use nothing that differs between stores: all of them, or one in `npm test`. The
 * conformance suite and the scenarios prove that the stores are equal.
 */
export const ruleStores: ReadonlyArray<(typeof stores)[number]> = isFastRun ? [memory] : [memory, ...stores]

/** The databases of tests of business rules that need a database: all of them, or SQLite in `npm test`. */
export const ruleDatabases = isFastRun ? stores.slice(0, 1) : stores
