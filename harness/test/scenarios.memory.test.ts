import { makeCoreApi, runScenario, scenario, scenarioRuns } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import * as fc from "fast-check"
import { describe, it } from "vitest"

describe("a workspace on MemoryStorage", () => {
  it("conforms to the model in random scenarios", async () => {
    await fc.assert(
      fc.asyncProperty(scenario(40), async (steps) => {
        const api = makeCoreApi(MemoryStorage.layer())
        try {
          await runScenario(api, "scenario", steps)
        } finally {
          await api.close()
        }
      }),
      scenarioRuns(120)
    )
  })
})
