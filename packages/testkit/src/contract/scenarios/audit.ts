/** Scenarios of the audit log. */
import type {
  AuditEvent,
  AuditEventActions,
  AuditEventDetails,
  AuditRecord,
  Page,
  Space
} from "@lectern/model"
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

    // Events are the same calls in the form of the public contract, without denied calls.
    const actions = await ada.call<AuditEventActions>("listOrganizationAuditEventActions", at)
    expect(actions.items).toContainEqual({
      object: "audit-event-action",
      id: "Spaces.create",
      label: "Spaces: create"
    })
    const query = {
      actor: ada.id,
      target: space.id,
      from: "2020-01-01T00:00:00Z",
      to: "2100-01-01T00:00:00Z"
    }
    const events = await ada.call<Page<AuditEvent>>("listOrganizationAuditEvents", at, {
      query: { ...query, action: "Spaces.create", limit: 1 }
    })
    expect(events.items).toMatchObject([
      {
        occurredAt: created.items[0]!.createdAt,
        action: "Spaces.create",
        actor: { type: "user", id: ada.id },
        target: { type: "space", id: space.id }
      }
    ])
    await ada.call("updateSpaceById", { spaceId: space.id }, { body: { title: `Audited again ${tag}` } })
    const all = await ada.call<Page<AuditEvent>>("listOrganizationAuditEvents", at, { query })
    expect(all.count).toBeGreaterThanOrEqual(2)
    expect(all.items.map(({ actor }) => actor.id)).not.toContain(bob.id)
    const event = { ...at, auditEventId: events.items[0]!.id }
    const details = await ada.call<AuditEventDetails>("getOrganizationAuditEvent", event)
    expect(details).toMatchObject({ ...events.items[0], payload: { record: created.items[0]!.id } })
    const missing = { ...at, auditEventId: "00000000-0000-0000-0000-000000000000" }
    await ada.expectError(404, "getOrganizationAuditEvent", missing)
    await bob.expectError(403, "getOrganizationAuditEvent", event)
  }
}
