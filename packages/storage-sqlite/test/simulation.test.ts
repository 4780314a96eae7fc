/** Simulations of a workspace with several processes on one SQLite file. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { RecordsAdapter } from "@lectern/core"
import { isFastRun } from "@lectern/harness"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { type OpenedStore, type PlanSize, simulate } from "@lectern/testkit/simulation"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { afterEach, describe, expect, it } from "vitest"

const folders: Array<string> = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

/** Returns a function that opens connections of a new file. */
const makeFile = (): (() => OpenedStore) => {
  const folder = mkdtempSync(join(tmpdir(), "simulation-"))
  folders.push(folder)
  const layer = SqliteStorage.layer({ filename: join(folder, "workspace.db"), integrityCheck: "skip" })
  return () => {
    const scope = Scope.makeUnsafe()
    const services = Effect.runSync(Layer.buildWithScope(layer, scope))
    return {
      adapter: Context.get(services, RecordsAdapter),
      close: () => Effect.runSync(Scope.close(scope, Exit.void))
    }
  }
}

const size: PlanSize = { commands: 40, faults: 15 }

describe.skipIf(isFastRun)("a simulation on SQLite", () => {
  it("violates no rule", async () => {
    for (let seed = 1; seed <= 5; seed++) {
      const { violation } = await simulate({ seed, size, openStore: makeFile() })
      expect(violation, `seed ${seed}`).toBeUndefined()
    }
  })

  it("happens the same way again with the same seed", async () => {
    const [one, again] = [
      await simulate({ seed: 4, size, openStore: makeFile() }),
      await simulate({ seed: 4, size, openStore: makeFile() })
    ]
    expect(again.traceHash).toBe(one.traceHash)
    expect([...again.reached]).toEqual([...one.reached])
  })
})
