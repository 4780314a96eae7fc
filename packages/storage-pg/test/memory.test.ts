import { PgStorage } from "@lectern/storage-pg"
import { createTables } from "@lectern/storage-sql"
import { describe, it } from "vitest"
import { sameAsMemory } from "../../storage-sql/test/support/sameAsMemory.ts"
import { tables } from "../../storage-sql/test/support/tables.ts"
import { database } from "./support.ts"

describe("whatever is done, a store in PostgreSQL does as the one in memory", () => {
  it("in a database", async () =>
    sameAsMemory(PgStorage.layer({ url: await database(), migrations: createTables(tables) }), 150))
})
