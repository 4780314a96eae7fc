import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { isFastRun } from "@lectern/harness"
import { createDialect, dialect, SqliteClient } from "@lectern/storage-sqlite"
import { afterAll, describe, expect, it } from "vitest"
import { migrationTests } from "../../storage-sql/test/support/migrating.ts"

const folder = mkdtempSync(join(tmpdir(), "lectern-sqlite-"))
afterAll(() => rmSync(folder, { recursive: true }))
let files = 0
const newFilename = () => join(folder, "created", `${files++}.db`)

describe("migrations with a prefix in SQLite", () =>
  migrationTests(createDialect({ prefix: "Docs_" }), async () =>
    SqliteClient.layer({ filename: newFilename() })
  ))

describe("migrations in SQLite", () => {
  migrationTests(dialect, async () => SqliteClient.layer({ filename: newFilename() }))

  it.skipIf(isFastRun)("are applied once when three processes migrate concurrently", async () => {
    const file = newFilename()
    const script = join(import.meta.dirname, "support", "migrateProcess.ts")
    const startProcess = () =>
      new Promise<string>((resolve, reject) => {
        const child = spawn(process.execPath, ["--conditions=@lectern/source", script, file], {
          stdio: ["ignore", "pipe", "inherit"]
        })
        let output = ""
        child.stdout.on("data", (chunk) => {
          output += chunk
        })
        child.on("exit", (code) => (code === 0 ? resolve(output.trim()) : reject(new Error(`exit ${code}`))))
      })
    const applied = await Promise.all([startProcess(), startProcess(), startProcess()])
    expect(applied.join(",").split(",").filter(Boolean).sort()).toEqual(["1", "2"])
  })
})
