/** Signals reach the subscribers of their kind, in every process. */
import { RecordsAdapter } from "@lectern/core"
import { PgStorage } from "@lectern/storage-pg"
import { createTables } from "@lectern/storage-sql"
import { Effect, Exit, ManagedRuntime, Scope } from "effect"
import { expect, it, onTestFinished } from "vitest"
import { createDatabase } from "./support.ts"

/** Opens a process, and counts its signals after its connections listen. */
const openProcess = async (url: Awaited<ReturnType<typeof createDatabase>>) => {
  const runtime = ManagedRuntime.make(PgStorage.layer({ url, migrations: createTables([]) }))
  onTestFinished(() => runtime.dispose())
  const { signals } = await runtime.runPromise(RecordsAdapter)
  const counts = { jobs: -1, events: -1 }
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  for (const kind of ["jobs", "events"] as const) {
    const { subscribe } = kind === "jobs" ? signals! : signals!.events!
    await runtime.runPromise(
      Scope.provide(
        subscribe(() => void counts[kind]++),
        scope
      )
    )
  }
  await expect.poll(() => counts, { timeout: 60_000 }).toEqual({ jobs: 0, events: 0 })
  return { counts, send: runtime.runPromise, signals: signals! }
}

it("signals of events reach other processes and no worker of jobs, and signals of jobs every worker", async () => {
  const url = await createDatabase()
  const [one, other] = [await openProcess(url), await openProcess(url)]
  await one.send(one.signals.events!.send)
  await expect.poll(() => other.counts, { timeout: 60_000 }).toEqual({ jobs: 0, events: 1 })
  await one.send(one.signals.send)
  await expect.poll(() => other.counts, { timeout: 60_000 }).toEqual({ jobs: 1, events: 1 })
  await expect.poll(() => one.counts, { timeout: 60_000 }).toEqual({ jobs: 1, events: 0 })
})
