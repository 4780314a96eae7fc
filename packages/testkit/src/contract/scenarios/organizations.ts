/** An organization is updated, and users join it. */
import type { Invite, Organization, Page, Site, User } from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { idsOf } from "./reading.ts"

export const organizations: ContractScenario = {
  title: "An organization says who it is, and lets people in by a link",
  run: async ({ ada, eve, acme, other, tag }) => {
    const at = { organizationId: acme.id }

    expect((await ada.call<User>("getAuthenticatedUser")).id).toBe(ada.id)

    // Ada finds the organizations that she is in, and Eve does not find them.
    expect(idsOf(await ada.call<Page<Organization>>("listOrganizationsForAuthenticatedUser"))).toEqual(
      expect.arrayContaining([acme.id, other.id])
    )
    expect(idsOf(await eve.call<Page<Organization>>("listOrganizationsForAuthenticatedUser"))).not.toContain(
      acme.id
    )
    expect(await ada.call<Organization>("getOrganizationById", at)).toEqual(acme)

    // All fields of one are updated.
    const site = await ada.call<Site>("createSite", at, { body: { title: "Welcome" } })
    const changes = {
      title: `Acme of ${tag}`,
      emailDomains: [`${tag}.example.com`],
      hostname: `acme-${tag}`,
      defaultRole: "read",
      defaultContent: { type: "site", site: site.id },
      logo: "https://example.com/logo.png",
      sso: false,
      ai: true,
      inviteLinks: true
    }
    const { logo, ...sent } = changes
    // Defaults are changed first. Single sign-on can be required once an administrator has it.
    await ada.refused(409, "updateOrganizationById", at, { body: { sso: true } })
    await ada.call("setUserAsSSOMemberForOrganization", { ...at, userId: ada.id })
    const strict = { sso: true, ai: false, inviteLinks: false, defaultRole: "comment" }
    expect(await ada.call<Organization>("updateOrganizationById", at, { body: strict })).toMatchObject(strict)
    const changed = await ada.call<Organization>("updateOrganizationById", at, { body: changes })
    expect(changed).toMatchObject({ ...sent, id: acme.id })
    expect(await ada.call<Organization>("getOrganizationById", at)).toEqual(changed)
    await ada.call("updateOrganizationById", at, {
      body: { logo: null, defaultContent: null, defaultRole: null }
    })
    const bare = await ada.call<Organization>("updateOrganizationById", at, { body: { defaultRole: "read" } })
    expect([bare.urls.logo, bare.defaultContent, bare.defaultRole]).toEqual([undefined, undefined, "read"])
    await ada.refused(
      409,
      "updateOrganizationById",
      { organizationId: other.id },
      {
        body: { hostname: changes.hostname }
      }
    )

    // Who has an address of its domain finds it, and whose address is elsewhere does not.
    const domain = { emailDomain: `${tag}.example.com` }
    const found = await eve.call<{ organizations: ReadonlyArray<Organization> }>(
      "getOrganizationsForEmailDomain",
      domain
    )
    expect(found.organizations.map(({ id }) => id)).toEqual([acme.id])
    const elsewhere = await eve.call<{ organizations: ReadonlyArray<Organization> }>(
      "getOrganizationsForEmailDomain",
      { emailDomain: "example.org" }
    )
    expect(elsewhere.organizations).toEqual([])

    // Users join by a link as readers, then as commenters, and not after it is removed.
    const invite = await ada.call<Invite>("createOrganizationInvite", at, { body: { role: "read" } })
    const link = { ...at, inviteId: invite.id }
    expect(await ada.call<Invite>("getOrganizationInviteLink", link)).toEqual(invite)
    const raised = await ada.call<Invite>("updateOrganizationInviteById", link, { body: { role: "comment" } })
    expect(raised).toMatchObject({ id: invite.id, role: "comment" })
    await ada.call("deleteOrganizationInviteById", link)
    await ada.refused(404, "getOrganizationInviteLink", link)
  }
}
