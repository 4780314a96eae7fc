/** People, through the unmodified official client: invites, teams, permissions and single sign-on. */
import { GitBookAPI, MemberRole, TeamMemberRole } from "@gitbook/api"
import { describe, expect, it } from "vitest"
import { buildSignedResponse, makeKeys, parseLoginRequest } from "./identityProvider.ts"
import { ruleDatabases } from "./stores.ts"
import { startServerOn, type TestServer } from "./support.ts"

/** The entity id of an identity provider. */
const issuer = "https://idp.example.com"

/** Starts an organization with a space in a collection whose default level is null. Ada is in no organization. */
const startClients = async (store: (typeof ruleDatabases)[number]) => {
  const server = await startServerOn(store)
  const { core } = server
  const admin = await core.createUser("admin@example.com")
  const ada = await core.createUser("ada@example.com")
  const organization = await core.createOrganization("Acme", admin)
  const clientOf = async (user: string) =>
    new GitBookAPI({ endpoint: server.url, authToken: await server.tokenOf(user) })
  const [ours, hers] = [await clientOf(admin), await clientOf(ada)]
  const handbook = (await ours.orgs.createCollection(organization, { title: "Handbook" })).data
  const space = (await ours.orgs.createSpace(organization, { title: "People", parent: handbook.id })).data
  await ours.collections.updateCollectionById(handbook.id, { defaultLevel: null })
  return { server, admin, ada, organization, ours, hers, handbook, space }
}

/** Also makes Ada a guest, and a member of a team with the role `edit` on the collection. */
const startWithTeam = async (store: (typeof ruleDatabases)[number]) => {
  const world = await startClients(store)
  const { ours, hers, organization, handbook } = world
  const link = (await ours.orgs.createOrganizationInvite(organization, { role: null })).data
  await hers.orgs.joinOrganizationWithInvite(organization, link.id)
  const team = (await ours.orgs.createOrganizationTeam(organization, { title: "Writers" })).data
  await ours.orgs.updateMembersInOrganizationTeam(organization, team.id, { add: ["ADA@example.com"] })
  await ours.collections.inviteToCollection(handbook.id, { role: MemberRole.Edit, teams: [team.id] })
  return { ...world, team: team.id }
}

/** Creates a SAML provider of an organization, logs Ada in through it, and returns a client with her token. */
const logInBySaml = async (server: TestServer, ours: GitBookAPI, hers: GitBookAPI, organization: string) => {
  const keys = await makeKeys()
  const provider = (
    await ours.orgs.createOrganizationSamlProvider(organization, {
      label: "Acme",
      entityID: issuer,
      certificate: keys.certificate,
      ssoURL: `${issuer}/sso`
    })
  ).data
  const [login] = (await hers.orgs.listSsoProviderLoginsInOrganization(organization)).data.items
  expect(login?.startURL).toBe(provider.service.startURL)
  const start = await server.fetch(new URL(login!.startURL).pathname, { redirect: "manual" })
  const request = parseLoginRequest(start.headers.get("location")!)
  const xml = buildSignedResponse(
    {
      email: "ada@example.com",
      audience: provider.service.entityID,
      recipient: provider.service.acsURL,
      destination: provider.service.acsURL,
      issuer,
      inResponseTo: request.id,
      notBeforeMillis: -1000,
      notAfterMillis: 600_000,
      signed: "assertion"
    },
    keys
  )
  const response = await server.fetch(new URL(provider.service.acsURL).pathname, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      SAMLResponse: Buffer.from(xml).toString("base64"),
      RelayState: request.state
    }).toString()
  })
  const { token } = (await response.json()) as { token: string }
  return new GitBookAPI({ endpoint: server.url, authToken: token })
}

describe("the official client, unmodified", () => {
  for (const store of ruleDatabases) {
    it(`joins as a guest by an invite link, on ${store.name}`, async () => {
      const { ours, hers, organization, space } = await startClients(store)
      const link = (await ours.orgs.createOrganizationInvite(organization, { role: null })).data
      const isRedundant = async () =>
        (await hers.orgs.getOrganizationInviteLink(organization, link.id)).data.redundant
      expect(await isRedundant()).toBe(false)
      await expect(hers.orgs.getOrganizationById(organization)).rejects.toMatchObject({ code: 404 })
      await hers.orgs.joinOrganizationWithInvite(organization, link.id)
      expect(await isRedundant()).toBe(true)
      expect((await hers.orgs.getOrganizationById(organization)).data.permissions.view).toBe(true)
      await expect(hers.spaces.getSpaceById(space.id)).rejects.toMatchObject({ code: 404 })
    })

    it(`lists the roles that a shared collection grants to a team, on ${store.name}`, async () => {
      const { ours, hers, organization, ada, space, team } = await startWithTeam(store)
      const seen = (await hers.spaces.getSpaceById(space.id)).data
      expect(seen.permissions).toMatchObject({ view: true, edit: true, merge: false })
      const memberSpaces = (await ours.orgs.listSpacesForOrganizationMember(organization, ada)).data
      expect(memberSpaces.items.map(({ permission, space }) => [permission, space.title])).toEqual([
        ["edit", "People"]
      ])
      const permissions = (await ours.spaces.listPermissionsAggregateInSpace(space.id)).data
      expect(permissions.items.map(({ permission, user }) => [permission, user.displayName])).toEqual([
        ["edit", "ada"],
        ["admin", "admin"]
      ])
      const writers = (await ours.orgs.getTeamInOrganizationById(organization, team)).data
      expect(writers).toMatchObject({ members: 1, spaces: 1 })
    })

    it(`loses access to a space on leaving the team, and regains it on joining again, on ${store.name}`, async () => {
      const { ours, hers, organization, ada, space, team } = await startWithTeam(store)
      await ours.orgs.deleteMemberFromOrganizationTeamById(organization, team, ada)
      await expect(hers.spaces.getSpaceById(space.id)).rejects.toMatchObject({ code: 404 })
      await ours.orgs.addMemberToOrganizationTeamById(organization, team, ada, {
        role: TeamMemberRole.Owner
      })
      expect((await hers.spaces.getSpaceById(space.id)).data.title).toBe("People")
    })

    it(`adds invited users to a team as an owner of the team, on ${store.name}`, async () => {
      const { ours, hers, organization, ada, team } = await startWithTeam(store)
      await ours.orgs.addMemberToOrganizationTeamById(organization, team, ada, {
        role: TeamMemberRole.Owner
      })
      const invited = (
        await ours.orgs.inviteUsersToOrganization(organization, {
          emails: ["bob@example.com"],
          role: MemberRole.Read
        })
      ).data
      await hers.orgs.updateMembersInOrganizationTeam(organization, team, { add: invited.users })
      const inTeam = (await ours.orgs.listTeamMembersInOrganizationById(organization, team)).data
      expect(inTeam.items.map(({ organization, team }) => [organization.user.email, team.role])).toEqual([
        ["bob@example.com", "member"],
        ["ada@example.com", "owner"]
      ])
    })

    it(`calls the API with the token of a SAML login, on ${store.name}`, async () => {
      const { server, ours, hers, organization, ada, space } = await startWithTeam(store)
      const signedOn = await logInBySaml(server, ours, hers, organization)
      expect((await signedOn.user.getAuthenticatedUser()).data.id).toBe(ada)
      expect((await signedOn.spaces.getSpaceById(space.id)).data.permissions.edit).toBe(true)
    })

    it(`loses access with every token when its user is removed, on ${store.name}`, async () => {
      const { server, ours, hers, organization, ada, space, team } = await startWithTeam(store)
      const invited = (
        await ours.orgs.inviteUsersToOrganization(organization, {
          emails: ["bob@example.com"],
          role: MemberRole.Read
        })
      ).data
      await ours.orgs.updateMembersInOrganizationTeam(organization, team, { add: invited.users })
      const signedOn = await logInBySaml(server, ours, hers, organization)
      await ours.orgs.removeMemberFromOrganizationById(organization, ada)
      // The token of the login ends with the membership.
      for (const [removed, code] of [[hers, 404] as const, [signedOn, 401] as const]) {
        await expect(removed.spaces.getSpaceById(space.id)).rejects.toMatchObject({ code })
        await expect(removed.orgs.getOrganizationById(organization)).rejects.toMatchObject({ code })
      }
      expect((await ours.orgs.getTeamInOrganizationById(organization, team)).data.members).toBe(1)
    })
  }
})
