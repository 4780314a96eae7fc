import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createTables } from "@lectern/storage-sql"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { storageConformance } from "@lectern/testkit/conformance"
import { afterAll } from "vitest"

const folder = mkdtempSync(join(tmpdir(), "lectern-sqlite-"))
afterAll(() => rmSync(folder, { recursive: true }))

storageConformance("SQLite in a file", (tables) =>
  SqliteStorage.layer({ filename: join(folder, "conformance.db"), migrations: createTables(tables) })
)
storageConformance("SQLite in memory", (tables) =>
  SqliteStorage.layer({ filename: ":memory:", migrations: createTables(tables) })
)
