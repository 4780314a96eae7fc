import { PgStorage } from "@lectern/storage-pg"
import { createTables } from "@lectern/storage-sql"
import { describe } from "vitest"
import { isolationTests } from "../../storage-sql/test/support/isolating.ts"
import { tables } from "../../storage-sql/test/support/tables.ts"
import { database } from "./support.ts"

describe("fibers on PostgreSQL", () =>
  isolationTests(async () => PgStorage.layer({ url: await database(), migrations: createTables(tables) }), {
    readersWait: false
  }))
