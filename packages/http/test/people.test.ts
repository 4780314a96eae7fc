/** Organizations and their members over HTTP. */
import { Administration, type Member, type Organization } from "@lectern/core"
import { countRoundTrips, isFastRun } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Redacted } from "effect"
import { jwtVerify } from "jose"
import { describe, expect, it } from "vitest"
import { memory, ruleStores, type stores } from "./stores.ts"
import { callerOf, type ListPage } from "./support/people.ts"
import { startServer, startServerOn } from "./support.ts"

describe("organizations", () => {
  for (const { name, make } of ruleStores) {
    it(`apply every field of an update, and retain omitted fields, on ${name}`, async () => {
      const server = await startServer(await make())
      try {
        const call = callerOf(server)
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
        const { emailDomains: _, logo, ...unchanged } = all
        const changed = await patch(all)
        expect(changed.status).toBe(200)
        expect(changed.value).toMatchObject({ ...unchanged, emailDomains: ["example.com", "example.org"] })
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
          const rejected = await call<{ error: { details: ReadonlyArray<{ path: string }> } }>(
            token,
            "",
            "PATCH",
            `/orgs/${id}`,
            { [name]: value }
          )
          expect([rejected.status, rejected.value.error.details[0]!.path]).toEqual([400, field])
        }

        const listByDomain = async (as: string, domain: string) =>
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
        expect((await listByDomain(token, "EXAMPLE.com")).map(({ id }) => id)).toEqual([id])
        expect(await listByDomain(stranger, "example.com")).toEqual([])
        expect(await listByDomain(token, "example.org")).toEqual([])
        const found = await listByDomain(colleague, "example.com")
        expect(found.map(({ id, permissions }) => [id, permissions.view])).toEqual([[id, false]])
        await patch({ emailDomains: [] })
        expect(await listByDomain(token, "example.com")).toEqual([])
      } finally {
        await server.close()
      }
    })
  }
})

/** Starts an organization whose administrator has invited Ada with the role `edit` and Grace as a guest. */
const startMembers = async (store: Pick<(typeof stores)[number], "make">) => {
  const server = await startServerOn(store)
  const call = callerOf(server)
  const admin = await server.core.createUser("admin@example.com")
  const id = await server.core.createOrganization("Acme", admin)
  const token = await server.tokenOf(admin)
  const { value } = await call<{ users: ReadonlyArray<string>; invited: number }>(
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
  const [ada, grace] = value.users as [string, string]
  const list = async (query: string) =>
    (
      await call<ListPage<Member>>(
        token,
        "listMembersInOrganizationById",
        "GET",
        `/orgs/${id}/members?${query}`
      )
    ).value
  return {
    server,
    call,
    admin,
    id,
    token,
    invited: value.invited,
    ada,
    grace,
    hers: await server.tokenOf(ada),
    list,
    names: async (query: string) => (await list(query)).items.map(({ user }) => user.displayName),
    ping: (as: string) => call<{ serviceVisitorClaims?: string }>(as, "", "POST", `/orgs/${id}/ping`)
  }
}

describe("members", () => {
  for (const { name, make } of ruleStores) {
    it(`are invited by case-insensitive e-mail address, each only once, on ${name}`, async () => {
      const { invited, names } = await startMembers({ make })
      expect(invited).toBe(2)
      expect(await names("")).toEqual(["grace", "ada", "admin"])
    })

    it(`are sorted, and filtered by role and by search text, on ${name}`, async () => {
      const { list, names } = await startMembers({ make })
      expect(await names("order=asc")).toEqual(["admin", "ada", "grace"])
      expect(await names("role=guest")).toEqual(["grace"])
      expect(await names("role=edit")).toEqual(["ada"])
      expect(await names("search=GRA")).toEqual(["grace"])
      expect(await names("search=example.com&limit=2")).toEqual(["grace", "ada"])
      expect(await names("search=%25")).toEqual([])
      expect((await list("search=a&limit=0")).count).toBe(3)
    })

    it(`are found by their current name in any Unicode normalization, which only they can change, on ${name}`, async () => {
      const { call, admin, ada, hers, names } = await startMembers({ make })
      await call(hers, "updateUserById", "PATCH", `/users/${ada}`, { displayName: "ÉMILIE Straße" })
      expect(await names(`search=${encodeURIComponent("e\u0301milie")}`)).toEqual(["ÉMILIE Straße"])
      expect((await call(hers, "", "PATCH", `/users/${admin}`, { displayName: "x" })).status).toBe(403)
    })

    it(`are sorted and paginated by the time of their last ping, on ${name}`, async () => {
      const { server, ping, grace, hers, list, names } = await startMembers({ make })
      expect(await names("sort=lastSeenAt")).toEqual([])
      expect(await ping(await server.tokenOf(grace))).toEqual({ status: 200, value: {} })
      await server.core.advance(1000)
      await ping(hers)
      expect(await names("sort=lastSeenAt")).toEqual(["ada", "grace"])
      const first = await list("sort=lastSeenAt&limit=1&order=asc")
      expect(first.count).toBe(2)
      expect(await names(`sort=lastSeenAt&limit=1&order=asc&page=${first.next!.page}`)).toEqual(["ada"])
    })

    it(`receive signed claims for sites if the organization has a visitor key, on ${name}`, async () => {
      const { server, id, ping, ada, hers } = await startMembers({ make })
      const key = await server.core.runtime.runPromise(
        Effect.flatMap(Administration, (administration) =>
          administration.regenerateVisitorKey({ organization: id })
        )
      )
      const { serviceVisitorClaims } = (await ping(hers)).value
      const verified = await jwtVerify(serviceVisitorClaims!, new TextEncoder().encode(Redacted.value(key)), {
        audience: id,
        currentDate: new Date(server.core.now())
      })
      expect(verified.payload).toMatchObject({ sub: ada, role: "edit", teams: [], organization: id })
    })

    it(`reject removing or demoting the last administrator, on ${name}`, async () => {
      const { call, token, id, admin, ada } = await startMembers({ make })
      const demote = () => call(token, "", "PATCH", `/orgs/${id}/members/${admin}`, { role: "read" })
      expect((await demote()).status).toBe(409)
      expect((await call(token, "", "DELETE", `/orgs/${id}/members/${admin}`)).status).toBe(409)
      await call(token, "updateMemberInOrganizationById", "PATCH", `/orgs/${id}/members/${ada}`, {
        role: "admin"
      })
      expect((await demote()).status).toBe(200)
    })
  }

  it("are invited with single sign-on only if they are in no other organization", async () => {
    const server = await startServer(await memory.make())
    try {
      const call = callerOf(server)
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

  it.skipIf(isFastRun)(
    "are listed by 1,000 in at most 6 sequential queries, and their roles are resolved in 1",
    async () => {
      const store = countRoundTrips(MemoryStorage.layer())
      const server = await startServer(store.layer)
      try {
        const admin = await server.core.createUser("admin@example.com")
        const id = await server.core.createOrganization("Acme", admin)
        const token = await server.tokenOf(admin)
        const call = callerOf(server)
        for (let i = 0; i < 10; i++) {
          const emails = Array.from({ length: 100 }, (_, n) => `user-${i * 100 + n}@example.com`)
          await call(token, "", "POST", `/orgs/${id}/invites`, { emails, role: null })
        }
        const list = `/orgs/${id}/members?limit=1000`
        const members = (await call<ListPage<Member>>(token, "", "GET", list)).value.items.map(({ id }) => id)

        // The deepest path, with 50 teams, one of which has the grant.
        let parent: string | undefined
        for (let depth = 0; depth < 8; depth++) {
          const created: { value: { id: string } } = await call(
            token,
            "",
            "POST",
            `/orgs/${id}/collections`,
            {
              ...(parent === undefined ? {} : { parent })
            }
          )
          parent = created.value.id
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
        store.takeCount()
        const listed = (await call<ListPage<Member>>(token, "listMembersInOrganizationById", "GET", list))
          .value
        // One more query authenticates the caller.
        expect(store.takeCount() - 1).toBeLessThanOrEqual(6)
        expect(listed.items.filter(({ teams, spaces }) => teams === 50 && spaces === 1).length).toBe(500)

        const guest = await server.tokenOf(members[0]!)
        // The first request in the organization also records the address of the token.
        await call(guest, "", "GET", `/spaces/${space.value.id}`)
        store.takeCount()
        expect((await call(guest, "", "GET", `/spaces/${space.value.id}`)).status).toBe(200)
        // Queries for the caller, for the space, and for everything that the role on it depends on.
        expect(store.takeCount()).toBe(3)
      } finally {
        await server.close()
      }
    }
  )
})
