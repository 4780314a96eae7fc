/** The table of operations confirms the operations of the API that scenarios call over HTTP. */
import { routes } from "@lectern/testkit/model"
import { expect, it } from "vitest"
import { operations } from "../src/operations/index.ts"

it("the routes of scenarios are complete and current for each operation of core that they name", () => {
  for (const [service, methods] of Object.entries(routes)) {
    for (const [method, ids] of Object.entries(methods)) {
      const serving = operations.filter(({ serves }) => serves === `${service}.${method}`)
      expect([`${service}.${method}`, ids]).toEqual([`${service}.${method}`, serving.map(({ id }) => id)])
    }
  }
})
