/** The database of the tests: SQLite, or PostgreSQL if `LECTERN_TEST_STORE` is `postgres`. */
import { createTestDatabase } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { sqlite } from "@lectern/storage-sqlite"
import { Redacted } from "effect"
import { inject } from "vitest"

/** Creates an empty database. */
export const createTestStorage = async () =>
  process.env.LECTERN_TEST_STORE === "postgres"
    ? PgStorage.layer({ url: Redacted.make(await createTestDatabase(inject("postgres"))) })
    : sqlite(":memory:")
