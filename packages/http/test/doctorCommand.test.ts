/** `lectern doctor` as operators run it: a process of its own, on both databases. */
import { join } from "node:path"
import { blobs, Records, type RecordsAdapter, spaces, Where } from "@lectern/core"
import { makeCoreApi } from "@lectern/harness"
import { createTestDatabase } from "@lectern/harness/postgres"
import { PgStorage } from "@lectern/storage-pg"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, type Layer, Redacted } from "effect"
import { describe, expect, inject, it } from "vitest"
import { finish, run } from "./processes.ts"
import { temporaryFolder } from "./stores.ts"
import { createSampleWorkspace, type SampleWorkspace } from "./support/sampleWorkspace.ts"

/** Does something to a workspace, as another process than the one that examines it. */
const during = async <A>(
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

/** A count that is not what there is. */
const miscount = ({ space }: SampleWorkspace) =>
  Effect.flatMap(Records, (records) =>
    records.update(spaces, Where.eq("id", space as never), { comments: 7 })
  )

/** Bytes that are gone: nobody knows what they were. */
const lose = Effect.gen(function* () {
  const records = yield* Records
  const [first] = yield* records.find(blobs, { select: ["hash"], limit: 1 })
  yield* records.remove(blobs, Where.eq("hash", first!.hash))
})

const doctor = (url: string, ...flags: ReadonlyArray<string>) =>
  finish(["doctor", ...flags], { LECTERN_DATABASE_URL: url })

describe("lectern doctor", () => {
  it("tells by its exit code and in lines what is wrong, and what is left, on SQLite", async () => {
    const filename = join(temporaryFolder(), "lectern.db")
    const [url, storage] = [`sqlite:${filename}`, SqliteStorage.layer({ filename })]
    const sample = await during(storage, createSampleWorkspace)
    const line = `damage  space-comments  spaces ${sample.space} counts 7 open comments; there are 1  `

    const healthy = await doctor(url)
    expect(healthy.output).toMatch(/^Nothing is wrong\. \d+ rows looked at\.\n$/)
    expect(healthy.errors).toMatch(/^checked search index of spaces: 6 of 6$/m)
    expect(healthy.code).toBe(0)

    await during(storage, miscount(sample))
    const sick = await doctor(url)
    expect(sick.output).toBe(
      `${line}(--repair puts it right)\n` +
        `1 finding of damage. 1 left, of which --repair puts 1 right. ${healthy.output.slice("Nothing is wrong. ".length)}`
    )
    expect(sick.code).toBe(2)

    const mended = await doctor(url, "--repair", "--json")
    const told = mended.output
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text) as Record<string, unknown>)
    expect(told).toMatchObject([
      { type: "finding", check: "space-comments", table: "spaces", row: sample.space, isRepaired: true },
      { type: "summary", damage: 1, repaired: 1, repairable: 0, exitCode: 0 }
    ])
    expect(mended.code).toBe(0)

    await during(storage, Effect.andThen(miscount(sample), lose))
    const left = await doctor(url, "--repair")
    expect(left.output).toContain(`${line}(put right)\n`)
    expect(left.output).toMatch(
      /^damage {2}content-reaches {2}revisions .*\(nobody but you can put it right\)$/m
    )
    expect(left.output).toMatch(/1 put right\. \d+ left, of which --repair puts 0 right\./)
    expect(left.code).toBe(3)
  })

  it("does so on PostgreSQL", async () => {
    const url = await createTestDatabase(inject("postgres"))
    const storage = PgStorage.layer({ url: Redacted.make(url) })
    const sample = await during(storage, createSampleWorkspace)
    await during(storage, Effect.andThen(miscount(sample), lose))
    const { output, code } = await doctor(url, "--repair")
    expect(output).toMatch(/^damage {2}space-comments .* \(put right\)$/m)
    expect(output).toMatch(/^damage {2}content-reaches {2}revisions .*\(nobody but you can put it right\)$/m)
    expect(code).toBe(3)
  })

  it("does not say that nothing is wrong where it was told to stop before it knew", async () => {
    const filename = join(temporaryFolder(), "lectern.db")
    await during(SqliteStorage.layer({ filename }), createSampleWorkspace)
    const child = run(["doctor"], { LECTERN_DATABASE_URL: `sqlite:${filename}` })
    let output = ""
    child.stdout?.on("data", (text) => {
      output += text
    })
    child.stderr?.once("data", () => child.kill("SIGTERM"))
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
    expect(code).toBe(output.includes("Nothing is wrong.") ? 0 : 1)
  })

  it("says that it could not look, where it cannot", async () => {
    const { code, errors } = await doctor("postgres://u:p@127.0.0.1:1/x")
    expect(errors).toMatch(/^lectern: The database .*cannot be opened/)
    expect(code).toBe(1)
  })
})
