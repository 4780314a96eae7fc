/** The roles that a token with limited permissions can give: by every operation whose input has a role, and indirectly. */
import { addressOf, buildScene, paramsIn } from "@lectern/harness/operations"
import { givenRolesOf } from "@lectern/model/roles"
import { tokenPermissions } from "@lectern/model/tokens"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminPlaces } from "./support/adminPlaces.ts"
import { type SceneServer, startScene } from "./support/startScene.ts"

let scene: Awaited<ReturnType<typeof buildScene>>
let host: SceneServer
let limited: string

beforeAll(async () => {
  host = await startScene()
  scene = await buildScene(host)
  const { secret } = await host.call<{ secret: string }>("POST", "/v1/user/tokens", {
    label: "Program",
    permissions: tokenPermissions
  })
  limited = secret
})
afterAll(() => host.server.close())

const send = async (token: string, method: string, path: string, body?: unknown) => {
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const response = await host.server.fetch(path, { method, token, ...init })
  return { status: response.status, body: JSON.parse((await response.text()) || "{}") }
}

const userSchema = "urn:ietf:params:scim:schemas:core:2.0:User"
const messages = "urn:ietf:params:scim:api:messages:2.0:"

/** Creates a token as an identity provider has it. */
const provisioningToken = async () => {
  const { secret } = await host.call<{ secret: string }>("POST", "/v1/user/tokens", {
    label: "SCIM",
    organization: scene.ids.organizationId,
    permissions: ["organization.provision"]
  })
  return secret
}

describe("a token with limited permissions", () => {
  it("cannot grant the role admin by any operation whose input has a role", async () => {
    const places = adminPlaces(scene)
    expect(places.length).toBeGreaterThan(15)
    for (const { operation, schema, path, value } of places) {
      const name = `${operation.id} ${path}`
      expect([name, givenRolesOf(schema)?.(value)]).toEqual([name, ["admin"]])
      const address = addressOf(operation, paramsIn(operation, scene))
      const body = { ...(operation.body?.(scene) as object), ...(value as object) }
      const answer = await send(limited, operation.method, address, body)
      expect([name, answer.status, answer.body.error?.reason, answer.body.error?.message]).toEqual([
        name,
        403,
        "ScopeTooNarrow",
        expect.stringMatching(/cannot (grant the role `admin`|change how members join and sign in)/)
      ])
    }
  })

  it("can grant lower roles by the same operations", async () => {
    const org = `/v1/orgs/${scene.ids.organizationId}`
    const statuses = [
      (await send(limited, "PATCH", org, { defaultRole: "edit" })).status,
      (await send(limited, "POST", `${org}/invites`, { emails: ["eve@example.com"], role: "edit" })).status
    ]
    expect(statuses).toEqual([200, 200])
  })

  it("cannot change how members join and sign in", async () => {
    const { organizationId, samlProviderId, oidcProviderId, userId } = scene.ids
    const org = `/v1/orgs/${organizationId}`
    const attempts: ReadonlyArray<readonly [string, string, unknown?]> = [
      ["PATCH", org, { emailDomains: ["evil.example.com"] }],
      ["PATCH", org, { domainJoin: true }],
      ["PATCH", org, { sso: true }],
      ["PATCH", org, { secondFactor: true }],
      ["POST", `${org}/saml`, { label: "Own", defaultRole: "read" }],
      ["PATCH", `${org}/saml/${samlProviderId}`, { label: "Own" }],
      ["DELETE", `${org}/saml/${samlProviderId}`],
      ["POST", `${org}/oidc`, { label: "Own", groups: [{ group: "all", role: "read" }] }],
      ["PATCH", `${org}/oidc/${oidcProviderId}`, { domains: ["evil.example.com"] }],
      ["DELETE", `${org}/oidc/${oidcProviderId}`],
      ["POST", `${org}/members/${userId}/sso`]
    ]
    for (const [method, path, body] of attempts) {
      const answer = await send(limited, method, path, body)
      expect([method, path, answer.status, answer.body.error?.reason]).toEqual([
        method,
        path,
        403,
        "ScopeTooNarrow"
      ])
    }
    // Unchanged values change nothing.
    const { emailDomains, domainJoin, sso } = (await send(limited, "GET", org)).body
    expect((await send(limited, "PATCH", org, { emailDomains, domainJoin, sso })).status).toBe(200)
  })

  it("cannot add members to a team that has the role admin on content", async () => {
    const { organizationId, spaceId, userId } = scene.ids
    const org = `/v1/orgs/${organizationId}`
    const team = await host.call<{ id: string }>("PUT", `${org}/teams`, { title: "Owners" })
    const path = `${org}/teams/${team.id}/members/${userId}`
    expect((await send(limited, "PUT", path, {})).status).toBeLessThan(300)
    await send(limited, "DELETE", path)
    await host.call("PATCH", `/v1/spaces/${spaceId}/permissions/teams/${team.id}`, { role: "admin" })
    const provisioning = await provisioningToken()
    const patch = {
      schemas: [`${messages}PatchOp`],
      Operations: [{ op: "add", path: "members", value: [{ value: userId }] }]
    }
    const byScim = await send(provisioning, "PATCH", `/scim/v2/Groups/${team.id}`, patch)
    expect([byScim.status, byScim.body.detail]).toEqual([403, expect.stringContaining("role `admin`")])
    const attempts: ReadonlyArray<readonly [string, string, unknown]> = [
      ["PUT", path, {}],
      ["PUT", `${org}/teams/${team.id}/members`, { add: [userId] }],
      ["PUT", `${org}/teams/${team.id}/members`, { memberships: { [userId]: { role: "owner" } } }]
    ]
    for (const [method, address, body] of attempts) {
      const answer = await send(limited, method, address, body)
      expect([method, address, answer.status, answer.body.error?.reason]).toEqual([
        method,
        address,
        403,
        "ScopeTooNarrow"
      ])
    }
    expect((await send(host.token, "PUT", path, {})).status).toBeLessThan(300)
  })

  it("provisions no administrators by SCIM, even if the default role is admin", async () => {
    const org = `/v1/orgs/${scene.ids.organizationId}`
    await host.call("PATCH", org, { defaultRole: "admin", emailDomains: ["example.com"] })
    const secret = await provisioningToken()
    const provision = async (email: string) => {
      const emails = [{ value: email, primary: true }]
      const user = { schemas: [userSchema], userName: email, emails, active: true }
      return (await send(secret, "POST", "/scim/v2/Users", user)).status
    }
    expect(await provision("fay@example.com")).toBe(403)
    await host.call("PATCH", org, { defaultRole: "read" })
    expect(await provision("fay@example.com")).toBe(201)
  })

  it("cannot place content below a collection by which all members manage it", async () => {
    const { organizationId } = scene.ids
    const org = `/v1/orgs/${organizationId}`
    const collection = await host.call<{ id: string }>("POST", `${org}/collections`, { title: "Open" })
    await host.call("PATCH", `/v1/collections/${collection.id}`, { defaultLevel: "admin" })
    const create = async (path: string, body: object) =>
      (await host.call<{ id: string }>("POST", `${org}/${path}`, body)).id
    const moved = await create("spaces", { title: "Moved" })
    const folder = await create("collections", { title: "Folder" })
    const inherited = await create("spaces", { title: "Inherited", parent: collection.id })
    await host.call("PATCH", `/v1/spaces/${inherited}`, { defaultLevel: "read" })
    const below = await create("collections", { title: "Below", parent: collection.id })
    await host.call("PATCH", `/v1/collections/${below}`, { defaultLevel: "read" })
    const inside = await create("spaces", { title: "Inside", parent: below })
    const attempts: ReadonlyArray<readonly [string, string, unknown?]> = [
      ["POST", `/v1/spaces/${moved}/move`, { parent: collection.id }],
      ["POST", `/v1/collections/${folder}/move`, { parent: collection.id }],
      ["PATCH", `/v1/spaces/${inherited}`, { defaultLevel: "inherit" }],
      ["PATCH", `/v1/collections/${below}`, { defaultLevel: "inherit" }],
      ["DELETE", `/v1/collections/${below}`]
    ]
    for (const [method, path, body] of attempts) {
      const answer = await send(limited, method, path, body)
      expect([method, path, answer.status, answer.body.error?.reason]).toEqual([
        method,
        path,
        403,
        "ScopeTooNarrow"
      ])
    }
    // A place at which members have a lower role is permitted.
    expect((await send(limited, "POST", `/v1/spaces/${moved}/move`, { parent: below })).status).toBe(200)
    expect((await send(limited, "PATCH", `/v1/spaces/${inside}`, { title: "Renamed" })).status).toBe(200)
  })
})

describe("access that remains after a token", () => {
  const integrationOf = async (name: string, scopes: ReadonlyArray<string>) => {
    const body = { title: name, description: name, visibility: "public", script: "1", scopes }
    await host.call("POST", `/v1/integrations/${name}`, {
      ...body,
      organization: scene.ids.organizationId
    })
    return `/v1/integrations/${name}/installations`
  }

  it("is not given to an integration that has scopes", async () => {
    const organization = scene.ids.organizationId
    const wide = await integrationOf("wide", ["space:content:read", "space:content:write"])
    const plain = await integrationOf("plain", [])
    const refused = await send(limited, "POST", wide, { organization })
    expect([refused.status, refused.body.error?.reason]).toEqual([403, "ScopeTooNarrow"])
    expect((await send(limited, "POST", plain, { organization })).status).toBe(201)
    const { id } = await host.call<{ id: string }>("POST", wide, { organization })
    for (const body of [{ space_selection: "all" }, { site_selection: "selected" }]) {
      expect((await send(limited, "PATCH", `${wide}/${id}`, body)).status).toBe(403)
    }
    const spaces = `${wide}/${id}/spaces`
    expect((await send(limited, "POST", spaces, { space: scene.ids.spaceId })).status).toBe(403)
    expect((await send(limited, "PATCH", `${wide}/${id}`, { externalIds: ["a"] })).status).toBe(200)
    expect((await send(limited, "DELETE", `${wide}/${id}`)).status).toBeLessThan(300)
  })

  it("is not read with a token that only reads", async () => {
    const { organizationId, siteId } = scene.ids
    const org = `/v1/orgs/${organizationId}`
    const { secret } = await host.call<{ secret: string }>("POST", "/v1/user/tokens", {
      label: "Reader",
      readOnly: true
    })
    await host.call("PATCH", org, { inviteLinks: true })
    await host.call("POST", `${org}/link-invites`, { role: "admin" })
    await host.call("POST", `${org}/sites/${siteId}/share-links`, { name: "Guests" })
    const listed = async (token: string, path: string) =>
      (await send(token, "GET", `${org}/${path}`)).body.items.length
    for (const path of ["link-invites", `sites/${siteId}/share-links`]) {
      expect([path, await listed(host.token, path)]).not.toEqual([path, 0])
      expect([path, await listed(secret, path)]).toEqual([path, 0])
    }
    const key = `${org}/sites/${siteId}/publishing/auth`
    expect((await send(host.token, "GET", key)).status).toBe(200)
    for (const token of [secret, limited]) expect((await send(token, "GET", key)).status).toBe(403)
    expect((await send(limited, "PATCH", key, { fallbackURL: "https://example.com" })).status).toBe(403)
    expect((await send(limited, "POST", `${key}/regenerate`)).status).toBe(403)
  })
})
