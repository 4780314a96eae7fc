/** Tokens of installations: the operations, spaces and sites that they are limited to, and their end. */
import { addressOf, buildScene, integrationOf, operations, paramsIn } from "@lectern/harness/operations"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  operationsOfEveryInstallation as always,
  operationsOfScopes as byScope
} from "./support/authorization/operationsOfScopes.ts"
import { type SceneServer, startScene } from "./support/startScene.ts"

let scene: Awaited<ReturnType<typeof buildScene>>
let host: SceneServer

interface Installed {
  readonly name: string
  readonly path: string
  readonly token: string
}

/** Publishes an integration with these scopes, installs it, and creates a token. */
const install = async (name: string, scopes: ReadonlyArray<string>, organization = host.organization) => {
  await host.call("POST", `/v1/integrations/${name}`, { ...integrationOf(host.organization), scopes })
  const { id } = await host.call<{ id: string }>("POST", `/v1/integrations/${name}/installations`, {
    organization
  })
  const path = `/v1/integrations/${name}/installations/${id}`
  const { token } = await host.call<{ token: string }>("POST", `${path}/tokens`)
  return { name, path, token } satisfies Installed
}

const statusOf = async (token: string, path: string, init: RequestInit = {}) =>
  (await host.server.fetch(path, { token, ...init })).status

/** Returns the ids of the operations that a token can call: the others are forbidden because of its scopes. */
const admitted = async (token: string): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const operation of operations) {
    // An empty body is invalid for most operations, which does not matter: scopes are checked before the body.
    const response = await host.server.fetch(addressOf(operation, paramsIn(operation, scene)), {
      method: operation.method,
      token,
      ...(operation.body === undefined ? {} : { body: "{" })
    })
    const text = await response.text()
    if (!text.includes("ScopeTooNarrow")) found.push(operation.id)
  }
  return found
}

beforeAll(async () => {
  host = await startScene()
  scene = await buildScene(host)
})
afterAll(() => host.server.close())

describe("a token of an installation", () => {
  it("can call only the operations of the scopes of the integration", async () => {
    const none = await admitted((await install("none", [])).token)
    expect([...none].sort()).toEqual([...always].sort())
    for (const [index, [scope, expected]] of Object.entries(byScope).entries()) {
      const all = await admitted((await install(`scope-${index}`, [scope])).token)
      const added = all.filter((id) => !always.includes(id))
      expect([scope, [...added].sort()]).toEqual([scope, [...expected].sort()])
    }
    for (const id of byScope["space:content:read"]!) {
      const { isWrite } = operations.find((operation) => operation.id === id)!
      expect([id, isWrite && id !== "getComputedDocument"]).toEqual([id, false])
    }
  })

  it("acts on its own installation only", async () => {
    const [one, other] = [await install("own", []), await install("other", [])]
    expect(await statusOf(one.token, one.path)).toBe(200)
    expect(await statusOf(one.token, other.path)).toBe(404)
    const externalIds = JSON.stringify({ externalIds: ["x"] })
    expect(await statusOf(one.token, one.path, { method: "PATCH", body: externalIds })).toBe(200)
    expect(await statusOf(one.token, other.path, { method: "PATCH", body: externalIds })).toBe(404)
  })

  it("is limited to selected spaces and sites", async () => {
    const { path, token } = await install("selecting", ["space:metadata:read", "site:metadata:read"])
    const { spaceId, siteId, organizationId } = scene.ids
    const space = `/v1/spaces/${spaceId}`
    const site = `/v1/orgs/${organizationId}/sites/${siteId}`
    expect([await statusOf(token, space), await statusOf(token, site)]).toEqual([200, 200])
    await host.call("PATCH", path, { space_selection: "selected", site_selection: "selected" })
    expect([await statusOf(token, space), await statusOf(token, site)]).toEqual([404, 404])
    await host.call("POST", `${path}/spaces`, { space: spaceId })
    expect([await statusOf(token, space), await statusOf(token, site)]).toEqual([200, 404])
    await host.call("POST", `${path}/sites`, { siteId })
    expect([await statusOf(token, space), await statusOf(token, site)]).toEqual([200, 200])
    expect((await host.call<{ spaces: number }>("GET", path)).spaces).toBe(1)
  })

  it("is limited to the organization of the installation", async () => {
    const { token } = await install("elsewhere", ["space:metadata:read"], scene.elsewhere)
    expect(await statusOf(token, `/v1/spaces/${scene.ids.spaceId}`)).toBe(404)
  })

  it("does not gain the scopes of later versions, and loses removed ones", async () => {
    const { name, path, token } = await install("growing", ["space:metadata:read"])
    const publish = (scopes: ReadonlyArray<string>) =>
      host.call("POST", `/v1/integrations/${name}`, { ...integrationOf(host.organization), scopes })
    const space = `/v1/spaces/${scene.ids.spaceId}`
    const renew = async () => (await host.call<{ token: string }>("POST", `${path}/tokens`)).token
    await publish(["space:metadata:read", "space:content:read"])
    expect(await statusOf(await renew(), space)).toBe(200)
    expect(await statusOf(await renew(), `${space}/content`)).toBe(403)
    await publish(["space:content:read"])
    expect(await statusOf(await renew(), space)).toBe(403)
    expect(await statusOf(token, space)).toBe(200)
  })

  it("is not a token of the user: it is in the list of the organization only", async () => {
    const { token } = await install("listed", [])
    const own = await host.call<{ items: ReadonlyArray<{ label: string }> }>(
      "GET",
      "/v1/user/tokens?limit=1000"
    )
    const inOrganization = await host.call<{
      items: ReadonlyArray<{ label: string; installation?: string }>
    }>("GET", `/v1/orgs/${host.organization}/tokens?limit=1000`)
    expect(own.items.map(({ label }) => label)).not.toContain("Integration listed")
    const listed = inOrganization.items.find(({ label }) => label === "Integration listed")
    expect(listed?.installation).toBeDefined()
    expect(await statusOf(token, "/v1/user/tokens")).toBe(403)
  })

  it("ends with the installation, and after an hour", async () => {
    const { path, token } = await install("ending", [])
    const other = await install("expiring", [])
    await host.call("DELETE", path)
    expect(await statusOf(token, path)).toBe(401)
    expect(await statusOf(other.token, other.path)).toBe(200)
    await host.server.core.advance(60 * 60 * 1_000 + 1)
    expect(await statusOf(other.token, other.path)).toBe(401)
  })
})
