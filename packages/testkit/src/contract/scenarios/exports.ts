/** Exports of content. */
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"

export const exports: ContractScenario = {
  title: "Content is exported as an archive",
  requires: "exports",
  run: async ({ ada, rita, acme }) => {
    const space = await ada.call<{ id: string; revision: string }>(
      "createSpace",
      { organizationId: acme.id },
      { body: { title: "Handbook" } }
    )
    const at = { spaceId: space.id }
    const proposed = await ada.call<{ id: string }>("createChangeRequest", at)
    const addresses = await Promise.all([
      rita.call<{ url: string }>("getSpaceExport", at),
      rita.call<{ url: string }>("getChangeRequestExport", { ...at, changeRequestId: proposed.id }),
      rita.call<{ url: string }>("getRevisionExport", { ...at, revisionId: space.revision })
    ])
    for (const { url } of addresses) expect(URL.canParse(url)).toBe(true)
  }
}
