/** Published sites: access of visitors, number of queries, and changes by several processes. */
import type { PublishedSite, PublishingAuth, ShareLink, Site, SiteSection, Space } from "@lectern/core"
import { countRoundTrips, isFastRun } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { SignJWT } from "jose"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { stores } from "./stores.ts"
import { callerOf } from "./support/sites.ts"
import { startServer, type TestServer } from "./support.ts"

describe("a visitor without a valid key or token", () => {
  let server: TestServer
  let call: ReturnType<typeof callerOf>
  let at: string
  let auth: PublishingAuth
  let link: ShareLink
  beforeAll(async () => {
    server = await startServer(MemoryStorage.layer())
    const admin = await server.core.createUser("admin@example.com")
    const organization = await server.core.createOrganization("Acme", admin)
    call = callerOf(server, await server.tokenOf(admin))
    const { value } = await call<Site>("", "POST", `/orgs/${organization}/sites`, {
      title: "Docs",
      spaces: "new"
    })
    at = `/orgs/${organization}/sites/${value.id}`
    await call("", "POST", `${at}/publish`)
    auth = (await call<PublishingAuth>("", "GET", `${at}/publishing/auth`)).value
    link = (await call<ShareLink>("", "POST", `${at}/share-links`, { name: "Link" })).value
  })
  afterAll(() => server.close())

  const responses = async (query: Record<string, string>) => {
    const received: Array<readonly [number, string]> = []
    for (const path of ["published", "structure", "sections", "site-spaces"]) {
      const { status, text } = await call("", "GET", `${at}/${path}?${new URLSearchParams(query)}`)
      received.push([status, text])
    }
    return received
  }
  /** Expects the responses for a site that does not exist. */
  const expectMissing = async (query: Record<string, string>) => {
    const { text } = await call("", "GET", `${at.replace(/[^/]+$/, "0".repeat(30))}/published`)
    for (const [status, body] of await responses(query))
      expect([query, status, body]).toEqual([query, 404, text])
  }

  it("cannot distinguish a site with the visibility `share-link` from a missing site", async () => {
    await call("", "PATCH", at, { visibility: "share-link" })
    const key = link.urls.published.split("/").at(-2)!
    for (const shareKey of ["", "x", key.slice(1), key.toUpperCase(), link.id, "%00"])
      await expectMissing({ shareKey })
    expect((await responses({ shareKey: key })).map(([status]) => status)).toEqual([200, 200, 200, 200])
    await call("", "PATCH", `${at}/share-links/${link.id}`, { active: false })
    await expectMissing({ shareKey: key })
    await call("", "PATCH", `${at}/share-links/${link.id}`, { active: true })
    await call("", "POST", `${at}/unpublish`)
    await expectMissing({ shareKey: key })
    await call("", "POST", `${at}/publish`)
    await call("", "DELETE", `${at}/share-links/${link.id}`)
    await expectMissing({ shareKey: key })
  })

  it("cannot distinguish a site with the visibility `visitor-auth` from a missing site", async () => {
    await call("", "PATCH", at, { visibility: "visitor-auth" })
    const now = new Date(server.core.now())
    const later = (hours: number) => new Date(now.getTime() + hours * 3_600_000)
    const token = (expires: Date | undefined, key = auth.privateKey) => {
      const unsigned = new SignJWT({}).setProtectedHeader({ alg: "HS256" })
      return (expires === undefined ? unsigned : unsigned.setExpirationTime(expires)).sign(
        new TextEncoder().encode(key)
      )
    }
    const valid = await token(later(1))
    expect((await responses({ visitorAuthToken: valid })).map(([status]) => status)).toEqual([
      200, 200, 200, 200
    ])
    const [head, body, signature] = valid.split(".") as [string, string, string]
    const none = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url")
    for (const visitorAuthToken of [
      "",
      "x",
      await token(later(-1)),
      await token(undefined),
      await token(later(1), "another key"),
      `${none}.${body}.`,
      `${head}.${Buffer.from(JSON.stringify({ exp: 9_999_999_999, insider: true })).toString("base64url")}.${signature}`
    ]) {
      await expectMissing({ visitorAuthToken })
    }
    // A new key invalidates the tokens that are signed with the former key.
    await call("", "POST", `${at}/publishing/auth/regenerate`)
    await expectMissing({ visitorAuthToken: valid })
  })
})

it.skipIf(isFastRun)(
  "a request of a large published site issues at most 8 sequential queries, and 2 if it is cached",
  async () => {
    const store = countRoundTrips(MemoryStorage.layer())
    const server = await startServer(store.layer)
    try {
      const admin = await server.core.createUser("admin@example.com")
      const organization = await server.core.createOrganization("Acme", admin)
      const call = callerOf(server, await server.tokenOf(admin))
      const { value: site } = await call<Site>("", "POST", `/orgs/${organization}/sites`, { title: "Docs" })
      const at = `/orgs/${organization}/sites/${site.id}`
      for (let i = 0; i < 50; i++) {
        let sectionId: string | undefined
        for (let j = 0; j < 10; j++) {
          const { value: space } = await call<Space>("", "POST", `/orgs/${organization}/spaces`, {
            title: `${i} ${j}`
          })
          if (sectionId === undefined) {
            sectionId = (await call<SiteSection>("", "POST", `${at}/sections`, { spaceId: space.id })).value
              .id
          } else await call("", "POST", `${at}/site-spaces`, { spaceId: space.id, sectionId })
        }
      }
      await call("", "POST", `${at}/publish`)
      store.takeCount()
      const { value } = await call<PublishedSite>("getPublishedContentSite", "GET", `${at}/published`)
      expect(value.structure.structure.length).toBe(50)
      expect(store.takeCount()).toBeLessThanOrEqual(8)
      // A repeated request only authenticates the caller and reads the snapshot.
      expect((await call<PublishedSite>("", "GET", `${at}/published`)).value).toEqual(value)
      expect(store.takeCount()).toBe(2)
      await call("", "PATCH", at, { title: "Other" })
      expect((await call<PublishedSite>("", "GET", `${at}/published`)).value.site.title).toBe("Other")
    } finally {
      await server.close()
    }
  }
)

for (const { name, make } of stores) {
  it(`a published site reflects changes by other processes, on ${name}`, async () => {
    const storage = await make()
    const [one, other] = [await startServer(storage), await startServer(storage)]
    try {
      const admin = await one.core.createUser("admin@example.com")
      const organization = await one.core.createOrganization("Acme", admin)
      const call = callerOf(one, await one.tokenOf(admin))
      const elsewhere = callerOf(other, await other.tokenOf(admin))
      const { value: space } = await call<Space>("", "POST", `/orgs/${organization}/spaces`, { title: "0" })
      const { value: site } = await call<Site>("", "POST", `/orgs/${organization}/sites`, {
        title: "Docs",
        spaces: [space.id]
      })
      const at = `/orgs/${organization}/sites/${site.id}`
      await call("", "POST", `${at}/publish`)
      const titles = ({ value }: { readonly value: PublishedSite }) =>
        JSON.stringify(value.structure.structure).match(/"title":"\d"/g)
      for (const title of ["1", "2", "3"]) {
        await elsewhere("", "PATCH", `/spaces/${space.id}`, { title })
        for (const callProcess of [call, elsewhere, call]) {
          expect(titles(await callProcess<PublishedSite>("", "GET", `${at}/published`))).toContain(
            `"title":"${title}"`
          )
        }
      }
      await elsewhere("", "POST", `${at}/unpublish`)
      expect((await call("", "GET", `${at}/published`)).status).toBe(404)
    } finally {
      await one.close()
      await other.close()
    }
  })
}
