/** The stores on which the tests of the server run. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { RecordsAdapter } from "@lectern/core"
import { createTestDatabase } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { MemoryStorage } from "@lectern/testkit"
import { type Layer, Redacted } from "effect"
import { inject, onTestFinished } from "vitest"

/** Registers a cleanup that runs when a test or a test file has finished. */
export type OnFinished = (cleanUp: () => void) => void

/** Creates a folder that is removed when the test has finished, or when `onFinished` runs the cleanup. */
export const temporaryFolder = (onFinished: OnFinished = onTestFinished): string => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-"))
  onFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The in-memory store. */
export const memory: (typeof stores)[number] = {
  name: "memory",
  make: async () => MemoryStorage.layer()
}

/** The databases, each of which creates a new store per test. */
export const stores: ReadonlyArray<{
  readonly name: string
  /** Creates a store for one test. Required in hooks: `onFinished`. */
  readonly make: (onFinished?: OnFinished) => Promise<Layer.Layer<RecordsAdapter, unknown>>
}> = [
  {
    name: "SQLite",
    make: async (onFinished) =>
      SqliteStorage.layer({ filename: join(temporaryFolder(onFinished), "lectern.db") })
  },
  {
    name: "PostgreSQL",
    make: async () => PgStorage.layer({ url: Redacted.make(await createTestDatabase(inject("postgres"))) })
  }
]
