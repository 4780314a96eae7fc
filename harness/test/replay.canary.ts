/** Properties that always fail. Only `replay.test.ts` runs them, in a child process. */
import { runs } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { choose, makeCoreApi, runScenario, scenario, scenarioRuns } from "@lectern/testkit/model"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

describe("a canary that fails", () => {
  it("in the second property; its title (a+b) isn't a *pattern*", () => {
    fc.assert(
      fc.property(fc.nat(), (n) => n >= 0),
      runs(100)
    )
    fc.assert(
      fc.property(fc.array(choose({ left: 5, right: 1 })), (turns) => {
        expect(turns.filter((turn) => turn === "right").length).toBeLessThan(3)
      }),
      runs(1_000)
    )
  })

  it("in a scenario, as the workspace loses renames", () =>
    fc.assert(
      fc.asyncProperty(scenario(15, ["tree"]), async (steps) => {
        const api = makeCoreApi(MemoryStorage.layer())
        const call: typeof api.call = (user, [service, method, args]) =>
          method === "update" && service === "spaces" && "title" in (args[1] as object)
            ? api.call(user, [service, "get", [args[0]]])
            : api.call(user, [service, method, args])
        try {
          await runScenario({ ...api, call }, "canary", steps)
        } finally {
          await api.close()
        }
      }),
      scenarioRuns(300)
    ))
})
