/** PGlite, the third SQL engine: the conformance suite, the migrations, and a workspace. */
import { PGlite } from "@electric-sql/pglite"
import { createWorkspace, type RecordsAdapter } from "@lectern/core"
import { variantShare } from "@lectern/harness"
import { PGliteStorage, pglite } from "@lectern/storage-pg/pglite"
import { createTables } from "@lectern/storage-sql"
import { storageConformance } from "@lectern/testkit/conformance"
import type { Layer } from "effect"
import { expect, it } from "vitest"

storageConformance(
  "PGlite",
  (tables): Layer.Layer<RecordsAdapter, unknown> =>
    PGliteStorage.layer({ dataDir: "memory://", migrations: createTables(tables) }),
  { caseShare: variantShare }
)

it("stores a workspace in the PGlite of a host, in a schema, and does not close it", async () => {
  const database = await PGlite.create("memory://")
  const workspace = createWorkspace({ storage: pglite({ database, schema: "lectern" }) })
  const created = await workspace.administration.bootstrap({
    input: { organization: "Acme", email: "ada@example.com" }
  })
  expect(created).toBeDefined()
  await workspace.dispose()
  const { rows } = await database.query(`SELECT "title" FROM lectern."organizations"`)
  expect(rows).toEqual([{ title: "Acme" }])
  await database.close()
})
