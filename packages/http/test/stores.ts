/** The databases that tests of the server run on. */
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

/** Registers what is to be done when a test, or a file of tests, has finished. */
export type OnFinished = (cleanUp: () => void) => void

/** Creates a folder that is removed when the test has finished, or when another registration says so. */
export const temporaryFolder = (onFinished: OnFinished = onTestFinished): string => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-"))
  onFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The store in memory, which the others are compared with. */
export const memory: (typeof stores)[number] = {
  name: "memory",
  make: async () => MemoryStorage.layer()
}

/** A new store of each kind, for the test that requests it. */
export const stores: ReadonlyArray<{
  readonly name: string
  /** Makes a store for one test; in a hook, `onFinished` has to be given. */
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
