/** Scenarios of the audit log. */
import type { AuditRecord, Page, Space } from "@lectern/model"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { idsOf } from "./helpers.ts"

export const audit: ContractScenario = {
  title: "the audit log names executed and denied calls",
  requires: ["audit"],
  run: async ({ ada, bob, acme, tag }) => {
    const at = { organizationId: acme.id }
    const space = await ada.call<Space>("createSpace", at, { body: { title: `Audited ${tag}` } })
    await bob.expectError(403, "deleteSpaceById", { spaceId: space.id })
    const list = (query: Record<string, string | number>) =>
      ada.call<Page<AuditRecord>>("listAuditRecords", at, { query })

    const created = await list({
      actor: ada.id,
      operation: "Spaces.create",
      outcome: "success",
      resource: `space:${space.id}`,
      from: "2020-01-01T00:00:00Z"
    })
    expect(created.items).toMatchObject([
      {
        object: "audit-record",
        organization: acme.id,
        outcome: "success",
        actorType: "user",
        actor: ada.id,
        resources: [{ type: "space", id: space.id }]
      }
    ])
    const denied = await list({ resource: space.id, actor: bob.id })
    expect(denied.items).toMatchObject([
      { operation: "Spaces.remove", outcome: "denied", reason: "RoleTooLow" }
    ])
    const ofSpace = await list({ resource: space.id, limit: 1 })
    expect(ofSpace.count).toBeGreaterThanOrEqual(2)
    const following = await list({ resource: space.id, limit: 1000, page: ofSpace.next!.page })
    expect(idsOf(following)).toEqual(expect.arrayContaining([...idsOf(created)]))
    expect(following.items).toHaveLength(ofSpace.count - 1)
    expect((await list({ to: "2020-01-01T00:00:00Z" })).count).toBe(0)
    await bob.expectError(403, "listAuditRecords", at)
  }
}
