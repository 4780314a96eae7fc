/** Imports in the background. */
import type { Page } from "@lectern/model"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { idsOf } from "./helpers.ts"

/** The fields of a run that the scenario examines. */
interface Run {
  readonly id: string
  readonly status: string
  readonly error?: string
}

export const importRuns: ContractScenario = {
  title: "An import runs in the background, and is cancelled",
  requires: ["importRuns"],
  run: async ({ ada, rita, eve, acme }) => {
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
    const list = async (query: { readonly [name: string]: string }) =>
      idsOf(await rita.call<Page<Run>>("listImportRuns", organization, { query }))
    expect(await list({ space: space.id, changeRequest: proposed.id })).toEqual([started.id])
    expect(await list({ space: space.id, status: "completed" })).toEqual([])
    expect(await list({ site: "nothing" })).toEqual([])
    const another = await ada.call<Run>("startImportRun", organization, {
      body: { ...body, target: { space: space.id } }
    })
    expect(await list({ space: space.id })).toEqual([another.id, started.id])
    await eve.expectError(404, "listImportRuns", organization)
    const cancelled = await ada.call<Run>("cancelImportRun", run)
    expect(["cancelled", "failed"]).toContain(cancelled.status)
    await ada.expectError(404, "getImportRun", { ...organization, importRunId: "nothing" })
  }
}
