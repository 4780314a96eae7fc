/** The operations that require a recent sign-in of a session, because they return a secret or can grant the role `admin`. */
import { addressOf, buildScene, operations, paramsIn } from "@lectern/harness/operations"
import { ReturnsSecret } from "@lectern/model/api"
import { Context } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { adminPlaces } from "./support/adminPlaces.ts"
import { signedInBrowser, signInPathOf, type TestBrowser } from "./support/browser.ts"
import { type SceneServer, startScene } from "./support/startScene.ts"

let scene: Awaited<ReturnType<typeof buildScene>>
let host: SceneServer
let browser: TestBrowser

const minute = 60_000

beforeAll(async () => {
  host = await startScene()
  scene = await buildScene(host)
  browser = await signedInBrowser(host.server, host.owner.email)
  // Of an account with a passkey, sessions need a second factor.
  await host.server.core.advance(60 * minute)
})
afterAll(() => host.server.close())

const send = async (method: string, path: string, body?: unknown) => {
  const { status, text } = await browser.request(path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } })
  })
  return { status, body: JSON.parse(text || "{}") }
}

const ofContent = "The URL opens content that the caller can read, and expires."
const ofVisitors = "The token opens a site as a visitor, and expires."
const ofSite = "The link opens a site for reading. Who publishes the site can open it for everyone."

/** The operations that return a secret without a recent sign-in. */
const exempt: Readonly<Record<string, string>> = {
  updateOrganizationMemberLastSeenAt: ofVisitors,
  listOrganizationInviteLinks: "It requires one if a link grants the role admin, which the next test proves.",
  getOrganizationInviteLink: "The caller sends the secret, which is the id.",
  listSiteShareLinks: ofSite,
  createSiteShareLink: ofSite,
  getSitePublishingPreviewById: ofVisitors,
  resolvePublishedContentByUrl: ofVisitors,
  getPublishedContentByUrl: ofVisitors,
  getSpacePDF: ofContent,
  getChangeRequestPDF: ofContent,
  getSpaceExport: ofContent,
  getChangeRequestExport: ofContent,
  getRevisionExport: ofContent,
  getSiteExport: ofContent,
  generateStorageUploadURL:
    "The URL stores a file, which nobody can read before the caller adds it to content."
}

describe("a session whose sign-in is an hour ago", () => {
  it("grants the role admin by no operation", async () => {
    const places = adminPlaces(scene)
    expect(places.length).toBeGreaterThan(15)
    for (const { operation, path, value } of places) {
      const address = addressOf(operation, paramsIn(operation, scene))
      const body = { ...(operation.body?.(scene) as object), ...(value as object) }
      const { status, body: result } = await send(operation.method, address, body)
      expect([operation.id, path, status, result.error?.reason]).toEqual([
        operation.id,
        path,
        403,
        "FreshSignInRequired"
      ])
    }
  })

  it("receives a secret from no operation, except of the listed ones", async () => {
    const missing: Array<string> = []
    for (const operation of operations) {
      if (!Context.get(operation.endpoint.annotations, ReturnsSecret)({}) || operation.id in exempt) continue
      const address = addressOf(operation, paramsIn(operation, scene))
      const { status, body } = await send(operation.method, address, operation.body?.(scene))
      if (body.error?.reason !== "FreshSignInRequired")
        missing.push(`${operation.id} ${status} ${body.error?.reason}`)
    }
    expect(missing).toEqual([])
  })

  it("does not see links that grant the role admin, and creates no links", async () => {
    const links = `/v1/orgs/${scene.ids.organizationId}/link-invites`
    expect((await send("GET", links)).status).toBe(200)
    for (const role of ["admin", "read"]) {
      expect([role, (await send("POST", links, { role })).body.error?.reason]).toEqual([
        role,
        "FreshSignInRequired"
      ])
    }
    await host.call("POST", links, { role: "admin" })
    expect((await send("GET", links)).body.error?.reason).toBe("FreshSignInRequired")
  })

  it("removes members, and grants other roles", async () => {
    const org = `/v1/orgs/${scene.ids.organizationId}`
    const invited = await send("POST", `${org}/invites`, { emails: ["eve@example.com"], role: "edit" })
    expect(invited.status).toBe(200)
    expect((await send("DELETE", `${org}/members/${invited.body.users[0]}`)).status).toBeLessThan(300)
  })

  it("administers again for an hour after a sign-in", async () => {
    const links = `/v1/orgs/${scene.ids.organizationId}/link-invites`
    await browser.request(await signInPathOf(host.server, host.owner.email), { method: "POST" })
    await host.server.core.advance(59 * minute)
    expect((await send("POST", links, { role: "admin" })).status).toBe(201)
    await host.server.core.advance(minute)
    expect((await send("POST", links, { role: "admin" })).body.error?.reason).toBe("FreshSignInRequired")
  })
})
