/** Runs of translations on databases: any sequence of runs and interruptions, and a process that is killed during a run. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { modelAnswers } from "@lectern/answers"
import { runs } from "@lectern/harness"
import { startModelServer } from "@lectern/harness/models"
import { nodeFetcher } from "@lectern/http"
import { SqliteStorage } from "@lectern/storage-sqlite"
import * as fc from "fast-check"
import { expect, it, onTestFinished } from "vitest"
import { stores, temporaryFolder } from "./stores.ts"
import {
  observeTranslation,
  startRecurringJobs,
  startTranslation,
  textsOf,
  translating
} from "./support/translations.ts"
import { startServer } from "./support.ts"

const program = fileURLToPath(new URL("support/killedTranslation.ts", import.meta.url))

/** A step of a sequence: a run that ends, one that is canceled, one whose process ends, an edit of the source, or a merge. */
const step = fc.constantFrom("run", "cancel", "interrupt", "edit", "merge")

type Scene = Awaited<ReturnType<typeof startTranslation>>

/** Starts a run whose first request waits. Returns the function that responds to it; undefined if nothing is left to translate. */
const startSilently = async ({ model, send, readRun }: Scene): Promise<(() => void) | undefined> => {
  let respond: (() => void) | undefined
  model.behave((request, response) => {
    respond = () => translating(request, response)
  })
  await send("POST", "/run")
  await expect.poll(async () => respond !== undefined || (await readRun()).status !== "running").toBe(true)
  return respond
}

it.each(stores)(
  "settings show a run exactly while it is running, and the model translates each string once: $name",
  { timeout: 120_000 },
  async ({ make }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 7 }), async (steps) => {
        const scene = await startTranslation({ storage: await make() })
        await startRecurringJobs(scene.server)
        const { settings } = observeTranslation(scene.server, scene)
        const translated: Array<string> = []
        let count = 0
        let edits = 0
        for (const each of steps) {
          if (each === "edit") {
            await scene.edit(scene.guide, {
              operation: "insert_page",
              title: `Page ${edits}`,
              document: { markdown: `Text number ${edits++} of the guide.` }
            })
            continue
          }
          if (each === "merge") {
            const run = count === 0 ? undefined : await scene.readRun()
            if (run?.status === "completed" && run.changeRequest !== undefined) await scene.merge(run)
            continue
          }
          count++
          const respond = each === "run" ? undefined : await startSilently(scene)
          if (each === "run") {
            scene.model.behave((request, response) => {
              translated.push(...Object.values(textsOf(request)))
              translating(request, response)
            })
            expect((await scene.run()).status).toBe("completed")
          } else if (respond !== undefined) {
            expect([(await settings()).status, (await scene.readRun()).status]).toEqual([
              "running",
              "running"
            ])
            if (each === "cancel") await scene.send("POST", "/run/cancel")
            else {
              await scene.server.core.advance(61_000)
              await scene.server.core.work()
            }
            expect((await scene.readRun()).status).toBe(each === "cancel" ? "cancelled" : "failed")
            respond()
          }
          expect(await settings()).toMatchObject({ status: "completed", stats: { runs: count } })
        }
        expect(new Set(translated).size).toBe(translated.length)
      }),
      runs(10)
    )
  }
)

it("a run whose process was killed has failed after the next start, and is run again", {
  timeout: 60_000
}, async () => {
  const filename = join(temporaryFolder(), "lectern.db")
  const scene = await startTranslation({ storage: SqliteStorage.layer({ filename }) })
  const { admin, organization, translation, path, token } = scene
  await scene.server.close()

  const child = spawn(
    process.execPath,
    ["--conditions=@lectern/source", program, filename, organization, translation.id, admin],
    { stdio: ["ignore", "pipe", "inherit"] }
  )
  const exited = once(child, "exit")
  await once(child.stdout, "data")
  child.kill("SIGKILL")
  expect(await exited).toEqual([null, "SIGKILL"])

  const model = await startModelServer()
  model.behave(translating)
  const server = await startServer(SqliteStorage.layer({ filename }), {
    answers: modelAnswers({
      url: model.url,
      name: "test-model",
      fetch: nodeFetcher({ allow: [new URL(model.url).host] })
    })
  })
  onTestFinished(async () => {
    await model.close()
    await server.close()
  })
  const observed = observeTranslation(server, { path, token })
  await startRecurringJobs(server)
  expect(await observed.settings()).toMatchObject({ status: "running" })
  await server.core.advance(61_000)
  await server.core.work()
  expect(await observed.settings()).toMatchObject({ status: "completed", stats: { runs: 1 } })
  expect(await observed.run()).toMatchObject({
    status: "failed",
    error: expect.stringContaining("Run the translation again")
  })
  expect((await observed.send("POST", "/run")).status).toBe(204)
  await expect.poll(async () => (await observed.run()).status, { timeout: 20_000 }).toBe("completed")
  expect(await observed.settings()).toMatchObject({ status: "completed", stats: { runs: 2 } })
})
