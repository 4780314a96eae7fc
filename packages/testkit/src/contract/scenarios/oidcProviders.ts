/** Scenarios of OpenID Connect providers of an organization. */
import type { OidcProvider, Page, SsoLogin, Team } from "@lectern/model"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { idsOf } from "./helpers.ts"

export const oidcProviders: ContractScenario = {
  title: "OpenID Connect providers of an organization are created, updated and deleted",
  requires: ["oidc"],
  run: async ({ ada, acme, tag }) => {
    const at = { organizationId: acme.id }
    const team = await ada.call<Team>("createOrganizationTeam", at, { body: { title: `Engineers ${tag}` } })
    const settings = {
      label: "Head office",
      issuer: "https://login.example.com",
      clientID: "lectern",
      clientSecret: "a secret of the client",
      domains: ["example.com"],
      groupsClaim: "roles",
      groups: [{ group: "engineers", role: "edit", team: team.id }],
      defaultTeam: team.id,
      defaultRole: "read"
    }
    const office = await ada.call<OidcProvider>("createOrganizationOIDCProvider", at, { body: settings })
    expect(office).toMatchObject({
      label: "Head office",
      status: "active",
      hasClientSecret: true,
      groups: settings.groups,
      defaultTeam: { id: team.id }
    })
    expect(JSON.stringify(office)).not.toContain(settings.clientSecret)
    const branch = await ada.call<OidcProvider>("createOrganizationOIDCProvider", at, {
      body: { label: "Branch" }
    })
    expect(branch).toMatchObject({ status: "pending", hasClientSecret: false, groupsClaim: "groups" })
    const listed = await ada.call<Page<OidcProvider>>("listOIDCProvidersInOrganizationById", at)
    expect(idsOf(listed).toSorted()).toEqual([office.id, branch.id].toSorted())

    // A provider becomes active once its issuer and its client id are set. Users can choose among the active ones.
    const provider = { ...at, oidcProviderId: branch.id }
    const changed = await ada.call<OidcProvider>("updateOrganizationOIDCProvider", provider, {
      body: { ...settings, label: "Branch office", defaultRole: "comment" }
    })
    expect(changed).toMatchObject({ label: "Branch office", status: "active", defaultRole: "comment" })
    expect(await ada.call<OidcProvider>("getOrganizationOIDCProviderById", provider)).toEqual(changed)
    const { items } = await ada.call<{ items: ReadonlyArray<SsoLogin> }>(
      "listSSOProviderLoginsInOrganization",
      at
    )
    expect(items.map(({ id }) => id)).toEqual(expect.arrayContaining([office.id, branch.id]))
    // A null removes a value, and a team that is removed is no longer referred to.
    const open = await ada.call<OidcProvider>("updateOrganizationOIDCProvider", provider, {
      body: { clientSecret: null, defaultTeam: null }
    })
    expect(open).toMatchObject({ hasClientSecret: false, label: "Branch office" })
    expect(open.defaultTeam).toBeUndefined()
    await ada.call("deleteOrganizationOIDCProvider", provider)
    await ada.expectError(404, "getOrganizationOIDCProviderById", provider)
    await ada.call("deleteOrganizationOIDCProvider", { ...at, oidcProviderId: office.id })
  }
}
