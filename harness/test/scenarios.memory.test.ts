import { makeCoreApi, runScenario, scenario, scenarioRuns } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import * as fc from "fast-check"
import { describe, it } from "vitest"

describe("a workspace in memory", () => {
  it("is what the model says, whatever its users do", async () => {
    await fc.assert(
      fc.asyncProperty(scenario(40), async (steps) => {
        const api = makeCoreApi(MemoryStorage.layer())
        try {
          await runScenario(api, "story", steps)
        } finally {
          await api.close()
        }
      }),
      scenarioRuns(120)
    )
  })
})
