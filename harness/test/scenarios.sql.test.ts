import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { RecordsAdapter } from "@lectern/core"
import { createTestDatabase } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { makeCoreApi, runScenario, scenario, scenarioRuns } from "@lectern/testkit/model"
import { type Layer, Redacted } from "effect"
import * as fc from "fast-check"
import { describe, inject, it } from "vitest"

const conformsToModel = async (storage: Layer.Layer<RecordsAdapter, unknown>, numRuns: number) => {
  const api = makeCoreApi(storage)
  let run = 0
  try {
    await fc.assert(
      fc.asyncProperty(scenario(40), (steps) =>
        runScenario(api, `scenario-${run++}`, steps, { observers: 2 })
      ),
      scenarioRuns(numRuns)
    )
  } finally {
    await api.close()
  }
}

describe("a workspace conforms to the model in random scenarios", () => {
  it("on a SQLite file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lectern-"))
    try {
      await conformsToModel(SqliteStorage.layer({ filename: join(folder, "lectern.db") }), 12)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
  it("on SQLite in memory", () => conformsToModel(SqliteStorage.layer({ filename: ":memory:" }), 20))
  it("on PostgreSQL", async () => {
    const url = Redacted.make(await createTestDatabase(inject("postgres")))
    await conformsToModel(PgStorage.layer({ url }), 10)
  })
})
