/** Teams are listed, renamed and removed, and users join an organization by a link. */
import type { Invite, Member, OrganizationUsage, Page, Space, Team } from "@lectern/core"
import { expect } from "vitest"
import type { ContractScenario } from "../Scenario.ts"
import { idsOf } from "./helpers.ts"

export const teams: ContractScenario = {
  title: "Teams are listed, renamed and removed",
  requires: ["organizations", "teams", "invites"],
  run: async ({ ada, bob, acme, tag }) => {
    const at = { organizationId: acme.id }
    const create = (title: string) =>
      ada.call<Team>("createOrganizationTeam", at, { body: { title, members: [bob.id] } })
    const [authors, reviewers] = [
      await create(`Alpha authors ${tag}`),
      await create(`Alpha reviewers ${tag}`)
    ]
    const ownerRole = { role: "owner" }
    await ada.call(
      "addMemberToOrganizationTeamById",
      { ...at, teamId: authors.id, userId: bob.id },
      { body: ownerRole }
    )
    const list = async (query: { readonly [name: string]: string }) =>
      idsOf(await ada.call<Page<Team>>("listTeamsInOrganizationById", at, { query }))
    expect((await list({})).slice(0, 2).toSorted()).toEqual([authors.id, reviewers.id].toSorted())
    expect(await list({ title: "AUTHORS" })).toEqual([authors.id])
    expect(await list({ owner: bob.id, title: "alpha" })).toEqual([authors.id])

    const team = { ...at, teamId: authors.id }
    const body = { title: `Technical writers ${tag}` }
    const renamed = await ada.call<Team>("updateTeamInOrganizationById", team, { body })
    expect(renamed).toMatchObject(body)
    expect(await ada.call<Team>("getTeamInOrganizationById", team)).toEqual(renamed)
    await ada.call("removeTeamFromOrganizationById", team)
    await ada.expectError(404, "getTeamInOrganizationById", team)
  }
}

export const inviteLinks: ContractScenario = {
  title: "A user joins an organization by an invite link",
  requires: ["organizations", "teams", "invites"],
  run: async ({ ada, eve, acme }) => {
    const at = { organizationId: acme.id }
    const create = (role: string) =>
      ada.call<Invite>("createOrganizationInvite", at, {
        body: { role, expiresAt: null, maximumUses: null }
      })
    const usage = await ada.call<OrganizationUsage>("getOrganizationUsage", at)
    expect(usage).toMatchObject({ object: "organization-usage", organization: acme.id })
    expect(usage.members.used).toBeGreaterThanOrEqual(1)
    await eve.expectError(404, "getOrganizationUsage", at)

    const [reading, commenting] = [await create("read"), await create("comment")]
    const { items } = await ada.call<Page<Invite>>("listOrganizationInviteLinks", at)
    expect(idsOf({ items }).toSorted()).toEqual([reading.id, commenting.id].toSorted())

    // The first call of an operation is repeated by Eve, who must be rejected.
    await ada.call("getMemberInOrganizationById", { ...at, userId: ada.id })
    await eve.call("joinOrganizationWithInvite", { ...at, inviteId: commenting.id })
    const member = { ...at, userId: eve.id }
    expect((await ada.call<Member>("getMemberInOrganizationById", member)).role).toBe("comment")
    // Other scenarios require that Eve is not a member.
    await ada.call("removeMemberFromOrganizationById", member)
    for (const { id } of items) await ada.call("deleteOrganizationInviteById", { ...at, inviteId: id })
    await eve.expectError(404, "joinOrganizationWithInvite", { ...at, inviteId: reading.id })
  }
}

export const organizationSpaces: ContractScenario = {
  title: "All spaces of an organization are listed",
  requires: ["spaces"],
  run: async ({ ada, acme }) => {
    const at = { organizationId: acme.id }
    const create = (title: string) => ada.call<Space>("createSpace", at, { body: { title } })
    const created = [await create("Guide"), await create("Reference")]
    const first = await ada.call<Page<Space>>("listSpacesInOrganizationById", at, { query: { limit: 1 } })
    expect([first.items.length, first.count >= created.length]).toEqual([1, true])
    const listed = idsOf(await ada.call<Page<Space>>("listSpacesInOrganizationById", at))
    expect(listed).toEqual(expect.arrayContaining(created.map(({ id }) => id)))
  }
}
