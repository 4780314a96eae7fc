/** Members, through the unmodified official client: invites, teams, permissions and single sign-on. */
import { GitBookAPI, MemberRole, TeamMemberRole } from "@gitbook/api"
import { describe, expect, it } from "vitest"
import { makeKeys, parseAuthnRequest, signedResponse } from "./identityProvider.ts"
import { stores } from "./stores.ts"
import { startServerOn, type TestServer } from "./support.ts"

/** The entity id of an identity provider. */
const issuer = "https://idp.example.com"

/** Creates a space in a collection without a default role. Ada is not a member of the organization. */
const startClients = async (store: (typeof stores)[number]) => {
  const server = await startServerOn(store)
  const { core } = server
  const admin = await core.createUser("admin@example.com")
  const ada = await core.createUser("ada@example.com")
  const organization = await core.createOrganization("Acme", admin)
  const clientOf = async (user: string) =>
    new GitBookAPI({ endpoint: server.url, authToken: await server.tokenOf(user) })
  const [adminsClient, adasClient] = [await clientOf(admin), await clientOf(ada)]
  const handbook = (await adminsClient.orgs.createCollection(organization, { title: "Handbook" })).data
  const space = (await adminsClient.orgs.createSpace(organization, { title: "People", parent: handbook.id }))
    .data
  await adminsClient.collections.updateCollectionById(handbook.id, { defaultLevel: null })
  return { server, admin, ada, organization, adminsClient, adasClient, handbook, space }
}

/** The same, with Ada as a guest and a member of a team with the role `edit` on the collection. */
const startWithTeam = async (store: (typeof stores)[number]) => {
  const setup = await startClients(store)
  const { adminsClient, adasClient, organization, handbook } = setup
  const link = (await adminsClient.orgs.createOrganizationInvite(organization, { role: null })).data
  await adasClient.orgs.joinOrganizationWithInvite(organization, link.id)
  const team = (await adminsClient.orgs.createOrganizationTeam(organization, { title: "Writers" })).data
  await adminsClient.orgs.updateMembersInOrganizationTeam(organization, team.id, { add: ["ADA@example.com"] })
  await adminsClient.collections.inviteToCollection(handbook.id, { role: MemberRole.Edit, teams: [team.id] })
  return { ...setup, team: team.id }
}

/** Creates a SAML provider, logs Ada in with it, and returns a client with her token. */
const logInWithSaml = async (
  server: TestServer,
  adminsClient: GitBookAPI,
  adasClient: GitBookAPI,
  organization: string
) => {
  const keys = await makeKeys()
  const provider = (
    await adminsClient.orgs.createOrganizationSamlProvider(organization, {
      label: "Acme",
      entityID: issuer,
      certificate: keys.certificate,
      ssoURL: `${issuer}/sso`
    })
  ).data
  const [login] = (await adasClient.orgs.listSsoProviderLoginsInOrganization(organization)).data.items
  expect(login?.startURL).toBe(provider.service.startURL)
  const start = await server.fetch(new URL(login!.startURL).pathname, { redirect: "manual" })
  const authnRequest = parseAuthnRequest(start.headers.get("location")!)
  const xml = signedResponse(
    {
      email: "ada@example.com",
      audience: provider.service.entityID,
      recipient: provider.service.acsURL,
      destination: provider.service.acsURL,
      issuer,
      inResponseTo: authnRequest.id,
      from: -1000,
      until: 600_000,
      signs: "assertion"
    },
    keys
  )
  const response = await server.fetch(new URL(provider.service.acsURL).pathname, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      SAMLResponse: Buffer.from(xml).toString("base64"),
      RelayState: authnRequest.state
    }).toString()
  })
  const { token } = (await response.json()) as { token: string }
  return new GitBookAPI({ endpoint: server.url, authToken: token })
}

describe("the official client, unmodified", () => {
  for (const store of stores) {
    it(`joins an organization as a guest with an invite link, on ${store.name}`, async () => {
      const { adminsClient, adasClient, organization, space } = await startClients(store)
      const link = (await adminsClient.orgs.createOrganizationInvite(organization, { role: null })).data
      const isRedundant = async () =>
        (await adasClient.orgs.getOrganizationInviteLink(organization, link.id)).data.redundant
      expect(await isRedundant()).toBe(false)
      await expect(adasClient.orgs.getOrganizationById(organization)).rejects.toMatchObject({ code: 404 })
      await adasClient.orgs.joinOrganizationWithInvite(organization, link.id)
      expect(await isRedundant()).toBe(true)
      expect((await adasClient.orgs.getOrganizationById(organization)).data.permissions.view).toBe(true)
      await expect(adasClient.spaces.getSpaceById(space.id)).rejects.toMatchObject({ code: 404 })
    })

    it(`lists the roles of a team on the spaces of a shared collection, on ${store.name}`, async () => {
      const { adminsClient, adasClient, organization, ada, space, team } = await startWithTeam(store)
      const seen = (await adasClient.spaces.getSpaceById(space.id)).data
      expect(seen.permissions).toMatchObject({ view: true, edit: true, merge: false })
      const memberSpaces = (await adminsClient.orgs.listSpacesForOrganizationMember(organization, ada)).data
      expect(memberSpaces.items.map(({ permission, space }) => [permission, space.title])).toEqual([
        ["edit", "People"]
      ])
      const aggregated = (await adminsClient.spaces.listPermissionsAggregateInSpace(space.id)).data
      expect(aggregated.items.map(({ permission, user }) => [permission, user.displayName])).toEqual([
        ["edit", "ada"],
        ["admin", "admin"]
      ])
      const writers = (await adminsClient.orgs.getTeamInOrganizationById(organization, team)).data
      expect(writers).toMatchObject({ members: 1, spaces: 1 })
    })

    it(`loses access to a space on leaving a team, and regains it on joining again, on ${store.name}`, async () => {
      const { adminsClient, adasClient, organization, ada, space, team } = await startWithTeam(store)
      await adminsClient.orgs.deleteMemberFromOrganizationTeamById(organization, team, ada)
      await expect(adasClient.spaces.getSpaceById(space.id)).rejects.toMatchObject({ code: 404 })
      await adminsClient.orgs.addMemberToOrganizationTeamById(organization, team, ada, {
        role: TeamMemberRole.Owner
      })
      expect((await adasClient.spaces.getSpaceById(space.id)).data.title).toBe("People")
    })

    it(`adds invited users to a team as its owner, on ${store.name}`, async () => {
      const { adminsClient, adasClient, organization, ada, team } = await startWithTeam(store)
      await adminsClient.orgs.addMemberToOrganizationTeamById(organization, team, ada, {
        role: TeamMemberRole.Owner
      })
      const invited = (
        await adminsClient.orgs.inviteUsersToOrganization(organization, {
          emails: ["bob@example.com"],
          role: MemberRole.Read
        })
      ).data
      await adasClient.orgs.updateMembersInOrganizationTeam(organization, team, { add: invited.users })
      const inTeam = (await adminsClient.orgs.listTeamMembersInOrganizationById(organization, team)).data
      expect(inTeam.items.map(({ organization, team }) => [organization.user.email, team.role])).toEqual([
        ["bob@example.com", "member"],
        ["ada@example.com", "owner"]
      ])
    })

    it(`calls the API with the token of a SAML login, on ${store.name}`, async () => {
      const { server, adminsClient, adasClient, organization, ada, space } = await startWithTeam(store)
      const samlClient = await logInWithSaml(server, adminsClient, adasClient, organization)
      expect((await samlClient.user.getAuthenticatedUser()).data.id).toBe(ada)
      expect((await samlClient.spaces.getSpaceById(space.id)).data.permissions.edit).toBe(true)
    })

    it(`loses access by every token once its user is removed, on ${store.name}`, async () => {
      const { server, adminsClient, adasClient, organization, ada, space, team } = await startWithTeam(store)
      const invited = (
        await adminsClient.orgs.inviteUsersToOrganization(organization, {
          emails: ["bob@example.com"],
          role: MemberRole.Read
        })
      ).data
      await adminsClient.orgs.updateMembersInOrganizationTeam(organization, team, { add: invited.users })
      const samlClient = await logInWithSaml(server, adminsClient, adasClient, organization)
      await adminsClient.orgs.removeMemberFromOrganizationById(organization, ada)
      for (const removed of [adasClient, samlClient]) {
        await expect(removed.spaces.getSpaceById(space.id)).rejects.toMatchObject({ code: 404 })
        await expect(removed.orgs.getOrganizationById(organization)).rejects.toMatchObject({ code: 404 })
      }
      expect((await adminsClient.orgs.getTeamInOrganizationById(organization, team)).data.members).toBe(1)
    })
  }
})
