/** A scenario of the trash of organizations. */
import type { Organization, OrganizationTrash } from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"

export const deletedOrganizations: ContractScenario = {
  title: "An organization is deleted and restored",
  requires: ["organizations"],
  run: async ({ ada, eve, acme }) => {
    const at = { organizationId: acme.id }
    // An organization in the trash is unknown, except to the administrators who can restore it.
    const before = await ada.call<Organization>("getOrganizationById", at)
    await eve.expectError(404, "deleteOrganizationById", at)
    await ada.call("deleteOrganizationById", at)
    await ada.expectError(404, "getOrganizationById", at)
    await ada.expectError(404, "deleteOrganizationById", at)
    await eve.expectError(404, "restoreOrganization", at)
    const trashed = await ada.call<OrganizationTrash>("listDeletedOrganizations")
    expect(trashed.items.map(({ id, title }) => [id, title])).toContainEqual([acme.id, before.title])
    expect((await eve.call<OrganizationTrash>("listDeletedOrganizations")).items).toEqual([])
    await ada.call("restoreOrganization", at)
    expect(await ada.call<Organization>("getOrganizationById", at)).toEqual(before)
  }
}
