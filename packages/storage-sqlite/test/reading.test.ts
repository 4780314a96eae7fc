import { RecordsAdapter } from "@lectern/core"
import { createTables } from "@lectern/storage-sql"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { folders, tables } from "../../storage-sql/test/support/tables.ts"
import { withFile } from "./support/withFile.ts"

// Reads in the same tick of the event loop share a transaction, which a write by any store of the process must end.
it("a store reads the writes of another store of the process on the same file immediately", () =>
  withFile((filename) =>
    Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const openStore = Layer.build(
            Layer.fresh(SqliteStorage.layer({ filename, migrations: createTables(tables) }))
          )
          const stores = [yield* openStore, yield* openStore]
          const count = (index: number) =>
            Effect.provide(
              Effect.flatMap(RecordsAdapter, (store) => store.count(folders, { op: "all" })),
              stores[index]!
            )
          for (let i = 0; i < 10; i++) {
            expect(yield* count(0)).toBe(i)
            expect(yield* count(1)).toBe(i)
            const insert = Effect.flatMap(RecordsAdapter, (store) =>
              store.insert(folders, [{ id: `${i}`, parent: null, name: "" }])
            )
            yield* Effect.provide(insert, stores[i % 2]!)
          }
        })
      )
    )
  ))
