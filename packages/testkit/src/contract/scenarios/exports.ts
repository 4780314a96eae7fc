/** Exports of content. */
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"

export const exports: ContractScenario = {
  title: "Content and sites are exported as archives",
  requires: ["exports"],
  run: async ({ ada, rita, acme }) => {
    const space = await ada.call<{ id: string; revision: string }>(
      "createSpace",
      { organizationId: acme.id },
      { body: { title: "Handbook" } }
    )
    const at = { spaceId: space.id }
    const proposed = await ada.call<{ id: string }>("createChangeRequest", at)
    const site = await ada.call<{ id: string }>(
      "createSite",
      { organizationId: acme.id },
      { body: { title: "Documentation", visibility: "public", spaces: [space.id] } }
    )
    const addresses = await Promise.all([
      rita.call<{ url: string }>("getSpaceExport", at),
      rita.call<{ url: string }>("getChangeRequestExport", { ...at, changeRequestId: proposed.id }),
      rita.call<{ url: string }>("getRevisionExport", { ...at, revisionId: space.revision }),
      ada.call<{ url: string }>("getSiteExport", { organizationId: acme.id, siteId: site.id })
    ])
    for (const { url } of addresses) expect(URL.canParse(url)).toBe(true)
  }
}
