/** Scenarios of sessions. A program has no session: only browsers start them. */
import type { Page, Session } from "@lectern/model"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"

export const sessions: ContractScenario = {
  title: "A caller with an API token has no session to list, to revoke or to end",
  requires: ["sessions"],
  run: async ({ ada }) => {
    expect((await ada.call<Page<Session>>("listSessions", {}, { query: { limit: 10 } })).items).toEqual([])
    await ada.expectError(404, "revokeSession", { sessionId: "missing" })
    await ada.call("signOut")
    await ada.call("signOutEverywhere")
    await ada.call("listApiTokens")
  }
}
