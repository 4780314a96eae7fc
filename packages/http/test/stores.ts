/** The databases that tests of the server run on. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { RecordsAdapter } from "@lectern/core"
import { freshDatabase } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { MemoryStorage } from "@lectern/testkit"
import { type Layer, Redacted } from "effect"
import { inject, onTestFinished } from "vitest"

/** A folder that is there until the test has finished. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The store in memory, which the others are compared with. */
export const memory: (typeof stores)[number] = {
  name: "memory",
  make: async () => MemoryStorage.layer()
}

/** A new store of each kind, for the test that asks for it. */
export const stores: ReadonlyArray<{
  readonly name: string
  readonly make: () => Promise<Layer.Layer<RecordsAdapter, unknown>>
}> = [
  {
    name: "SQLite",
    make: async () => SqliteStorage.layer({ filename: join(temporaryFolder(), "lectern.db") })
  },
  {
    name: "PostgreSQL",
    make: async () => PgStorage.layer({ url: Redacted.make(await freshDatabase(inject("postgres"))) })
  }
]
