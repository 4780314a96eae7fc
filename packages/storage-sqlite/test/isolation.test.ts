import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createTables } from "@lectern/storage-sql"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { afterAll, describe } from "vitest"
import { isolationTests } from "../../storage-sql/test/support/isolating.ts"
import { tables } from "../../storage-sql/test/support/tables.ts"

const folder = mkdtempSync(join(tmpdir(), "lectern-sqlite-"))
afterAll(() => rmSync(folder, { recursive: true }))
const migrations = createTables(tables)
let files = 0

describe("fibers on a SQLite file", () =>
  isolationTests(async () => SqliteStorage.layer({ filename: join(folder, `${files++}.db`), migrations }), {
    readersWait: false
  }))

describe("fibers on SQLite in memory", () =>
  isolationTests(async () => SqliteStorage.layer({ filename: ":memory:", migrations }), {
    readersWait: true
  }))
