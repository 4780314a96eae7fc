/** Background jobs in several processes that are killed: no job is lost, and none takes effect twice. */
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { jobs, type OpenApiSpec, Records, Where } from "@lectern/core"
import { isLongRun } from "@lectern/harness"
import { createTestDatabase } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Redacted } from "effect"
import { describe, expect, inject, it, onTestFinished } from "vitest"
import { callForBody } from "./caller.ts"
import { temporaryFolder } from "./stores.ts"
import { programFile } from "./support/programFile.ts"
import { until } from "./support/until.ts"
import { startServer } from "./support.ts"

const document = readFileSync(
  join(dirname(createRequire(import.meta.url).resolve("@gitbook/api")), "../spec/openapi.json"),
  "utf8"
)

/** The number of jobs that finish before the next process is killed. */
const finishedBetweenKills = 4

const program = programFile(new URL("./support/jobsProcess.ts", import.meta.url))

const databases = [
  {
    name: "three processes on one PostgreSQL database",
    processes: 3,
    make: async () => {
      const url = await createTestDatabase(inject("postgres"))
      return { database: url, storage: PgStorage.layer({ url: Redacted.make(url) }) }
    }
  },
  {
    name: "a second process on the SQLite file of the server",
    processes: 1,
    make: async () => {
      const database = join(temporaryFolder(), "lectern.db")
      return { database, storage: SqliteStorage.layer({ filename: database }) }
    }
  }
]

describe("background work", () => {
  for (const { name, processes, make } of databases) {
    it(`is completed exactly once by ${name}, when processes are killed`, () =>
      runAndKillWorkers(processes, make))
  }
})

const runAndKillWorkers = async (processes: number, make: (typeof databases)[number]["make"]) => {
  const { database, storage } = await make()
  // The workers' clock is ahead of the clock of the test, so that jobs are due for them immediately.
  const server = await startServer(storage)
  const workers = new Set<ChildProcess>()
  onTestFinished(() => {
    for (const worker of workers) worker.kill("SIGKILL")
  })
  const start = () => {
    const worker = spawn(process.execPath, ["--conditions=@lectern/source", program, database], {
      env: { PATH: process.env.PATH ?? "" },
      stdio: ["ignore", "ignore", "inherit"]
    })
    workers.add(worker)
    worker.once("exit", () => workers.delete(worker))
  }
  try {
    const admin = await server.core.createUser("admin@example.com")
    const organization = await server.core.createOrganization("Acme", admin)
    const token = await server.tokenOf(admin)
    const call = <A>(method: string, path: string, body?: unknown) =>
      callForBody<A>(server, token, method, `/orgs/${organization}/openapi${path}`, body)
    const slugs = Array.from({ length: isLongRun ? 24 : 16 }, (_, index) => `spec-${index}`)
    let killed = 0
    /** Kills the oldest process, and starts another one. */
    const kill = () => {
      const [victim] = workers
      victim?.kill("SIGKILL")
      killed++
      start()
    }
    for (let i = 0; i < processes; i++) start()
    for (const [index, slug] of slugs.entries()) {
      // The documents differ, and each takes some time to process.
      const text = document.replace('"title":', `"x-number": ${index}, "title":`)
      await call("POST", "", { slug, source: { text } })
      if (index % 8 === 7) kill()
    }
    const countPending = async () => {
      const { items } = await call<{ items: ReadonlyArray<OpenApiSpec> }>("GET", "?limit=100")
      return items.filter(({ processingState }) => processingState !== "complete").length
    }
    // Kills depend on progress rather than time, so that the test does not depend on the speed of the machine.
    let leftAtLastKill = slugs.length
    await until("every specification is processed", async () => {
      const remaining = await countPending()
      if (remaining > 0 && remaining <= leftAtLastKill - finishedBetweenKills) {
        leftAtLastKill = remaining
        kill()
      }
      return remaining === 0
    })
    const { items } = await call<{ items: ReadonlyArray<OpenApiSpec> }>("GET", "?limit=100")
    for (const { slug, processingState, lastProcessErrorCode } of items) {
      expect([slug, processingState, lastProcessErrorCode]).toEqual([slug, "complete", undefined])
      const versions = await call<{ count: number }>("GET", `/${slug}/versions?limit=0`)
      expect([slug, versions.count]).toEqual([slug, 1])
    }
    expect(items.length).toBe(slugs.length)
    expect(killed).toBeGreaterThanOrEqual(3)
    const remaining = await server.core.runtime.runPromise(
      Effect.flatMap(Records, (records) => records.count(jobs, Where.eq("kind", "openapi")))
    )
    expect(remaining).toBe(0)
  } finally {
    await server.close()
  }
}
