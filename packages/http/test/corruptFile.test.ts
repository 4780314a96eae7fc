/** Corrupt and replaced SQLite files, as operators see them: at the start, in the doctor, and while the server runs. */
import { closeSync, copyFileSync, openSync, renameSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { Doctor, type Finding } from "@lectern/core"
import { runs } from "@lectern/harness"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { makeCoreApi } from "@lectern/testkit/model"
import { Effect, Layer, Logger, Stream } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { adminToken, call, runCommand, serve } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import { createSampleWorkspace } from "./support/sampleWorkspace.ts"

const pageBytes = 4096

const overwritePage = (filename: string, page: number) => {
  const file = openSync(filename, "r+")
  writeSync(file, Buffer.alloc(pageBytes, 0xff), 0, pageBytes, page * pageBytes)
  closeSync(file)
}

const createWorkspaceFile = async () => {
  const filename = join(temporaryFolder(), "lectern.db")
  const core = makeCoreApi(SqliteStorage.layer({ filename }))
  const sample = await core.runtime.runPromise(createSampleWorkspace)
  await core.close()
  return { filename, sample }
}

/** The findings of the doctor in a file, and whether it completed. */
const examineFile = async (filename: string) => {
  const silent = Layer.provide(SqliteStorage.layer({ filename, integrityCheck: "skip" }), Logger.layer([]))
  const core = makeCoreApi(silent)
  try {
    const events = await core.runtime.runPromise(
      Effect.flatMap(Doctor, ({ examine }) => Stream.runCollect(examine()))
    )
    const findings: ReadonlyArray<Finding> = events.flatMap((event) =>
      event._tag === "Found" ? [event.finding] : []
    )
    return { findings, isComplete: events.at(-1)?._tag === "Done" }
  } finally {
    await core.close()
  }
}

/** The root page of a table or an index, counted from 0. */
const rootPageOf = (filename: string, name: string): number => {
  const database = new DatabaseSync(filename, { readOnly: true })
  const row = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(name)
  database.close()
  return Number(row!.rootpage) - 1
}

/** The pages of a file that hold rows, counted from 0. The content of a free page is never read. */
const usedPagesOf = (filename: string): ReadonlyArray<number> => {
  const database = new DatabaseSync(filename, { readOnly: true })
  const rows = database.prepare("SELECT pageno FROM dbstat ORDER BY pageno").all()
  database.close()
  return rows.map(({ pageno }) => Number(pageno) - 1)
}

describe("the doctor on a corrupt file", () => {
  it("completes and reports the corruption, for each overwritten page in use", async () => {
    const { filename: original } = await createWorkspaceFile()
    const historyPage = rootPageOf(original, "lecternMigrations")
    // The schema and the history of migrations are read before the workspace opens.
    const pages = usedPagesOf(original).filter((page) => page !== 0 && page !== historyPage)
    const page = fc.constantFrom(...pages)
    let examinedPages = 0
    await fc.assert(
      fc.asyncProperty(page, async (page) => {
        const filename = `${original}.${page}`
        copyFileSync(original, filename)
        overwritePage(filename, page)
        const result = await examineFile(filename).catch((error: unknown) => {
          expect(error).toMatchObject({ reason: "Corrupted" })
          return undefined
        })
        for (const suffix of ["", "-wal", "-shm"]) rmSync(filename + suffix, { force: true })
        if (result === undefined) return
        examinedPages++
        expect(result.isComplete).toBe(true)
        expect(result.findings.filter(({ check }) => check === "file-integrity")).not.toEqual([])
      }),
      runs(15)
    )
    expect(examinedPages).toBeGreaterThan(0)
  })

  it("counts the rows that can be read, and names the organizations that have lost rows", async () => {
    const { filename, sample } = await createWorkspaceFile()
    overwritePage(filename, rootPageOf(filename, "spaces"))
    const { findings } = await examineFile(filename)
    const message = findings.find(
      ({ check, table, message }) =>
        check === "file-integrity" && table === "spaces" && message.includes("cannot be read")
    )?.message
    expect(message).toMatch(/^has rows that cannot be read\. Readable are the first 0 and the last 0 rows\. /)
    expect(message).toMatch(new RegExp(`organization ${sample.organization} \\(.+\\): \\d+`))
  })

  it("exits with 3, while the server fails to start unless a setting allows it", async () => {
    const { filename } = await createWorkspaceFile()
    overwritePage(filename, rootPageOf(filename, "spaces"))
    const env = { LECTERN_DATABASE_URL: `sqlite:${filename}` }
    const { code, output } = await runCommand(["doctor"], env)
    expect(output).toMatch(/^damage {2}file-integrity {2}database reports: /m)
    expect(output).toMatch(/^damage {2}file-integrity {2}spaces has rows that cannot be read/m)
    expect(code).toBe(3)
    const refused = await runCommand(["serve", "--port", "0"], env)
    expect(refused.errors).toMatch(/is corrupt\. SQLite reports: .+lectern doctor/)
    expect(refused.code).toBe(1)
    const server = await serve(`sqlite:${filename}`, ["--database-check", "skip"], {}, env)
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    await server.end("SIGTERM")
  })
})

describe("lectern salvage", () => {
  it("copies a corrupt file to one that the doctor repairs and the server serves", async () => {
    const { filename } = await createWorkspaceFile()
    for (const table of ["comments", "lecternMigrations"]) {
      overwritePage(filename, rootPageOf(filename, table))
    }
    const target = join(temporaryFolder(), "salvaged.db")
    const env = { LECTERN_DATABASE_URL: `sqlite:${filename}` }
    const { code, output, errors } = await runCommand(["salvage", "--to", target], env)
    expect(errors).toBe("")
    expect(output).toMatch(/^lost {2}comments {2}0 rows copied, at least \d+ rows are not readable$/m)
    expect(output).toContain("The history of migrations was restored from the schema.")
    expect(output).toMatch(/^Copied \d+ rows of \d+ tables to .+\. \d+ tables have lost rows\.$/m)
    expect(code).toBe(3)
    const salvaged = { LECTERN_DATABASE_URL: `sqlite:${target}` }
    const repaired = await runCommand(["doctor", "--repair"], salvaged)
    expect(repaired.output).not.toContain("file-integrity")
    expect(repaired.output).toMatch(/repaired\. 0 remaining|repaired\. Checked|repaired\./)
    const server = await serve(`sqlite:${target}`)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    await server.end("SIGTERM")
    const again = await runCommand(["salvage", "--to", target], env)
    expect(again.errors).toMatch(/^lectern: The file .+salvaged\.db" exists\. Choose another one\.\n$/)
    expect(again.code).toBe(1)
    const postgres = { LECTERN_DATABASE_URL: "postgres://localhost/docs" }
    const refused = await runCommand(["salvage", "--to", `${target}.2`], postgres)
    expect(refused.errors).toMatch(/is not a SQLite file/)
  })
})

describe("a running server", () => {
  it("rejects writes and is not ready after its file is moved, and logs the reason", async () => {
    const filename = join(temporaryFolder(), "lectern.db")
    const server = await serve(`sqlite:${filename}`)
    const { items } = await call<{ items: ReadonlyArray<{ id: string }> }>(server, "/v1/orgs")
    const create = () =>
      fetch(`${server.url}/v1/orgs/${items[0]!.id}/spaces`, {
        method: "POST",
        headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
        body: "{}"
      })
    expect((await create()).status).toBe(201)
    renameSync(filename, `${filename}.moved`)
    const response = await create()
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: { reason: "FileReplaced" } })
    const readiness = await fetch(`${server.url}/readyz`)
    expect(readiness.status).toBe(503)
    expect(await readiness.json()).toEqual({ status: "the database file was replaced, moved or deleted" })
    await expect
      .poll(() => server.printed(), { timeout: 60_000 })
      .toMatch(/lectern\.db\\?" was moved or deleted while it was open/)
    renameSync(`${filename}.moved`, filename)
    expect((await create()).status).toBe(201)
    await server.end("SIGTERM")
  })
})
