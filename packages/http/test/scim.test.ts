/** SCIM 2.0: users and groups of an organization, as identity providers provision them. */
import { describe, expect, it } from "vitest"
import { memory, stores } from "./stores.ts"
import { openScim, patchOf } from "./support/scim.ts"
import { startWorkspace } from "./support/workspaceServer.ts"

const userSchema = "urn:ietf:params:scim:schemas:core:2.0:User"
const groupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group"

const ada = {
  schemas: [userSchema],
  userName: "Ada@acme.example.com",
  externalId: "00u1",
  name: { givenName: "Ada", familyName: "Lovelace" },
  displayName: "Ada Lovelace",
  emails: [{ value: "ada@acme.example.com", type: "work", primary: true }],
  active: true
}

describe.each([memory, ...stores])("SCIM on $name", (store) => {
  it("creates, finds, changes, deactivates and removes a user", async () => {
    const server = await startWorkspace(store)
    const { send, api, organization } = await openScim(server)
    const created = await send("POST", "/Users", ada)
    expect([created.status, created.body]).toEqual([
      201,
      {
        ...ada,
        id: expect.any(String),
        meta: expect.objectContaining({ resourceType: "User", version: created.headers.get("etag") })
      }
    ])
    const { id } = created.body
    expect(created.headers.get("location")).toBe(`${server.url}/scim/v2/Users/${id}`)
    expect(created.headers.get("content-type")).toBe("application/scim+json")
    expect((await send("POST", "/Users", ada)).body).toMatchObject({ status: "409", scimType: "uniqueness" })
    for (const filter of [
      'userName eq "ada@ACME.example.com"',
      'externalId eq "00u1"',
      'emails[type eq "work"].value eq "ada@acme.example.com"',
      'name.familyName co "LOVE" and not (active eq false)',
      `id eq "${id}"`
    ]) {
      const found = await send("GET", `/Users?filter=${encodeURIComponent(filter)}`)
      expect([filter, found.body.totalResults, found.body.Resources[0]?.id]).toEqual([filter, 1, id])
    }
    const patched = await send(
      "PATCH",
      `/Users/${id}`,
      patchOf({ op: "Replace", path: "active", value: "False" })
    )
    expect([patched.status, patched.body.active]).toEqual([200, false])
    const member = await api("GET", `/orgs/${organization}/members/${id}`)
    expect(member.body).toMatchObject({ disabled: true })
    const enabled = await send("PUT", `/Users/${id}`, { ...ada, displayName: "Countess", active: true })
    expect(enabled.body).toMatchObject({ displayName: "Countess", active: true })
    expect((await send("DELETE", `/Users/${id}`)).status).toBe(204)
    expect((await send("GET", `/Users/${id}`)).body).toMatchObject({ status: "404" })
    expect((await api("GET", `/orgs/${organization}/members/${id}`)).status).toBe(404)
    // The account remains, and can be provisioned again.
    expect((await send("POST", "/Users", ada)).body.id).toBe(id)
  })

  it("pages through users in the order in which they joined", async () => {
    const server = await startWorkspace(store)
    const { send } = await openScim(server)
    for (const name of ["a", "b", "c", "d"]) {
      await send("POST", "/Users", { schemas: [userSchema], userName: `${name}@acme.example.com` })
    }
    const names = async (path: string) => {
      const { body } = await send("GET", path)
      return [
        body.totalResults,
        body.startIndex,
        body.itemsPerPage,
        ...body.Resources.map((one) => one.userName[0])
      ]
    }
    expect(await names("/Users?startIndex=2&count=2")).toEqual([5, 2, 2, "a", "b"])
    expect(await names("/Users?startIndex=4&count=10")).toEqual([5, 4, 2, "c", "d"])
    expect(await names("/Users?startIndex=0&count=0")).toEqual([5, 1, 0])
    expect(await names("/Users?startIndex=9")).toEqual([5, 9, 0])
    expect(await names('/Users?filter=userName+sw+"A"&count=1&startIndex=2')).toEqual([2, 2, 1, "a"])
    expect(await names("/Users?sortBy=userName&sortOrder=descending&count=2")).toEqual([5, 1, 2, "d", "c"])
  })

  it("creates a group, and changes its members", async () => {
    const server = await startWorkspace(store)
    const { send, api, organization } = await openScim(server)
    const userOf = async (name: string) =>
      (await send("POST", "/Users", { schemas: [userSchema], userName: `${name}@acme.example.com` })).body.id
    const [one, two, three] = [await userOf("one"), await userOf("two"), await userOf("three")]
    const created = await send("POST", "/Groups", {
      schemas: [groupSchema],
      displayName: "Engineers",
      externalId: "g1",
      members: [{ value: one, display: "One" }]
    })
    expect(created.status).toBe(201)
    const { id } = created.body
    const change = async (...operations: ReadonlyArray<unknown>) => {
      const { status, body } = await send("PATCH", `/Groups/${id}`, patchOf(...operations))
      return status === 200 ? body.members?.map(({ value }) => value) : [status, body.scimType]
    }
    expect(await change({ op: "add", path: "members", value: [{ value: two }, { value: three }] })).toEqual(
      [one, two, three].toSorted()
    )
    expect(await change({ op: "remove", path: `members[value eq "${two}"]` })).toEqual(
      [one, three].toSorted()
    )
    expect(await change({ op: "Remove", path: "members", value: [{ value: one }] })).toEqual([three])
    expect(await change({ op: "replace", path: "members", value: [{ value: two }] })).toEqual([two])
    expect(await change({ op: "replace", value: { id, displayName: "Developers" } })).toEqual([two])
    const team = await api("GET", `/orgs/${organization}/teams/${id}`)
    expect(team.body).toMatchObject({ title: "Developers" })
    for (const filter of ['displayName eq "developers"', 'externalId eq "g1"', `members.value eq "${two}"`]) {
      const found = await send(
        "GET",
        `/Groups?excludedAttributes=members&filter=${encodeURIComponent(filter)}`
      )
      expect([filter, found.body.Resources.map((group) => [group.id, group.members])]).toEqual([
        filter,
        [[id, undefined]]
      ])
    }
    expect((await send("DELETE", `/Groups/${id}`)).status).toBe(204)
    expect((await api("GET", `/orgs/${organization}/teams/${id}`)).status).toBe(404)
  })
})
