import { createTables } from "@lectern/storage-sql"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { describe, it } from "vitest"
import { sameAsMemory } from "../../storage-sql/test/support/sameAsMemory.ts"
import { tables } from "../../storage-sql/test/support/tables.ts"
import { withFile } from "./support/withFile.ts"

const migrations = createTables(tables)

describe("whatever is done, a store in SQLite does as the one in memory", () => {
  it("in a file", () =>
    withFile((filename) => sameAsMemory(SqliteStorage.layer({ filename, migrations }), 500)))
  it("in memory", () => sameAsMemory(SqliteStorage.layer({ filename: ":memory:", migrations }), 500))
})
