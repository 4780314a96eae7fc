/** Members are invited, added to teams and removed, and SAML providers are configured. */
import type {
  Member,
  MemberSpace,
  MemberTeam,
  Page,
  SamlProvider,
  Space,
  SsoLogin,
  Team,
  TeamMember
} from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { idsOf } from "./helpers.ts"

/** Returns the name in the e-mail address and the team role of each member, sorted. */
const memberRoles = (list: Page<TeamMember>): ReadonlyArray<string> =>
  list.items
    .map(({ organization, team }) => `${organization.user.email?.split("@")[0]} ${team.role}`)
    .toSorted()

export const people: ContractScenario = {
  title: "Members are invited, listed, added to teams and removed",
  run: async ({ ada, bob, rita, acme, tag }) => {
    const at = { organizationId: acme.id }
    const emails = ["cleo", "dora"].map((name) => `${name}@${tag}.example.com`)
    const invited = await ada.call<{ users: ReadonlyArray<string> }>("inviteUsersToOrganization", at, {
      body: { emails, role: "comment" }
    })
    const [cleo, dora] = invited.users as [string, string]
    // An address can have its own role, and new members can be required to log in by single sign-on.
    const withRoles = [
      { email: `gus@${tag}.example.com`, role: null },
      { email: `hal@${tag}.example.com`, role: "comment" }
    ]
    const more = await ada.call<{ users: ReadonlyArray<string> }>("inviteUsersToOrganization", at, {
      body: { emails: withRoles, sso: true }
    })
    for (const [index, { role }] of withRoles.entries()) {
      const member = { ...at, userId: more.users[index]! }
      expect(await ada.call<Member>("getMemberInOrganizationById", member)).toMatchObject({ role, sso: true })
      await ada.call("removeMemberFromOrganizationById", member)
    }

    // Members are listed in both orders, and filtered.
    const list = (query: { readonly [name: string]: string }) =>
      ada.call<Page<Member>>("listMembersInOrganizationById", at, { query })
    const all = await list({ order: "asc" })
    expect(idsOf(all)).toEqual([ada.id, bob.id, rita.id, cleo, dora])
    expect(idsOf(await list({ order: "desc" }))).toEqual(idsOf(all).toReversed())
    expect(idsOf(await list({ role: "edit" }))).toEqual([bob.id])
    expect(idsOf(await list({ search: "CLEO", sort: "joinedAt" }))).toEqual([cleo])
    const byName = await list({ sort: "name", order: "asc" })
    const names = byName.items.map(({ user }) => user.displayName.toLowerCase())
    expect(names).toEqual(names.toSorted())
    await bob.call("updateOrganizationMemberLastSeenAt", at)
    await ada.call("updateOrganizationMemberLastSeenAt", at)
    const active = idsOf(await list({ sort: "lastSeenAt" }))
    expect(active).toEqual(expect.arrayContaining([ada.id, bob.id]))
    expect(active).not.toContain(dora)

    // A member is read, gets another role, and is required to log in by single sign-on.
    const member = { ...at, userId: cleo }
    const before = await ada.call<Member>("getMemberInOrganizationById", member)
    expect(before).toMatchObject({ role: "comment", sso: false, teams: 0 })
    const updated = await ada.call<Member>("updateMemberInOrganizationById", member, {
      body: { role: "review" }
    })
    expect(updated).toEqual({ ...before, role: "review" })
    await ada.call("updateMemberInOrganizationById", { ...at, userId: dora }, { body: { role: null } })
    expect((await ada.call<Member>("setUserAsSSOMemberForOrganization", member)).sso).toBe(true)
    await ada.expectError(
      409,
      "updateMemberInOrganizationById",
      { ...at, userId: ada.id },
      { body: { role: "read" } }
    )

    // The spaces of a member are listed.
    const spaces: Array<string> = []
    for (const title of ["Handbook", "Reference"]) {
      spaces.push((await ada.call<Space>("createSpace", at, { body: { title } })).id)
    }
    const visible = await ada.call<Page<MemberSpace>>("listSpacesForOrganizationMember", member, {
      query: { order: "asc" }
    })
    expect(visible.items.map(({ space }) => space.id)).toEqual(expect.arrayContaining(spaces))
    expect(new Set(visible.items.map(({ permission }) => permission))).toEqual(new Set(["review"]))
    for (const spaceId of spaces) await ada.call("deleteSpaceById", { spaceId })

    // Members are added to a team by id and by address, get another role in it, and are removed from it.
    const title = `Writers ${tag}`
    const team = await ada.call<Team>("createOrganizationTeam", at, { body: { title, members: [bob.id] } })
    await ada.call<Team>("createOrganizationTeam", at, {
      body: { title: `Readers ${tag}`, members: [bob.id] }
    })
    const inTeam = { ...at, teamId: team.id }
    const members = () => ada.call<Page<TeamMember>>("listTeamMembersInOrganizationById", inTeam)
    await ada.call("updateMembersInOrganizationTeam", inTeam, {
      body: { add: [cleo, emails[1]!], remove: [emails[1]!], memberships: { [bob.id]: { role: "owner" } } }
    })
    expect(memberRoles(await members())).toEqual(["bob owner", "cleo member"])
    await ada.call(
      "addMemberToOrganizationTeamById",
      { ...inTeam, userId: dora },
      { body: { role: "owner" } }
    )
    await ada.call(
      "addMemberToOrganizationTeamById",
      { ...inTeam, userId: dora },
      { body: { role: "member" } }
    )
    expect(memberRoles(await members())).toEqual(["bob owner", "cleo member", "dora member"])
    await ada.call("deleteMemberFromOrganizationTeamById", { ...inTeam, userId: dora })
    expect(memberRoles(await members())).toEqual(["bob owner", "cleo member"])
    const bobMember = { ...at, userId: bob.id }
    expect((await ada.call<Page<MemberTeam>>("listTeamsForOrganizationMember", bobMember)).count).toBe(2)
    const found = await ada.call<Page<MemberTeam>>("listTeamsForOrganizationMember", bobMember, {
      query: { title: "wRITERS" }
    })
    expect(found.items.map(({ team: { id }, member: { role } }) => [id, role])).toEqual([[team.id, "owner"]])

    // A removed member is also removed from teams.
    await ada.call("removeMemberFromOrganizationById", member)
    await ada.expectError(404, "getMemberInOrganizationById", member)
    expect(memberRoles(await members())).toEqual(["bob owner"])
  }
}

/** The certificate of an identity provider. It is valid until 2126; its private key was discarded. */
const certificate = `-----BEGIN CERTIFICATE-----
MIIBfTCCASOgAwIBAgIUX9njQJPm1DElDopu1TMnavkAu7AwCgYIKoZIzj0EAwIw
EzERMA8GA1UEAwwIQ29udHJhY3QwIBcNMjYxMTIxMTA1MTU4WhgPMjEyNjEwMjgx
MDUxNThaMBMxETAPBgNVBAMMCENvbnRyYWN0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAE0qUq9FoK5ZZubDouGlMrU0JWcH/aFsaJNYpwatsOJiUiHlw090t+M5QK
R1ib/WKYawWc/Q8C6p2QzUmE8J9MO6NTMFEwHQYDVR0OBBYEFDWD08g4uYi8H+Aj
KsaxVHlWD6b9MB8GA1UdIwQYMBaAFDWD08g4uYi8H+AjKsaxVHlWD6b9MA8GA1Ud
EwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIhAODaun0TTkeVbJ567lWB/Cki
a1YEm0wno9hqCGjdy55RAiAbCPPUSQpl4l4T5yhZ37ILujZAMZg7xv+TxtG4qTq5
Hw==
-----END CERTIFICATE-----`

export const samlProviders: ContractScenario = {
  title: "SAML providers of an organization are created, updated and deleted",
  run: async ({ ada, acme, tag }) => {
    const at = { organizationId: acme.id }
    const team = await ada.call<Team>("createOrganizationTeam", at, { body: { title: `Staff ${tag}` } })
    const settings = {
      label: "Head office",
      entityID: "https://login.example.com/entity",
      certificate,
      ssoURL: "https://login.example.com/sso",
      defaultTeam: team.id,
      defaultRole: "read"
    }
    const office = await ada.call<SamlProvider>("createOrganizationSAMLProvider", at, { body: settings })
    expect(office).toMatchObject({ label: "Head office", status: "active", defaultTeam: { id: team.id } })
    const branch = await ada.call<SamlProvider>("createOrganizationSAMLProvider", at, {
      body: { label: "Branch" }
    })
    expect(branch.status).toBe("pending")
    const listed = await ada.call<Page<SamlProvider>>("listSAMLProvidersInOrganizationById", at)
    expect(idsOf(listed).toSorted()).toEqual([office.id, branch.id].toSorted())

    // A provider becomes active once all settings are set. Users can choose among the active ones.
    const provider = { ...at, samlProviderId: branch.id }
    const changed = await ada.call<SamlProvider>("updateOrganizationSAMLProvider", provider, {
      body: { ...settings, label: "Branch office", defaultRole: "comment" }
    })
    expect(changed).toMatchObject({ label: "Branch office", status: "active", defaultRole: "comment" })
    expect(await ada.call<SamlProvider>("getOrganizationSAMLProviderById", provider)).toEqual(changed)
    const { items } = await ada.call<{ items: ReadonlyArray<SsoLogin> }>(
      "listSSOProviderLoginsInOrganization",
      at
    )
    expect(items.map(({ label, startURL }) => [label, URL.canParse(startURL)]).toSorted()).toEqual([
      ["Branch office", true],
      ["Head office", true]
    ])
    // A null removes the team of new members.
    const open = await ada.call<SamlProvider>("updateOrganizationSAMLProvider", provider, {
      body: { defaultTeam: null }
    })
    expect([open.label, "defaultTeam" in open]).toEqual(["Branch office", false])
    await ada.call("deleteOrganizationSAMLProvider", provider)
    await ada.expectError(404, "getOrganizationSAMLProviderById", provider)
  }
}
