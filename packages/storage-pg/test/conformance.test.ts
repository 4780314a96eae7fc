import { PgStorage } from "@lectern/storage-pg"
import { createTables } from "@lectern/storage-sql"
import { storageConformance } from "@lectern/testkit/conformance"
import { Effect, Layer } from "effect"
import { createDatabase } from "./support.ts"

const url = createDatabase()

storageConformance("PostgreSQL", (tables) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => url),
      (url) => PgStorage.layer({ url, migrations: createTables(tables) })
    )
  )
)
