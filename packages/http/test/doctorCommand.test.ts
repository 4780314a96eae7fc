/** `lectern doctor` as operators run it: a separate process, on both databases. */
import { join } from "node:path"
import { blobs, Records, type RecordsAdapter, spaces, Where } from "@lectern/core"
import { allRecords } from "@lectern/harness"
import { createTestDatabase } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { makeCoreApi } from "@lectern/testkit/model"
import { Effect, type Layer, Redacted } from "effect"
import { describe, expect, inject, it } from "vitest"
import { runCommand, spawnCommand } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import { createSampleWorkspace, type SampleWorkspace } from "./support/sampleWorkspace.ts"

/** Runs an effect on a workspace while `lectern doctor` does not have it open. */
const runOnWorkspace = async <A>(
  storage: Layer.Layer<RecordsAdapter, unknown>,
  effect: Effect.Effect<A, unknown, Effect.Services<typeof createSampleWorkspace> | Records>
): Promise<A> => {
  const core = makeCoreApi(storage)
  try {
    return await core.runtime.runPromise(effect)
  } finally {
    await core.close()
  }
}

/** Stores a wrong count, which `--repair` recomputes. */
const corruptCount = ({ space }: SampleWorkspace) =>
  Effect.flatMap(allRecords, (records) =>
    records.update(spaces, Where.eq("id", space as never), { comments: 7 })
  )

/** Deletes a blob that content refers to, which nothing can repair. */
const deleteBlob = Effect.gen(function* () {
  const records = yield* Records
  const [first] = yield* records.find(blobs, { select: ["hash"], limit: 1 })
  yield* records.remove(blobs, Where.eq("hash", first!.hash))
})

const doctor = (url: string, ...flags: ReadonlyArray<string>) =>
  runCommand(["doctor", ...flags], { LECTERN_DATABASE_URL: url })

describe("lectern doctor", () => {
  it("reports and repairs corruption, with one line per finding and an exit code, on SQLite", async () => {
    const filename = join(temporaryFolder(), "lectern.db")
    const [url, storage] = [`sqlite:${filename}`, SqliteStorage.layer({ filename })]
    const sample = await runOnWorkspace(storage, createSampleWorkspace)
    const line = `damage  space-comments  spaces ${sample.space} counts 7 open comments; there are 1  `

    const healthy = await doctor(url)
    expect(healthy.output).toMatch(/^No problems found\. Checked \d+ rows\.\n$/)
    expect(healthy.errors).not.toMatch(/^checked /m)
    expect(healthy.code).toBe(0)

    await runOnWorkspace(storage, corruptCount(sample))
    const corrupted = await doctor(url)
    expect(corrupted.output).toBe(
      `${line}(repair it with --repair)\n` +
        `1 problem found. 1 remaining, of which --repair can repair 1. ${healthy.output.slice("No problems found. ".length)}`
    )
    expect(corrupted.code).toBe(2)

    const repaired = await doctor(url, "--repair", "--json")
    const events = repaired.output
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text) as Record<string, unknown>)
    expect(events).toMatchObject([
      { type: "finding", check: "space-comments", table: "spaces", row: sample.space, isRepaired: true },
      { type: "summary", damage: 1, repaired: 1, repairable: 0, exitCode: 0 }
    ])
    expect(repaired.code).toBe(0)

    await runOnWorkspace(storage, Effect.andThen(corruptCount(sample), deleteBlob))
    const partly = await doctor(url, "--repair")
    expect(partly.output).toContain(`${line}(repaired)\n`)
    expect(partly.output).toMatch(
      /^damage {2}content-reaches {2}revisions .*\(cannot be repaired: restore it from a backup\)$/m
    )
    expect(partly.output).toMatch(/1 repaired\. \d+ remaining, of which --repair can repair 0\./)
    expect(partly.code).toBe(3)
  })

  it("reports and repairs corruption on PostgreSQL", async () => {
    const url = await createTestDatabase(inject("postgres"))
    const storage = PgStorage.layer({ url: Redacted.make(url) })
    const sample = await runOnWorkspace(storage, createSampleWorkspace)
    await runOnWorkspace(storage, Effect.andThen(corruptCount(sample), deleteBlob))
    const { output, code } = await doctor(url, "--repair")
    expect(output).toMatch(/^damage {2}space-comments .* \(repaired\)$/m)
    expect(output).toMatch(
      /^damage {2}content-reaches {2}revisions .*\(cannot be repaired: restore it from a backup\)$/m
    )
    expect(code).toBe(3)
  })

  it("exits with 1 if it is stopped before it is complete", async () => {
    const filename = join(temporaryFolder(), "lectern.db")
    await runOnWorkspace(SqliteStorage.layer({ filename }), createSampleWorkspace)
    const child = spawnCommand(["doctor"], { LECTERN_DATABASE_URL: `sqlite:${filename}` })
    let output = ""
    child.stdout?.on("data", (text) => {
      output += text
    })
    child.stderr?.once("data", () => child.kill("SIGTERM"))
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
    expect(code).toBe(output.includes("No problems found.") ? 0 : 1)
  })

  it("exits with 1 if the database cannot be opened", async () => {
    const { code, errors } = await doctor("postgres://u:p@127.0.0.1:1/x")
    expect(errors).toMatch(/^lectern: The database .*cannot be opened/)
    expect(code).toBe(1)
  })
})
