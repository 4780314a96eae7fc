import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { RecordsAdapter } from "@lectern/core"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { CoreApi, play, story, tellings } from "@lectern/testkit"
import { freshDatabase } from "@lectern/testkit/postgres"
import { type Layer, Redacted } from "effect"
import * as fc from "fast-check"
import { describe, inject, it } from "vitest"

const isWhatTheModelSays = async (storage: Layer.Layer<RecordsAdapter, unknown>, numRuns: number) => {
  const api = CoreApi.make(storage)
  let run = 0
  try {
    await fc.assert(
      fc.asyncProperty(story(40), (steps) => play(api, `story-${run++}`, steps, { lookers: 2 })),
      tellings(numRuns)
    )
  } finally {
    await api.close()
  }
}

describe("a workspace is what the model says, whatever its users do", () => {
  it("in a SQLite file", async () => {
    const folder = mkdtempSync(join(tmpdir(), "lectern-"))
    try {
      await isWhatTheModelSays(SqliteStorage.layer({ filename: join(folder, "lectern.db") }), 12)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
  it("in SQLite in memory", () => isWhatTheModelSays(SqliteStorage.layer({ filename: ":memory:" }), 20))
  it("in PostgreSQL", async () => {
    const url = Redacted.make(await freshDatabase(inject("postgres")))
    await isWhatTheModelSays(PgStorage.layer({ url }), 10)
  })
})
