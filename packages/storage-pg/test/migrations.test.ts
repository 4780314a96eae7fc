import { PgClient } from "@effect/sql-pg"
import { createDialect, dialect } from "@lectern/storage-pg"
import { describe } from "vitest"
import { migrationTests } from "../../storage-sql/test/support/migrating.ts"
import { createDatabase } from "./support.ts"

describe("migrations in PostgreSQL", () =>
  migrationTests(dialect, async () => PgClient.layer({ url: await createDatabase() })))

describe("migrations in a schema of PostgreSQL", () =>
  migrationTests(createDialect({ schema: "Lectern-1" }), async () =>
    PgClient.layer({ url: await createDatabase() })
  ))
