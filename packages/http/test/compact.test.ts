/** `lectern compact`: it deletes unreachable content, reports progress, and shrinks a SQLite file. */
import { randomBytes } from "node:crypto"
import { statSync } from "node:fs"
import { join } from "node:path"
import {
  Blobs,
  blobs,
  Content,
  OnSweepProgress,
  Records,
  RecordsAdapter,
  type SweepProgress,
  Workspace
} from "@lectern/core"
import { makeMovableClock } from "@lectern/harness"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Clock, Effect, Layer } from "effect"
import { expect, it } from "vitest"
import { runCommand } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"

/** Stores blobs that no revision reaches, at a time in the past. */
const storeGarbage = (filename: string, count: number): Promise<void> =>
  Effect.runPromise(
    Effect.flatMap(Blobs, (store) =>
      store.put(Array.from({ length: count }, () => new Uint8Array(randomBytes(4096))))
    ).pipe(
      Effect.provideService(Clock.Clock, makeMovableClock().clock),
      Effect.provide(Blobs.layer.pipe(Layer.provide(Records.layer))),
      Effect.provide(SqliteStorage.layer(filename)),
      Effect.asVoid
    )
  )

it("deletes unreachable blobs, and returns their space with --vacuum", async () => {
  const filename = join(temporaryFolder(), "lectern.db")
  await storeGarbage(filename, 300)
  const before = statSync(filename).size
  const { code, output, errors } = await runCommand([
    "compact",
    "--vacuum",
    "--database-url",
    `sqlite:${filename}`
  ])
  expect([code, errors]).toEqual([0, ""])
  expect(output).toContain("Deleted 300 unreachable blobs.")
  expect(statSync(filename).size).toBeLessThan(before / 2)
  const rows = await Effect.runPromise(
    Effect.provide(
      Effect.flatMap(RecordsAdapter, (adapter) => adapter.count(blobs, { op: "all" })),
      SqliteStorage.layer(filename)
    )
  )
  expect(rows).toBe(0)
})

it("reports the number of blobs that it examined and deleted", async () => {
  const filename = join(temporaryFolder(), "lectern.db")
  await storeGarbage(filename, 700)
  const reports: Array<SweepProgress> = []
  await Effect.runPromise(
    Effect.flatMap(Content, ({ sweep }) => sweep).pipe(
      Effect.provideService(OnSweepProgress, (progress) => Effect.sync(() => reports.push(progress))),
      Effect.provide(Workspace.layer.pipe(Layer.provide(SqliteStorage.layer(filename))))
    )
  )
  expect(reports).toEqual([
    { phase: "sweep", examined: 500, removed: 500 },
    { phase: "sweep", examined: 700, removed: 700 }
  ])
})

it("rejects --vacuum for PostgreSQL", async () => {
  const { code, errors } = await runCommand([
    "compact",
    "--vacuum",
    "--database-url",
    "postgres://lectern@localhost/lectern"
  ])
  expect(code).toBe(1)
  expect(errors).toContain("--vacuum applies to SQLite only")
})
