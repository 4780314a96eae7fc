/** Attacks on SCIM: other organizations, take-over, lock-out, and requests that are expensive. */
import type { AuditRecord } from "@lectern/core"
import { describe, expect, it } from "vitest"
import { memory, ruleStores } from "./stores.ts"
import { openScim, patchOf, type ScimClient, scimSender, signInTo } from "./support/scim.ts"
import { startWorkspace, type WorkspaceServer } from "./support/workspaceServer.ts"

const provision = async ({ send }: ScimClient, userName: string, more: object = {}) => {
  const created = await send("POST", "/Users", { userName, ...more })
  expect([userName, created.status]).toEqual([userName, 201])
  return created.body.id
}

const setRole = (server: WorkspaceServer, organization: string, user: string, role: "admin" | "read") =>
  server.workspace.administration.setMember({
    organization: organization as never,
    user: user as never,
    input: { role }
  })

const deactivate = patchOf({ op: "replace", path: "active", value: false })

describe.each(ruleStores)("SCIM on $name", (store) => {
  it("neither reads nor changes users and groups of another organization", async () => {
    const server = await startWorkspace(store)
    const [acme, other] = [await openScim(server, "acme"), await openScim(server, "other")]
    const user = await provision(acme, "ada@acme.example.com", { externalId: "e1" })
    const group = (await acme.send("POST", "/Groups", { displayName: "Staff", members: [{ value: user }] }))
      .body.id
    for (const path of [`/Users/${user}`, `/Groups/${group}`]) {
      for (const [method, body] of [
        ["GET", undefined],
        ["PUT", { userName: "x@other.example.com", displayName: "x" }],
        ["PATCH", patchOf({ op: "replace", path: "displayName", value: "x" })],
        ["DELETE", undefined]
      ] as const) {
        expect([method, path, (await other.send(method, path, body)).status]).toEqual([method, path, 404])
      }
    }
    for (const filter of [
      `id eq "${user}"`,
      'userName eq "ada@acme.example.com"',
      'externalId eq "e1"',
      'userName co "a" or id pr'
    ]) {
      const found = await other.send("GET", `/Users?filter=${encodeURIComponent(filter)}`)
      expect(found.body.Resources.map(({ id }) => id).filter((id) => id !== other.admin)).toEqual([])
    }
    const groups = await other.send(
      "GET",
      `/Groups?filter=${encodeURIComponent(`members.value eq "${user}" or id eq "${group}"`)}`
    )
    expect(groups.body.totalResults).toBe(0)
    const foreign = await other.send("POST", "/Groups", { displayName: "G", members: [{ value: user }] })
    expect(foreign.body).toMatchObject({ status: "400", scimType: "invalidValue" })
    expect((await other.send("GET", "/Groups")).body.totalResults).toBe(0)
    expect((await acme.send("GET", `/Groups/${group}`)).body).toMatchObject({
      displayName: "Staff",
      members: [{ value: user }]
    })
  })

  it("admits no account of another domain by its address, and changes no account", async () => {
    const server = await startWorkspace(store)
    const [acme, other] = [await openScim(server, "acme"), await openScim(server, "other")]
    const victim = await provision(acme, "victim@acme.example.com", { displayName: "Victim" })
    // The address is in no domain of the other organization.
    const refused = await other.send("POST", "/Users", { userName: "victim@acme.example.com" })
    expect(refused.body).toMatchObject({ status: "400", scimType: "invalidValue" })
    expect(refused.body.detail).toContain("acme.example.com")
    // A member of both, whom the other organization renames, and assigns another address to.
    await other.api("POST", `/orgs/${other.organization}/invites`, {
      emails: ["victim@acme.example.com"],
      role: "read"
    })
    const changed = await other.send(
      "PATCH",
      `/Users/${victim}`,
      patchOf(
        { op: "replace", path: "displayName", value: "Renamed" },
        { op: "replace", path: "userName", value: "mallory@other.example.com" },
        { op: "replace", path: "emails", value: [{ value: "mallory@other.example.com", primary: true }] },
        { op: "add", path: "password", value: "stolen" }
      )
    )
    expect(changed.body).toMatchObject({
      displayName: "Renamed",
      emails: [{ value: "victim@acme.example.com" }]
    })
    expect((await acme.api("GET", `/users/${victim}`)).body).toMatchObject({
      displayName: "Victim",
      email: "victim@acme.example.com"
    })
    expect((await acme.send("GET", `/Users/${victim}`)).body).toMatchObject({
      userName: "victim@acme.example.com",
      displayName: "Victim"
    })
    // Its end in one organization does not end it in another.
    expect((await other.send("DELETE", `/Users/${victim}`)).status).toBe(204)
    expect((await acme.send("GET", `/Users/${victim}`)).body.active).toBe(true)
  })

  it("assigns no role, and not the name of another member", async () => {
    const server = await startWorkspace(store)
    const { send, api, organization, ...client } = await openScim(server)
    const acme = { send, api, organization, ...client }
    const [ada, bob] = [
      await provision(acme, "ada@acme.example.com"),
      await provision(acme, "bob@acme.example.com")
    ]
    const roles = patchOf({ op: "add", path: "roles", value: [{ value: "admin" }] })
    expect((await send("PATCH", `/Users/${ada}`, roles)).status).toBe(200)
    const member = (await api("GET", `/orgs/${organization}/members/${ada}`)).body as unknown as {
      readonly role: string
    }
    expect(member.role).not.toBe("admin")
    for (const userName of ["BOB@acme.example.com", "admin@acme.example.com"]) {
      const taken = await send(
        "PATCH",
        `/Users/${ada}`,
        patchOf({ op: "replace", path: "userName", value: userName })
      )
      expect(taken.body).toMatchObject({ status: "409", scimType: "uniqueness" })
    }
    expect((await send("GET", `/Users/${bob}`)).body.userName).toBe("bob@acme.example.com")
  })

  it("ends sessions and tokens in the same request when a user is deactivated or deleted", async () => {
    const server = await startWorkspace(store)
    const acme = await openScim(server)
    const user = await provision(acme, "ada@acme.example.com")
    const tokenIn = async (organization?: string) =>
      (
        await server.workspace.tokens.create({
          input: {
            user: user as never,
            label: "T",
            ...(organization === undefined ? {} : { organization: organization as never })
          }
        })
      ).secret
    const [limited, unlimited] = [await tokenIn(acme.organization), await tokenIn()]
    const browser = await signInTo(server, "ada@acme.example.com")
    const org = `/v1/orgs/${acme.organization}`
    const statuses = async () => [
      (await server.fetch(org, { token: limited })).status,
      (await server.fetch(org, { token: unlimited })).status,
      (await browser.request(org)).status
    ]
    expect(await statuses()).toEqual([200, 200, 200])
    await acme.send("PATCH", `/Users/${user}`, deactivate)
    // Credentials of this organization end; others remain, without access to it.
    expect(await statuses()).toEqual([401, 404, 404])
    await acme.send("PATCH", `/Users/${user}`, patchOf({ op: "replace", path: "active", value: true }))
    expect(await statuses()).toEqual([401, 200, 200])
    await acme.send("DELETE", `/Users/${user}`)
    expect(await statuses()).toEqual([401, 404, 404])
  })

  it("keeps the last administrator, and ends with the administrator of its token", async () => {
    const server = await startWorkspace(store)
    const acme = await openScim(server)
    for (const [method, body] of [
      ["PATCH", deactivate],
      ["PUT", { userName: "admin@acme.example.com", active: false }],
      ["DELETE", undefined]
    ] as const) {
      const refused = await acme.send(method, `/Users/${acme.admin}`, body)
      expect(refused.body).toMatchObject({
        status: "409",
        detail: expect.stringContaining("last administrator")
      })
    }
    const successor = await provision(acme, "ada@acme.example.com")
    await setRole(server, acme.organization, successor, "admin")
    // The administrator who has created the token may leave, and the token ends.
    expect((await acme.send("PATCH", `/Users/${acme.admin}`, deactivate)).status).toBe(200)
    expect((await acme.send("GET", "/Users")).status).toBe(401)
  })
})

describe("SCIM", () => {
  it("requires a token of an administrator, with the permission, for one organization", async () => {
    const server = await startWorkspace(memory)
    const acme = await openScim(server)
    const tokenOf = async (body: object) =>
      (
        (await acme.api("POST", "/user/tokens", { label: "T", ...body })).body as unknown as {
          readonly secret: string
        }
      ).secret
    const statusWith = async (token: string | undefined, method = "GET", body?: object) =>
      (await scimSender(server, token)(method, "/Users", body)).status
    const { organization } = acme
    const user = { userName: "ada@acme.example.com" }
    expect(await statusWith(undefined)).toBe(401)
    expect(await statusWith("lectern_unknown")).toBe(401)
    expect(await statusWith(acme.adminToken)).toBe(403)
    expect(
      await statusWith(await tokenOf({ organization, permissions: ["organization.administrate"] }))
    ).toBe(403)
    expect(await statusWith(await tokenOf({ organization, readOnly: true }), "POST", user)).toBe(403)
    expect(await statusWith(await tokenOf({ organization }), "POST", user)).toBe(201)
    // The token only provisions.
    const org = `/v1/orgs/${organization}`
    for (const path of [`${org}/members`, `${org}/teams`, `${org}/spaces`, `${org}/audit-log`]) {
      expect([path, (await server.fetch(path, { token: acme.token })).status]).not.toEqual([path, 200])
    }
    // An administrator who is one no longer.
    const ada = (
      await acme.send("GET", `/Users?filter=${encodeURIComponent('userName eq "ada@acme.example.com"')}`)
    ).body.Resources[0]!.id
    await setRole(server, organization, ada, "admin")
    await setRole(server, organization, acme.admin, "read")
    expect((await acme.send("GET", "/Users")).status).toBe(403)
    await setRole(server, organization, acme.admin, "admin")
    const { items } = (await acme.api("GET", `/orgs/${organization}/tokens`)).body as unknown as {
      readonly items: ReadonlyArray<{ readonly id: string; readonly label: string }>
    }
    const { id } = items.find(({ label }) => label === "Provisioning")!
    expect((await acme.send("GET", "/Users")).status).toBe(200)
    await acme.api("DELETE", `/orgs/${organization}/tokens/${id}`)
    expect((await acme.send("GET", "/Users")).status).toBe(401)
  })

  it("accepts no session of a browser", async () => {
    const server = await startWorkspace(memory)
    const acme = await openScim(server)
    const browser = await signInTo(server, "admin@acme.example.com")
    expect((await browser.request(`/v1/orgs/${acme.organization}`)).status).toBe(200)
    expect((await browser.request("/scim/v2/Users")).status).toBe(401)
  })

  it("records each change in the audit log with its token", async () => {
    const acme = await openScim(await startWorkspace(memory))
    const user = await provision(acme, "ada@acme.example.com", { password: "hunter2-secret" })
    await acme.send("PATCH", `/Users/${user}`, deactivate)
    await acme.send("DELETE", `/Users/${user}`)
    const { items } = (await acme.api("GET", `/orgs/${acme.organization}/audit-log`)).body as unknown as {
      readonly items: ReadonlyArray<AuditRecord>
    }
    const records = items.filter(({ operation }) => operation.startsWith("ProvisionedMembers."))
    expect(records.map(({ operation, outcome }) => [operation, outcome])).toEqual([
      ["ProvisionedMembers.remove", "success"],
      ["ProvisionedMembers.update", "success"],
      ["ProvisionedMembers.create", "success"]
    ])
    expect(JSON.stringify(items)).not.toContain("hunter2-secret")
  })

  it("rejects requests beyond its bounds before it parses them", async () => {
    const acme = await openScim(await startWorkspace(memory))
    const user = await provision(acme, "ada@acme.example.com")
    const errorOf = async (
      method: string,
      path: string,
      body?: unknown,
      headers?: Record<string, string>
    ) => {
      const { status, body: error } = await acme.send(method, path, body, headers)
      return [status, error?.scimType]
    }
    const filter = (text: string) => `/Users?filter=${encodeURIComponent(text)}`
    expect(await errorOf("GET", filter(`${"(".repeat(500)}id pr${")".repeat(500)}`))).toEqual([
      400,
      "invalidFilter"
    ])
    expect(await errorOf("GET", filter(`userName eq "${"a".repeat(3_000)}"`))).toEqual([400, "invalidFilter"])
    expect(await errorOf("GET", filter(`userName eq "a" or 1=1 --`))).toEqual([400, "invalidFilter"])
    expect((await acme.send("GET", filter(`userName eq "x' OR '1'='1"`))).body.totalResults).toBe(0)
    expect((await acme.send("GET", filter(`id eq "${"é".repeat(200)}"`))).body.totalResults).toBe(0)
    expect(await errorOf("GET", `/Users/${encodeURIComponent("../é\0")}`)).toEqual([404, undefined])
    const operation = { op: "replace", path: "displayName", value: "x" }
    const many = patchOf(...Array.from({ length: 501 }, () => operation))
    expect(await errorOf("PATCH", `/Users/${user}`, many)).toEqual([400, "invalidSyntax"])
    expect(await errorOf("POST", "/Users", { userName: "a".repeat(1_100_000) })).toEqual([413, undefined])
    expect(await errorOf("POST", "/Users", `${"[".repeat(300_000)}`)).toEqual([400, "invalidSyntax"])
    expect(await errorOf("POST", "/Users", "{")).toEqual([400, "invalidSyntax"])
    expect(await errorOf("POST", "/Users", "{}", { "content-type": "text/plain" })).toEqual([415, undefined])
    expect(await errorOf("POST", "/Users", { userName: "a".repeat(400) })).toEqual([400, "invalidValue"])
    expect(await errorOf("POST", "/Users", { userName: "ada" })).toEqual([400, "invalidValue"])
    const members = Array.from({ length: 10_001 }, (_, index) => ({ value: `u${index}` }))
    expect(await errorOf("POST", "/Groups", { displayName: "G", members })).toEqual([400, "invalidValue"])
    // Prototypes of objects do not change.
    const polluting = `{"schemas":["urn:ietf:params:scim:api:messages:2.0:PatchOp"],"Operations":[{"op":"add","value":{"__proto__.polluted":"x"}}]}`
    expect(await errorOf("PATCH", `/Users/${user}`, polluting)).toEqual([400, "invalidPath"])
    expect(Reflect.get({}, "polluted")).toBeUndefined()
  })

  it("limits the requests of a token and the failures of an address", async () => {
    const server = await startWorkspace(memory, undefined, { limits: { rateLimits: {} } })
    const acme = await openScim(server)
    // A token has a limit of its own after it was accepted once.
    await acme.send("GET", "/Users")
    expect((await acme.send("GET", "/Users")).headers.get("x-ratelimit-limit")).toBe("1200")
    const guess = scimSender(server, "lectern_guess")
    const statuses: Array<number> = []
    for (let index = 0; index < 31; index += 1) statuses.push((await guess("GET", "/Users")).status)
    expect([statuses[0], statuses.at(-1)]).toEqual([401, 429])
    // The token that was accepted before is not locked out.
    expect((await acme.send("GET", "/Users")).status).toBe(200)
  })

  it("applies concurrent changes of one group without losing any", async () => {
    const acme = await openScim(await startWorkspace(memory))
    const users = await Promise.all(
      Array.from({ length: 5 }, (_, index) => provision(acme, `u${index}@acme.example.com`))
    )
    const { id, meta } = (await acme.send("POST", "/Groups", { displayName: "G" })).body
    const statuses = await Promise.all(
      users.map(
        async (value) =>
          (
            await acme.send(
              "PATCH",
              `/Groups/${id}`,
              patchOf({ op: "add", path: "members", value: [{ value }] })
            )
          ).status
      )
    )
    expect(statuses).toEqual(users.map(() => 200))
    const group = (await acme.send("GET", `/Groups/${id}`)).body
    expect(group.members?.map(({ value }) => value)).toEqual(users.toSorted())
    const stale = await acme.send(
      "PUT",
      `/Groups/${id}`,
      { displayName: "G", members: [] },
      { "if-match": meta.version }
    )
    expect(stale.body.status).toBe("412")
  })
})
