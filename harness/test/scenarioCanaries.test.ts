/** Negative tests of scenarios: they must fail on each of these broken workspaces, with a short counterexample. */

import { MemoryStorage } from "@lectern/testkit"
import {
  type FeatureName,
  makeCoreApi,
  runScenario,
  scenario,
  type WorkspaceApi
} from "@lectern/testkit/model"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

type Break = (api: WorkspaceApi) => Partial<WorkspaceApi>

/** Returns the `curl` lines of the shrunk scenario that fails on a broken workspace, without the setup. */
const findScenario = async (
  about: ReadonlyArray<FeatureName>,
  breakIt: Break
): Promise<ReadonlyArray<string>> => {
  const property = fc.asyncProperty(scenario(15, about), async (steps) => {
    const api = makeCoreApi(MemoryStorage.layer())
    try {
      await runScenario({ ...api, ...breakIt(api) }, "scenario", steps)
    } finally {
      await api.close()
    }
  })
  const { errorInstance } = await fc.check(property, { numRuns: 300, interruptAfterTimeLimit: 60_000 })
  const message = errorInstance instanceof Error ? errorInstance.message : "no scenario failed"
  return message.split("\n").filter((line) => line.includes("curl") && !/\/(invites|teams)"/.test(line))
}

describe("a scenario fails, and prints its calls as curl lines, on a workspace that", () => {
  it("loses a rename", async () => {
    const lines = await findScenario(["tree"], ({ call }) => ({
      call: (user, [service, method, args]) =>
        method === "update" && service === "spaces" && "title" in (args[1] as object)
          ? call(user, [service, "get", [args[0]]])
          : call(user, [service, method, args])
    }))
    expect(lines.length).toBeLessThanOrEqual(10)
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^SPACE_\d=\$\(curl -sS -X POST .* "\$BASE\/v1\/orgs\/\$ORG_\d\/spaces" \| jq -r '\.id'\)$/
      )
    )
    expect(lines.at(-1)).toMatch(
      /^curl -sS -w ' %\{http_code\}\\n' -X PATCH .* -d '\{"title":".*"\}' "\$BASE\/v1\/spaces\/\$SPACE_\d" # succeeds$/
    )
  })

  it("returns the comments on a space to users who have lost access to the space", async () => {
    const seen = new Map<string, unknown>()
    const lines = await findScenario(["tree", "people", "comments"], ({ call }) => ({
      call: async (user, operation) => {
        const outcome = await call(user, operation)
        const [service, method] = operation
        if (service !== "comments" || method !== "list") return outcome
        const key = JSON.stringify([user, operation])
        if (outcome.ok) seen.set(key, outcome.value)
        return seen.has(key) ? { ok: true, value: seen.get(key) } : outcome
      }
    }))
    expect(lines.length).toBeLessThanOrEqual(20)
    expect(lines.at(-1)).toMatch(/^curl -sS .*\/comment(?:er)?s\?/)
  })
})
