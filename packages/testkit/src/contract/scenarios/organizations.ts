/** An organization is updated, found by its e-mail domain, and has invite links. */
import type { Invite, Organization, Page, Site, User } from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { idsOf } from "./helpers.ts"

export const organizations: ContractScenario = {
  title: "An organization is updated, found by its e-mail domain, and has invite links",
  run: async ({ ada, eve, acme, other, tag }) => {
    const at = { organizationId: acme.id }

    expect((await ada.call<User>("getAuthenticatedUser")).id).toBe(ada.id)

    // The list contains only the organizations of the caller.
    expect(idsOf(await ada.call<Page<Organization>>("listOrganizationsForAuthenticatedUser"))).toEqual(
      expect.arrayContaining([acme.id, other.id])
    )
    expect(idsOf(await eve.call<Page<Organization>>("listOrganizationsForAuthenticatedUser"))).not.toContain(
      acme.id
    )
    expect(await ada.call<Organization>("getOrganizationById", at)).toEqual(acme)

    // All fields are updated.
    const site = await ada.call<Site>("createSite", at, { body: { title: "Welcome" } })
    const changes = {
      title: `Acme of ${tag}`,
      emailDomains: [`${tag}.example.com`],
      // Hostnames are unique on the server. The bounds are checked with prefixes of it, which another run must not have used.
      hostname: `${tag}-acme`,
      defaultRole: "read",
      defaultContent: { type: "site", site: site.id },
      logo: "https://example.com/logo.png",
      sso: false,
      ai: true,
      inviteLinks: true
    }
    const { logo, ...sent } = changes
    // Fields of Lectern, which other servers ignore.
    await ada.call("updateOrganizationById", at, { body: { domainJoin: true, secondFactor: false } })
    // A second factor can be required only once an administrator has a passkey.
    await ada.expectError(409, "updateOrganizationById", at, { body: { secondFactor: true } })
    // Single sign-on can be required only once an administrator logs in by it.
    await ada.expectError(409, "updateOrganizationById", at, { body: { sso: true } })
    await ada.call("setUserAsSSOMemberForOrganization", { ...at, userId: ada.id })
    const otherValues = { sso: true, ai: false, inviteLinks: false, defaultRole: "comment" }
    expect(await ada.call<Organization>("updateOrganizationById", at, { body: otherValues })).toMatchObject(
      otherValues
    )
    const changed = await ada.call<Organization>("updateOrganizationById", at, { body: changes })
    expect(changed).toMatchObject({ ...sent, id: acme.id })
    expect(await ada.call<Organization>("getOrganizationById", at)).toEqual(changed)
    await ada.call("updateOrganizationById", at, {
      body: { logo: null, defaultContent: null, defaultRole: null }
    })
    const cleared = await ada.call<Organization>("updateOrganizationById", at, {
      body: { defaultRole: "read" }
    })
    expect([cleared.urls.logo, cleared.defaultContent, cleared.defaultRole]).toEqual([
      undefined,
      undefined,
      "read"
    ])
    await ada.expectError(
      409,
      "updateOrganizationById",
      { organizationId: other.id },
      {
        body: { hostname: changes.hostname }
      }
    )

    // The lookup by e-mail domain returns only the organizations with that domain.
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

    // An invite link is created, updated and deleted.
    const expiresAt = "2999-01-01T00:00:00.000Z"
    const bounds = { expiresAt, maximumUses: 3 }
    const invite = await ada.call<Invite>("createOrganizationInvite", at, {
      body: { role: "read", ...bounds }
    })
    expect(invite).toMatchObject({ ...bounds, uses: 0 })
    const link = { ...at, inviteId: invite.id }
    expect(await ada.call<Invite>("getOrganizationInviteLink", link)).toEqual(invite)
    const updated = await ada.call<Invite>("updateOrganizationInviteById", link, {
      body: { role: "comment", expiresAt, maximumUses: 5 }
    })
    expect(updated).toMatchObject({ id: invite.id, role: "comment", expiresAt, maximumUses: 5 })
    const unbounded = await ada.call<Invite>("updateOrganizationInviteById", link, {
      body: { role: "comment", expiresAt: null, maximumUses: null }
    })
    expect([unbounded.expiresAt, unbounded.maximumUses]).toEqual([undefined, undefined])
    await ada.call("deleteOrganizationInviteById", link)
    await ada.expectError(404, "getOrganizationInviteLink", link)
  }
}
