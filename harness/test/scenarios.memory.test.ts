import { MemoryStorage } from "@lectern/testkit"
import { makeCoreApi, runScenario, scenario, scenarioRuns } from "@lectern/testkit/model"
import * as fc from "fast-check"
import { describe, it } from "vitest"

/** The choices of a step on the first page of the first space and its change request. */
const edit = (content: "space" | "changeRequest", change: object) => ({
  do: "edit",
  actor: "permitted" as const,
  user: 0,
  content,
  space: 0,
  request: { which: "byId", nth: 0 },
  changes: [
    {
      operation: "insert_page",
      page: { which: "existing", nth: 1 },
      file: { which: "existing", nth: 0 },
      into: { which: "currentParent", nth: 0 },
      at: undefined,
      title: undefined,
      body: undefined,
      ...change
    }
  ]
})

describe("a workspace on MemoryStorage", () => {
  it("finds a renamed page by its slug, which a merge has numbered twice", async () => {
    const api = makeCoreApi(MemoryStorage.layer())
    const permitted = { actor: "permitted", user: 0, space: 0 } as const
    try {
      await runScenario(api, "scenario", [
        { ...permitted, do: "createSpace", organization: 0, into: { which: "anyCollection", nth: 0 } },
        { ...permitted, do: "createChangeRequest", subject: "Reword" },
        edit("changeRequest", {}),
        edit("changeRequest", { body: "marten" }),
        edit("space", {}),
        { ...permitted, do: "merge", request: { which: "byId", nth: 0 } },
        edit("space", { operation: "update_page", title: "Lynx" })
      ])
    } finally {
      await api.close()
    }
  })

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
