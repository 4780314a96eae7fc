/** Requests to SCIM in the documented forms of Okta and Microsoft Entra ID. */
import { describe, expect, it } from "vitest"
import { ruleStores } from "./stores.ts"
import { openScim, patchOf, type ScimClient } from "./support/scim.ts"
import { startWorkspace } from "./support/workspaceServer.ts"

const userSchema = "urn:ietf:params:scim:schemas:core:2.0:User"
const groupSchema = "urn:ietf:params:scim:schemas:core:2.0:Group"
const enterprise = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"

const find = async ({ send }: ScimClient, path: string, filter: string) =>
  (await send("GET", `${path}${path.includes("?") ? "&" : "?"}filter=${encodeURIComponent(filter)}`)).body

describe.each(ruleStores)("identity providers on $name", (store) => {
  it("assigns, updates and deactivates a user, and pushes a group, as Okta does", async () => {
    const client = await openScim(await startWorkspace(store))
    const { send, api, organization } = client
    // The test of the connection.
    expect((await send("GET", "/Users?startIndex=1&count=2")).body.totalResults).toBe(1)
    const userName = "isaac.brock@acme.example.com"
    expect(
      (await find(client, "/Users?startIndex=1&count=100", `userName eq "${userName}"`)).totalResults
    ).toBe(0)
    const user = {
      schemas: [userSchema],
      userName,
      name: { givenName: "Isaac", familyName: "Brock" },
      emails: [{ primary: true, value: userName, type: "work" }],
      displayName: "Isaac Brock",
      locale: "en-US",
      externalId: "00ujl29u0le5T6Aj10h7",
      groups: [],
      password: "1mz050nq",
      active: true
    }
    const created = await send("POST", "/Users", user)
    expect([created.status, created.body.active, "password" in created.body]).toEqual([201, true, false])
    const { id } = created.body
    expect((await find(client, "/Users", `userName eq "${userName}"`)).Resources[0]?.id).toBe(id)
    const replaced = await send("PUT", `/Users/${id}`, {
      ...user,
      id,
      name: { ...user.name, givenName: "Junior" }
    })
    expect(replaced.body.name).toEqual({ givenName: "Junior", familyName: "Brock" })

    const group = await send("POST", "/Groups", {
      schemas: [groupSchema],
      displayName: "Test SCIMv2",
      members: []
    })
    const path = `/Groups/${group.body.id}`
    const operations = [
      { op: "remove", path: `members[value eq "89bb1940"]` },
      { op: "add", path: "members", value: [{ value: id, display: userName }] }
    ]
    const pushed = await send("PATCH", path, patchOf(...operations))
    expect(pushed.body.members).toMatchObject([{ value: id }])
    const renamed = await send(
      "PATCH",
      path,
      patchOf({ op: "replace", value: { id: group.body.id, displayName: "Renamed" } })
    )
    expect(renamed.body).toMatchObject({ displayName: "Renamed", members: [{ value: id }] })
    const put = await send("PUT", path, {
      schemas: [groupSchema],
      id: group.body.id,
      displayName: "Renamed",
      members: []
    })
    expect(put.body.members).toEqual([])
    expect((await send("DELETE", path)).status).toBe(204)

    const ended = await send("PATCH", `/Users/${id}`, patchOf({ op: "replace", value: { active: false } }))
    expect(ended.body.active).toBe(false)
    expect((await api("GET", `/orgs/${organization}/members/${id}`)).body).toMatchObject({ disabled: true })
  })

  it("matches, updates and deletes a user, and synchronizes a group, as Microsoft Entra ID does", async () => {
    const client = await openScim(await startWorkspace(store))
    const { send } = client
    // The test of the connection requests a user that does not exist.
    const unknown = await find(client, "/Users", 'userName eq "non-existent user"')
    expect(unknown).toMatchObject({ totalResults: 0, Resources: [] })
    const created = await send("POST", "/Users", {
      schemas: [userSchema, enterprise],
      externalId: "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef",
      userName: "Test_User_ab6490ee@acme.example.com",
      active: true,
      emails: [{ primary: true, type: "work", value: "test_user_11bb11bb@acme.example.com" }],
      meta: { resourceType: "User" },
      name: { formatted: "givenName familyName", familyName: "familyName", givenName: "givenName" },
      roles: []
    })
    expect(created.status).toBe(201)
    // The user principal name and the address can differ.
    expect(created.body).toMatchObject({
      userName: "Test_User_ab6490ee@acme.example.com",
      emails: [{ value: "test_user_11bb11bb@acme.example.com" }]
    })
    const { id } = created.body
    const matched = await find(client, "/Users", 'externalId eq "0a21f0f2-8d2a-4f8e-bf98-7363c4aed4ef"')
    expect(matched.Resources.map((user) => user.id)).toEqual([id])
    const updated = await send(
      "PATCH",
      `/Users/${id}`,
      patchOf(
        { op: "Replace", path: 'emails[type eq "work"].value', value: "updatedEmail@microsoft.com" },
        { op: "Replace", path: "name.familyName", value: "updatedFamilyName" },
        { op: "Add", path: 'addresses[type eq "work"].formatted', value: "Main Street" },
        { op: "Add", path: `${enterprise}:department`, value: "Sales" },
        { op: "Replace", path: "userName", value: "5b50642d@acme.example.com" }
      )
    )
    expect([updated.status, updated.body]).toMatchObject([
      200,
      {
        userName: "5b50642d@acme.example.com",
        name: { familyName: "updatedFamilyName" },
        emails: [{ value: "test_user_11bb11bb@acme.example.com" }]
      }
    ])
    const disabled = await send(
      "PATCH",
      `/Users/${id}`,
      patchOf({ op: "Replace", path: "active", value: "False" })
    )
    expect(disabled.body.active).toBe(false)
    const enabled = await send("PATCH", `/Users/${id}`, patchOf({ op: "Replace", value: { active: "True" } }))
    expect(enabled.body.active).toBe(true)

    const group = await send("POST", "/Groups", {
      schemas: [groupSchema, "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group"],
      externalId: "8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159",
      displayName: "displayName",
      meta: { resourceType: "Group" }
    })
    expect(group.status).toBe(201)
    const path = `/Groups/${group.body.id}`
    expect((await send("GET", `${path}?excludedAttributes=members`)).body).not.toHaveProperty("members")
    const listed = await find(client, "/Groups?excludedAttributes=members", 'displayName eq "displayName"')
    expect(listed.Resources.map((one) => one.id)).toEqual([group.body.id])
    const add = { op: "Add", path: "members", value: [{ $ref: null, value: id }] }
    expect((await send("PATCH", path, patchOf(add))).body.members).toMatchObject([{ value: id }])
    const remove = { op: "Remove", path: "members", value: [{ $ref: null, value: id }] }
    expect((await send("PATCH", path, patchOf(remove))).body.members).toEqual([])
    await send("PATCH", path, patchOf(add))
    const removeByPath = { op: "Remove", path: `members[value eq "${id}"]` }
    expect((await send("PATCH", path, patchOf(removeByPath))).body.members).toEqual([])
    expect((await send("DELETE", path)).status).toBe(204)
    expect((await send("DELETE", `/Users/${id}`)).status).toBe(204)
  })

  it("links a member who was invited before", async () => {
    const client = await openScim(await startWorkspace(store))
    const { api, organization, send } = client
    await api("POST", `/orgs/${organization}/invites`, {
      emails: ["guest@elsewhere.example.com"],
      role: "read"
    })
    const [found] = (await find(client, "/Users", 'userName eq "Guest@elsewhere.example.com"')).Resources
    expect(found).toMatchObject({ userName: "guest@elsewhere.example.com", active: true })
    const linked = await send(
      "PATCH",
      `/Users/${found!.id}`,
      patchOf({ op: "add", path: "externalId", value: "x" })
    )
    expect(linked.body.externalId).toBe("x")
    expect((await find(client, "/Users", 'externalId eq "x"')).totalResults).toBe(1)
  })
})
