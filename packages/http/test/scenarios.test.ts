/** Random scenarios of several users over HTTP, compared with the model of the harness. */
import {
  runScenario,
  scenario,
  scenarioRuns,
  toOutcome,
  toRequest,
  type WorkspaceApi
} from "@lectern/testkit/model"
import * as fc from "fast-check"
import { describe, it } from "vitest"
import { stores } from "./stores.ts"
import { startServer } from "./support.ts"

describe("over HTTP, a workspace equals the model in random scenarios of its users", () => {
  for (const { name, make } of stores) {
    it(`on ${name}`, async () => {
      const server = await startServer(await make())
      const tokens = new Map<string, string>()
      const api: WorkspaceApi = {
        ...server.core,
        call: async (user, call) => {
          const token = tokens.get(user) ?? (await server.tokenOf(user))
          tokens.set(user, token)
          const { method, path, body } = toRequest(call)
          return toOutcome(
            await server.fetch(path, {
              method,
              token,
              ...(body === undefined ? {} : { body: JSON.stringify(body) })
            })
          )
        }
      }
      let run = 0
      try {
        await fc.assert(
          fc.asyncProperty(scenario(40), (steps) =>
            runScenario(api, `http-${run++}`, steps, { observers: 1 })
          ),
          scenarioRuns(name === "SQLite" ? 6 : 3)
        )
      } finally {
        await server.close()
      }
    })
  }
})
