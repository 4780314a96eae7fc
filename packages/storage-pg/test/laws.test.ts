import { PgStorage } from "@lectern/storage-pg"
import { createTables } from "@lectern/storage-sql"
import { storageLaws } from "@lectern/testkit/laws"
import { Effect, Layer } from "effect"
import { database } from "./support.ts"

const url = database()

storageLaws("PostgreSQL", (tables) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => url),
      (url) => PgStorage.layer({ url, migrations: createTables(tables) })
    )
  )
)
