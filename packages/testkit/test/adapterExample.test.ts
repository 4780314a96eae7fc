import { variantShare } from "@lectern/harness"
import { createTestDatabase } from "@lectern/harness/postgres"
import { createTables } from "@lectern/storage-sql"
import { storageConformance } from "@lectern/testkit/conformance"
import { Effect, Layer } from "effect"
import { inject } from "vitest"
import { exampleStorage } from "./adapterExample.ts"

const url = createTestDatabase(inject("postgres"))

storageConformance(
  "the adapter of the README",
  (tables) =>
    Layer.unwrap(
      Effect.map(
        Effect.promise(() => url),
        (url) => exampleStorage(url, createTables(tables))
      )
    ),
  { caseShare: variantShare }
)
