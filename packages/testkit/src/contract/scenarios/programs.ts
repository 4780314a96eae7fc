/** Scenarios of programs of others. They are authorized in a browser, which the suite does not have. */
import type { AuthorizedProgram, Page } from "@lectern/model"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"

export const programs: ContractScenario = {
  title: "A caller without authorized programs receives an empty list, and 404 for a revocation",
  requires: ["programs"],
  run: async ({ ada }) => {
    const listed = await ada.call<Page<AuthorizedProgram>>(
      "listAuthorizedPrograms",
      {},
      { query: { limit: 10 } }
    )
    expect(listed.items).toEqual([])
    await ada.expectError(404, "revokeAuthorizedProgram", { programId: "missing" })
  }
}
