/** The people of an organization, over HTTP: what the official client does, and what no client should get away with. */
import { GitBookAPI, MemberRole, TeamMemberRole } from "@gitbook/api"
import { Administration, type Member, type Organization } from "@lectern/core"
import { roundTrips } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Redacted } from "effect"
import { jwtVerify } from "jose"
import { describe, expect, it } from "vitest"
import { callByContract } from "./caller.ts"
import { answerOf, makeKeys, questionOf } from "./identityProvider.ts"
import { memory, stores } from "./stores.ts"
import { startServer, type TestServer } from "./support.ts"

/** Calls the server, checks the body of a success against the public contract, and answers status and body. */
const caller =
  (server: TestServer) =>
  async <A>(token: string, operation: string, method: string, path: string, body?: unknown) => {
    const { status, value } = await callByContract<A>(server, token, operation, method, path, body)
    return { status, value }
  }

interface List<A> {
  readonly count: number
  readonly items: ReadonlyArray<A>
  readonly next?: { readonly page: string }
}

/** An organization of three readers beside its administrator, whose token it is. */
const withThree = async (server: TestServer) => {
  const call = caller(server)
  const admin = await server.core.createUser("admin@example.com")
  const id = await server.core.createOrganization("Acme", admin)
  const token = await server.tokenOf(admin)
  const { value } = await call<{ users: ReadonlyArray<string> }>(token, "", "POST", `/orgs/${id}/invites`, {
    role: "read",
    emails: ["ada@example.com", "bob@example.com", "cy@example.com"]
  })
  const [ada, bob, cy] = value.users as [string, string, string]
  return { call, admin, id, token, ada, bob, cy }
}

describe("the official client, unmodified", () => {
  for (const { name, make } of stores) {
    it(`invites, joins, shares with a team, and logs in by SAML, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const { core } = server
        const admin = await core.createUser("admin@example.com")
        const ada = await core.createUser("ada@example.com")
        const organization = await core.createOrganization("Acme", admin)
        const client = async (user: string) =>
          new GitBookAPI({ endpoint: server.url, authToken: await server.tokenOf(user) })
        const [ours, hers] = [await client(admin), await client(ada)]

        const handbook = (await ours.orgs.createCollection(organization, { title: "Handbook" })).data
        const space = (await ours.orgs.createSpace(organization, { title: "People", parent: handbook.id }))
          .data
        await ours.collections.updateCollectionById(handbook.id, { defaultLevel: null })

        // A link, by which somebody joins as a guest.
        const link = (await ours.orgs.createOrganizationInvite(organization, { role: null })).data
        expect((await hers.orgs.getOrganizationInviteLink(organization, link.id)).data.redundant).toBe(false)
        await expect(hers.orgs.getOrganizationById(organization)).rejects.toMatchObject({ code: 404 })
        await hers.orgs.joinOrganizationWithInvite(organization, link.id)
        expect((await hers.orgs.getOrganizationInviteLink(organization, link.id)).data.redundant).toBe(true)
        expect((await hers.orgs.getOrganizationById(organization)).data.permissions.view).toBe(true)
        await expect(hers.spaces.getSpaceById(space.id)).rejects.toMatchObject({ code: 404 })

        // A team that is shared the collection; its member sees what is in it, and loses it with the team.
        const team = (await ours.orgs.createOrganizationTeam(organization, { title: "Writers" })).data
        await ours.orgs.updateMembersInOrganizationTeam(organization, team.id, { add: ["ADA@example.com"] })
        await ours.collections.inviteToCollection(handbook.id, { role: MemberRole.Edit, teams: [team.id] })
        const seen = (await hers.spaces.getSpaceById(space.id)).data
        expect(seen.permissions).toMatchObject({ view: true, edit: true, merge: false })
        const hasRole = (await ours.orgs.listSpacesForOrganizationMember(organization, ada)).data
        expect(hasRole.items.map(({ permission, space }) => [permission, space.title])).toEqual([
          ["edit", "People"]
        ])
        const everybody = (await ours.spaces.listPermissionsAggregateInSpace(space.id)).data
        expect(everybody.items.map(({ permission, user }) => [permission, user.displayName])).toEqual([
          ["edit", "ada"],
          ["admin", "admin"]
        ])
        const writers = (await ours.orgs.getTeamInOrganizationById(organization, team.id)).data
        expect(writers).toMatchObject({ members: 1, spaces: 1 })
        await ours.orgs.deleteMemberFromOrganizationTeamById(organization, team.id, ada)
        await expect(hers.spaces.getSpaceById(space.id)).rejects.toMatchObject({ code: 404 })
        await ours.orgs.addMemberToOrganizationTeamById(organization, team.id, ada, {
          role: TeamMemberRole.Owner
        })
        expect((await hers.spaces.getSpaceById(space.id)).data.title).toBe("People")

        // As an owner she takes others in, who come by their address.
        const invited = (
          await ours.orgs.inviteUsersToOrganization(organization, {
            emails: ["bob@example.com"],
            role: MemberRole.Read
          })
        ).data
        await hers.orgs.updateMembersInOrganizationTeam(organization, team.id, { add: invited.users })
        const inTeam = (await ours.orgs.listTeamMembersInOrganizationById(organization, team.id)).data
        expect(inTeam.items.map(({ organization, team }) => [organization.user.email, team.role])).toEqual([
          ["bob@example.com", "member"],
          ["ada@example.com", "owner"]
        ])

        // Single sign-on: the token that comes back is used.
        const keys = await makeKeys()
        const provider = (
          await ours.orgs.createOrganizationSamlProvider(organization, {
            label: "Acme",
            entityID: "https://idp.example.com",
            certificate: keys.certificate,
            ssoURL: "https://idp.example.com/sso"
          })
        ).data
        const [login] = (await hers.orgs.listSsoProviderLoginsInOrganization(organization)).data.items
        expect(login?.startURL).toBe(provider.service.startURL)
        const start = await server.fetch(new URL(login!.startURL).pathname, { redirect: "manual" })
        const question = questionOf(start.headers.get("location")!)
        const xml = answerOf(
          {
            email: "ada@example.com",
            audience: provider.service.entityID,
            recipient: provider.service.acsURL,
            destination: provider.service.acsURL,
            issuer: "https://idp.example.com",
            inResponseTo: question.id,
            from: -1000,
            until: 60_000,
            signs: "assertion"
          },
          keys
        )
        const answer = await server.fetch(new URL(provider.service.acsURL).pathname, {
          method: "POST",
          headers: { "content-type": "application/x-www-form-urlencoded" },
          body: new URLSearchParams({
            SAMLResponse: Buffer.from(xml).toString("base64"),
            RelayState: question.state
          }).toString()
        })
        const { token } = (await answer.json()) as { token: string }
        const signedOn = new GitBookAPI({ endpoint: server.url, authToken: token })
        expect((await signedOn.user.getAuthenticatedUser()).data.id).toBe(ada)
        expect((await signedOn.spaces.getSpaceById(space.id)).data.permissions.edit).toBe(true)

        // Removed, she is out at once, by every token.
        await ours.orgs.removeMemberFromOrganizationById(organization, ada)
        for (const gone of [hers, signedOn]) {
          await expect(gone.spaces.getSpaceById(space.id)).rejects.toMatchObject({ code: 404 })
          await expect(gone.orgs.getOrganizationById(organization)).rejects.toMatchObject({ code: 404 })
        }
        expect((await ours.orgs.getTeamInOrganizationById(organization, team.id)).data.members).toBe(1)
      } finally {
        await server.close()
      }
    })
  }
})

describe("organizations", () => {
  for (const { name, make } of [memory, ...stores]) {
    it(`take every change, and keep what is left out, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const call = caller(server)
        const admin = await server.core.createUser("admin@example.com")
        const id = await server.core.createOrganization("Acme", admin)
        const other = await server.core.createOrganization("Other", admin)
        const token = await server.tokenOf(admin)
        const patch = (body: unknown, which = id) =>
          call<Organization>(token, "updateOrganizationById", "PATCH", `/orgs/${which}`, body)

        const all = {
          title: "New",
          emailDomains: ["Example.com", "example.org", "example.com"],
          hostname: "acme-docs",
          defaultRole: "comment",
          logo: "https://example.com/logo.png",
          ai: true,
          inviteLinks: false
        }
        const { emailDomains: _, logo, ...same } = all
        const changed = await patch(all)
        expect(changed.status).toBe(200)
        expect(changed.value).toMatchObject({ ...same, emailDomains: ["example.com", "example.org"] })
        expect(changed.value.urls.logo).toBe(logo)
        expect((await patch({})).value).toEqual(changed.value)
        const cleared = (await patch({ logo: null, defaultRole: null, defaultContent: null })).value
        expect([cleared.urls.logo, cleared.defaultRole, cleared.defaultContent]).toEqual([
          undefined,
          null,
          undefined
        ])
        expect((await patch({ hostname: "acme-docs" }, other)).status).toBe(409)
        for (const [field, value] of [
          ["title", "A"],
          ["title", "x".repeat(256)],
          ["hostname", "ab"],
          ["hostname", "-abc"],
          ["hostname", "x".repeat(33)],
          ["emailDomains.0", ["no domain"]],
          ["logo", "javascript:alert(1)"],
          ["logo", `https://example.com/${"x".repeat(2048)}`],
          ["defaultRole", "owner"],
          ["defaultContent.site", { type: "site", site: "nothing" }],
          ["defaultContent.site", { type: "site", site: "\ud800" }],
          ["defaultContent.site", { type: "site", site: "no id" }]
        ] as const) {
          const name = field.split(".")[0]!
          const refused = await call<{ error: { details: ReadonlyArray<{ path: string }> } }>(
            token,
            "",
            "PATCH",
            `/orgs/${id}`,
            { [name]: value }
          )
          expect([refused.status, refused.value.error.details[0]!.path]).toEqual([400, field])
        }

        const ofDomain = async (as: string, domain: string) =>
          (
            await call<{ organizations: ReadonlyArray<Organization> }>(
              as,
              "getOrganizationsForEmailDomain",
              "GET",
              `/email-domains/${domain}/orgs`
            )
          ).value.organizations
        const stranger = await server.tokenOf(await server.core.createUser("eve@example.net"))
        const colleague = await server.tokenOf(await server.core.createUser("cy@example.com"))
        expect((await ofDomain(token, "EXAMPLE.com")).map(({ id }) => id)).toEqual([id])
        expect(await ofDomain(stranger, "example.com")).toEqual([])
        expect(await ofDomain(token, "example.org")).toEqual([])
        const found = await ofDomain(colleague, "example.com")
        expect(found.map(({ id, permissions }) => [id, permissions.view])).toEqual([[id, false]])
        await patch({ emailDomains: [] })
        expect(await ofDomain(token, "example.com")).toEqual([])
      } finally {
        await server.close()
      }
    })
  }
})

describe("members", () => {
  for (const { name, make } of [memory, ...stores]) {
    it(`are found, sorted and told apart, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const call = caller(server)
        const admin = await server.core.createUser("admin@example.com")
        const id = await server.core.createOrganization("Acme", admin)
        const token = await server.tokenOf(admin)
        const invited = await call<{ users: ReadonlyArray<string>; invited: number }>(
          token,
          "inviteUsersToOrganization",
          "POST",
          `/orgs/${id}/invites`,
          {
            role: "edit",
            emails: [
              "ada@example.com",
              { email: "Grace@Example.com", role: null },
              "ADA@example.com",
              "admin@example.com"
            ]
          }
        )
        expect(invited.value.invited).toBe(2)
        const [ada, grace] = invited.value.users as [string, string]
        const list = async (query: string) =>
          (
            await call<List<Member>>(
              token,
              "listMembersInOrganizationById",
              "GET",
              `/orgs/${id}/members?${query}`
            )
          ).value
        const names = async (query: string) => (await list(query)).items.map(({ user }) => user.displayName)
        expect(await names("")).toEqual(["grace", "ada", "admin"])
        expect(await names("order=asc")).toEqual(["admin", "ada", "grace"])
        expect(await names("role=guest")).toEqual(["grace"])
        expect(await names("role=edit")).toEqual(["ada"])
        expect(await names("search=GRA")).toEqual(["grace"])
        expect(await names("search=example.com&limit=2")).toEqual(["grace", "ada"])
        expect(await names("search=%25")).toEqual([])
        expect((await list("search=a&limit=0")).count).toBe(3)
        expect(await names("sort=lastSeenAt")).toEqual([])

        // By name: of whatever writing, and as it is by now.
        const hers = await server.tokenOf(ada)
        await call(hers, "updateUserById", "PATCH", `/users/${ada}`, { displayName: "ÉMILIE Straße" })
        expect(await names(`search=${encodeURIComponent("e\u0301milie")}`)).toEqual(["ÉMILIE Straße"])
        expect((await call(hers, "", "PATCH", `/users/${admin}`, { displayName: "x" })).status).toBe(403)

        const ping = (as: string) =>
          call<{ serviceVisitorClaims?: string }>(as, "", "POST", `/orgs/${id}/ping`)
        expect(await ping(await server.tokenOf(grace))).toEqual({ status: 200, value: {} })
        await server.core.advance(1000)
        await ping(hers)
        expect(await names("sort=lastSeenAt")).toEqual(["ÉMILIE Straße", "grace"])
        const first = await list("sort=lastSeenAt&limit=1&order=asc")
        expect(first.count).toBe(2)
        expect(await names(`sort=lastSeenAt&limit=1&order=asc&page=${first.next!.page}`)).toEqual([
          "ÉMILIE Straße"
        ])

        // Claims for sites, once the organization has a key for them.
        const key = await server.core.runtime.runPromise(
          Effect.flatMap(Administration, (administration) => administration.renewVisitorKey(id))
        )
        const { serviceVisitorClaims } = (await ping(hers)).value
        const verified = await jwtVerify(
          serviceVisitorClaims!,
          new TextEncoder().encode(Redacted.value(key)),
          { audience: id, currentDate: new Date(server.core.now()) }
        )
        expect(verified.payload).toMatchObject({ sub: ada, role: "edit", teams: [], organization: id })

        // The last administrator stays; of two, one may go.
        const demote = () => call(token, "", "PATCH", `/orgs/${id}/members/${admin}`, { role: "read" })
        expect((await demote()).status).toBe(409)
        expect((await call(token, "", "DELETE", `/orgs/${id}/members/${admin}`)).status).toBe(409)
        await call(token, "updateMemberInOrganizationById", "PATCH", `/orgs/${id}/members/${ada}`, {
          role: "admin"
        })
        expect((await demote()).status).toBe(200)
      } finally {
        await server.close()
      }
    })
  }

  it("by single sign-on are of one organization alone", async () => {
    const server = await startServer(await memory.make())
    try {
      const call = caller(server)
      const admin = await server.core.createUser("admin@example.com")
      const token = await server.tokenOf(admin)
      const [one, two] = [
        await server.core.createOrganization("One", admin),
        await server.core.createOrganization("Two", admin)
      ]
      const invite = (id: string, emails: ReadonlyArray<string>) =>
        call<{ users: ReadonlyArray<string> }>(
          token,
          "inviteUsersToOrganization",
          "POST",
          `/orgs/${id}/invites`,
          { emails, sso: true }
        )
      const first = await invite(one, ["ada@example.com"])
      const second = await invite(two, ["ada@example.com", "bob@example.com"])
      expect(second.value).toMatchObject({ invited: 2, failedSSOEmails: ["ada@example.com"] })
      const sso = async (id: string, user: string) =>
        (await call<Member>(token, "getMemberInOrganizationById", "GET", `/orgs/${id}/members/${user}`)).value
          .sso
      const [ada] = first.value.users as [string]
      expect([await sso(one, ada), await sso(two, ada)]).toEqual([true, false])
    } finally {
      await server.close()
    }
  })

  it("are listed a thousand at a time in six ways to the database, and a role takes one", async () => {
    const store = roundTrips(MemoryStorage.layer())
    const server = await startServer(store.layer)
    try {
      const admin = await server.core.createUser("admin@example.com")
      const id = await server.core.createOrganization("Acme", admin)
      const token = await server.tokenOf(admin)
      const call = caller(server)
      for (let i = 0; i < 10; i++) {
        const emails = Array.from({ length: 100 }, (_, n) => `user-${i * 100 + n}@example.com`)
        await call(token, "", "POST", `/orgs/${id}/invites`, { emails, role: null })
      }
      const list = `/orgs/${id}/members?limit=1000`
      const members = (await call<List<Member>>(token, "", "GET", list)).value.items.map(({ id }) => id)

      // Eight collections deep, with fifty teams, one of which has the role.
      let parent: string | undefined
      for (let depth = 0; depth < 8; depth++) {
        const made: { value: { id: string } } = await call(token, "", "POST", `/orgs/${id}/collections`, {
          ...(parent === undefined ? {} : { parent })
        })
        parent = made.value.id
      }
      const space = await call<{ id: string }>(token, "", "POST", `/orgs/${id}/spaces`, { parent })
      for (let i = 0; i < 50; i++) {
        const team = await call<{ id: string }>(token, "", "PUT", `/orgs/${id}/teams`, {
          title: `Team ${i}`,
          members: members.slice(0, 500)
        })
        if (i === 25) {
          await call(token, "", "POST", `/collections/${parent}/permissions`, {
            role: "edit",
            teams: [team.value.id]
          })
        }
      }

      await call(token, "", "GET", "/user")
      store.take()
      const listed = (await call<List<Member>>(token, "listMembersInOrganizationById", "GET", list)).value
      // One of them is to tell who asks.
      expect(store.take() - 1).toBeLessThanOrEqual(6)
      expect(listed.items.filter(({ teams, spaces }) => teams === 50 && spaces === 1).length).toBe(500)

      const guest = await server.tokenOf(members[0]!)
      await call(guest, "", "GET", "/user")
      store.take()
      expect((await call(guest, "", "GET", `/spaces/${space.value.id}`)).status).toBe(200)
      // Who asks, the space, and all that their role on it depends on.
      expect(store.take()).toBe(3)
    } finally {
      await server.close()
    }
  })
})

describe("invites", () => {
  it("open what they say, while links are on, and raise a role but never lower it", async () => {
    const server = await startServer(await memory.make())
    try {
      const call = caller(server)
      const admin = await server.core.createUser("admin@example.com")
      const ada = await server.core.createUser("ada@example.com")
      const id = await server.core.createOrganization("Acme", admin)
      const other = await server.core.createOrganization("Other", admin)
      const [token, hers] = [await server.tokenOf(admin), await server.tokenOf(ada)]
      const links = `/orgs/${id}/link-invites`
      const make = async (role: string | null) =>
        (await call<{ id: string }>(token, "createOrganizationInvite", "POST", links, { role })).value.id
      const join = (invite: string, organization = id) =>
        call(hers, "joinOrganizationWithInvite", "POST", `/orgs/${organization}/invites/${invite}`)
      const role = async () =>
        (await call<Member>(token, "getMemberInOrganizationById", "GET", `/orgs/${id}/members/${ada}`)).value
          .role
      const [reader, editor] = [await make("read"), await make("edit")]
      expect((await join(editor, other)).status).toBe(404)
      await call(token, "", "PATCH", `/orgs/${id}`, { inviteLinks: false })
      expect((await join(editor)).status).toBe(409)
      await call(token, "", "PATCH", `/orgs/${id}`, { inviteLinks: true })
      expect((await join(reader)).status).toBe(200)
      expect(await role()).toBe("read")
      await join(editor)
      expect(await role()).toBe("edit")
      await join(reader)
      expect(await role()).toBe("edit")
      const listed = await call<List<{ id: string }>>(token, "listOrganizationInviteLinks", "GET", links)
      expect(listed.value.items.map(({ id }) => id)).toEqual([editor, reader])
      await call(token, "updateOrganizationInviteById", "PATCH", `${links}/${reader}`, { role: "admin" })
      await join(reader)
      expect(await role()).toBe("admin")
      expect((await call(token, "", "DELETE", `${links}/${reader}`)).status).toBe(205)
      expect((await join(reader)).status).toBe(404)
    } finally {
      await server.close()
    }
  })
})

describe("teams", () => {
  for (const { name, make } of [memory, ...stores]) {
    it(`take people in and out, all or nothing, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const { call, admin, id, token, ada, bob, cy } = await withThree(server)
        const team = (
          await call<{ id: string }>(token, "createOrganizationTeam", "PUT", `/orgs/${id}/teams`, {
            title: "  Écrivains ",
            members: [ada]
          })
        ).value.id
        const at = `/orgs/${id}/teams/${team}`
        const put = (body: unknown) =>
          call<{ error: { details: unknown } }>(token, "", "PUT", `${at}/members`, body)
        const inTeam = async () =>
          (
            await call<List<{ organization: Member; team: { role: string } }>>(
              token,
              "listTeamMembersInOrganizationById",
              "GET",
              `${at}/members`
            )
          ).value.items.map(({ organization, team }) => `${organization.user.displayName} ${team.role}`)
        expect(await inTeam()).toEqual(["ada member"])
        const change = {
          add: [bob, "cy@example.com"],
          remove: ["CY@example.com", ada, "nobody@example.com"],
          memberships: { [cy]: { role: "owner" }, [bob]: { role: "owner" } }
        }
        expect((await put(change)).status).toBe(204)
        expect(await inTeam()).toEqual(["bob owner"])
        const refused = await put({ add: [ada, "eve@example.com"], memberships: { x: { role: "owner" } } })
        expect([refused.status, refused.value.error.details]).toEqual([
          400,
          [{ path: "add.1", message: "is no member of the organization" }]
        ])
        expect(await inTeam()).toEqual(["bob owner"])
        // Who is there already stays what they are, unless it is said.
        await put({ add: [bob, ada] })
        await call(token, "", "PUT", `${at}/members/${bob}`, {})
        expect(await inTeam()).toEqual(["bob owner", "ada member"])
        await call(token, "", "PUT", `${at}/members/${bob}`, { role: "member" })
        expect(await inTeam()).toEqual(["bob member", "ada member"])
        expect((await call(token, "", "PUT", `${at}/members/nobody`, {})).status).toBe(404)
        expect((await call(token, "", "DELETE", `${at}/members/${cy}`)).status).toBe(404)

        const titles = async (query: string) =>
          (
            await call<List<{ title: string }>>(
              token,
              "listTeamsInOrganizationById",
              "GET",
              `/orgs/${id}/teams?${query}`
            )
          ).value.items.map(({ title }) => title)
        await call(token, "", "PUT", `/orgs/${id}/teams`, { title: "Readers" })
        await put({ memberships: { [bob]: { role: "owner" } } })
        expect(await titles("")).toEqual(["Readers", "Écrivains"])
        expect(await titles(`title=${encodeURIComponent("éCRI")}`)).toEqual(["Écrivains"])
        expect(await titles(`owner=${bob}`)).toEqual(["Écrivains"])
        expect(await titles(`owner=${admin}`)).toEqual(["Readers", "Écrivains"])
        const theirs = await call<List<{ member: unknown }>>(
          token,
          "listTeamsForOrganizationMember",
          "GET",
          `/orgs/${id}/members/${bob}/teams?title=cri`
        )
        expect(theirs.value.items.map(({ member }) => member)).toEqual([{ role: "owner" }])
        expect((await call(token, "", "DELETE", at)).status).toBe(205)
        expect((await call(token, "", "GET", at)).status).toBe(404)
      } finally {
        await server.close()
      }
    })
  }
})

describe("permissions", () => {
  for (const { name, make } of [memory, ...stores]) {
    it(`keep their places in the list when roles change, and said twice are as said once, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const { call, id, token, ada, bob, cy } = await withThree(server)
        const space = (await call<{ id: string }>(token, "", "POST", `/orgs/${id}/spaces`, {})).value.id
        const at = `/spaces/${space}/permissions`
        for (const user of [ada, bob]) {
          await call(token, "", "PATCH", `${at}/users/${user}`, { role: "edit" })
        }
        type Permission = { readonly permission: string; readonly user: { readonly id: string } }
        const list = async (query = "") =>
          (await call<List<Permission>>(token, "listUserPermissionsInSpace", "GET", `${at}/users${query}`))
            .value
        const names = async () =>
          (await list()).items.map(({ permission, user }) => [user.id, permission] as const)
        const first = await list("?limit=1")
        expect(first.items.map(({ user }) => user.id)).toEqual([bob])
        await call(token, "", "PATCH", `${at}/users/${ada}`, { role: "review" })
        await call(token, "", "PATCH", `${at}/users/${ada}`, { role: "review" })
        const second = await list(`?limit=1&page=${first.next!.page}`)
        expect(second.items.map(({ user }) => user.id)).toEqual([ada])
        // Of several, those who have none yet come to it, and the others keep their places.
        await call(token, "", "POST", at, { users: [ada, cy], role: "read" })
        expect(await names()).toEqual([
          [cy, "read"],
          [bob, "edit"],
          [ada, "read"]
        ])
        await call(token, "", "PATCH", `${at}/users/${bob}`, { role: null })
        expect(await names()).toEqual([
          [cy, "read"],
          [ada, "read"]
        ])
      } finally {
        await server.close()
      }
    })
  }
})
