/** Imports in the background. */
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"

/** The fields of a run that the scenario examines. */
interface Run {
  readonly id: string
  readonly status: string
  readonly error?: string
}

export const importRuns: ContractScenario = {
  title: "An import runs in the background, and is cancelled",
  requires: ["importRuns"],
  run: async ({ ada, rita, acme }) => {
    const organization = { organizationId: acme.id }
    const space = await ada.call<{ id: string }>("createSpace", organization, { body: { title: "Imported" } })
    const proposed = await ada.call<{ id: string }>("createChangeRequest", { spaceId: space.id })
    const body = {
      source: { type: "zip", url: "http://localhost/handbook.zip" },
      target: { space: space.id, changeRequest: proposed.id }
    }
    const started = await ada.call<Run>("startImportRun", organization, { body })
    const run = { ...organization, importRunId: started.id }
    expect((await rita.call<Run>("getImportRun", run)).id).toBe(started.id)
    const cancelled = await ada.call<Run>("cancelImportRun", run)
    expect(["cancelled", "failed"]).toContain(cancelled.status)
    await ada.expectError(404, "getImportRun", { ...organization, importRunId: "nothing" })
  }
}
