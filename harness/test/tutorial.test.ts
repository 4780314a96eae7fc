/** The result of the tutorial in `harness/README.md`: a step in which users set the description of a collection. */
import assert from "node:assert/strict"
import { runs } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import {
  asUserWithRole,
  choose,
  defineStep,
  type Feature,
  makeCoreApi,
  nth,
  nthOf,
  runScenario,
  scenario,
  scenarioRuns,
  type WorkspaceApi
} from "@lectern/testkit/model"
import * as fc from "fast-check"
import { expect, it } from "vitest"

const texts = { short: "Guides", longest: "x".repeat(100), tooLong: "x".repeat(101) }

/** The state of the model: the description of each collection, by id. */
const expectedDescriptions = new Map<string, string>()

const descriptions: Feature = {
  steps: {
    describe: defineStep({
      weight: 5,
      choices: { collection: nth, text: choose({ short: 8, longest: 1, tooLong: 1 }) },
      run: async (context, given) => {
        const collections = [...context.model.items.values()].filter(({ kind }) => kind === "collection")
        const collection = nthOf(collections, given.collection)
        if (collection === undefined) return
        const { model, user, expect } = asUserWithRole(context, given, "create", collection)
        const expectedError =
          model.accessError(user, collection, "create", "change") ??
          (given.text === "tooLong" ? "InvalidInput" : undefined)
        const description = texts[given.text]
        await expect(["collections", "update", [collection.id, { description }]], expectedError)
        if (expectedError === undefined) expectedDescriptions.set(collection.id, description)
      }
    })
  },
  compare: async ({ api, model, user }) => {
    for (const item of model.items.values()) {
      if (item.kind !== "collection" || model.accessError(user, item, "read", "view") !== undefined) continue
      const outcome = await api.call(user, ["collections", "get", [item.id]])
      assert.ok(outcome.ok)
      const { description } = outcome.value as { readonly description?: string }
      assert.equal(description, expectedDescriptions.get(item.id), `the description of ${item.id}`)
    }
  }
}

const features = { descriptions }

/** Runs scenarios with descriptions on a workspace. `change` may break the workspace. */
const scenarios = (change: (api: WorkspaceApi) => Partial<WorkspaceApi>) =>
  fc.asyncProperty(scenario(15, ["tree", "descriptions"], features), async (steps) => {
    const api = makeCoreApi(MemoryStorage.layer())
    try {
      await runScenario({ ...api, ...change(api) }, "descriptions", steps, { features })
    } finally {
      await api.close()
    }
  })

it("collections conform to the model in random scenarios with descriptions", () =>
  fc.assert(
    scenarios(() => ({})),
    scenarioRuns(15)
  ))

it("scenarios fail on a workspace that loses descriptions", async () => {
  const property = scenarios(({ call }) => ({
    call: (user, [service, method, args]) =>
      method === "update" && "description" in (args[1] as object)
        ? call(user, [service, "get", [args[0]]])
        : call(user, [service, method, args])
  }))
  const { counterexample, failed } = await fc.check(property, {
    ...runs(200),
    interruptAfterTimeLimit: 60_000
  })
  expect(failed).toBe(true)
  expect(counterexample?.[0].map((step) => step.do)).toContain("describe")
})
