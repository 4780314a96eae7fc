/** Redirects and links of sites that are rejected: ones that no path starts, that lead to themselves, or that look like others. */
import type { Site, Space } from "@lectern/core"
import { describe, expect, it } from "vitest"
import { memory } from "./stores.ts"
import { callerOf } from "./support/sites.ts"
import { startServerOn } from "./support.ts"

const start = async () => {
  const server = await startServerOn(memory)
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const call = callerOf(server, await server.tokenOf(admin))
  const space = (await call<Space>("", "POST", `/orgs/${organization}/spaces`, { title: "Guide" })).value
  await call("", "POST", `/spaces/${space.id}/content`, {
    changes: [
      { operation: "insert_page", title: "Start", document: { markdown: "Welcome." } },
      { operation: "insert_page", title: "Second page", document: { markdown: "Next." } }
    ]
  })
  const site = (await call<Site>("", "POST", `/orgs/${organization}/sites`, { spaces: [space.id] })).value
  const at = `/orgs/${organization}/sites/${site.id}`
  await call("", "POST", `${at}/publish`)
  const page = (path: string) => ({ kind: "path", spaceId: space.id, path })
  return { call, at, page }
}

const external = (url: string) => ({ kind: "external", url })

const unmatched = [
  "/..",
  "/.",
  "/../x",
  "/x/..",
  "/x/./y",
  "/%2e%2e/x",
  "/%2E./x",
  "/.%2e/*",
  "/~",
  "/~/search",
  "/~/*",
  "/~gitbook/mcp",
  "/%7e/*",
  "/sitemap.xml",
  `/sitemap${"%2e"}xml`,
  "/robots.txt",
  "/llms.txt",
  "/llms-full.txt",
  "/rss.xml",
  "/atom.xml"
]

const deceptive = [
  "https://user:pw@evil.example/",
  "https://example.com@evil.example/",
  "https://:x@evil.example/",
  "https://example.com/\u0000",
  "https://example.com/a\u001fb",
  "https://example.com/\u202Egnp.exe",
  "https://example.com/\u2066x",
  "https://exa\u200Emple.com/"
]

describe("a redirect", () => {
  it("is rejected if no request has a path that its source matches", async () => {
    const { call, at } = await start()
    const destination = external("https://example.com/")
    for (const source of unmatched) {
      const created = await call("", "POST", `${at}/redirects`, { source, destination })
      expect([source, created.status, created.text.includes("source")]).toEqual([source, 400, true])
    }
    for (const source of [
      "/sitemap.xml/x",
      "/sitemap*",
      "/...",
      "/..*",
      "/.well-known",
      "/~x",
      "/a/~/b",
      "/a..b"
    ]) {
      const created = await call("", "POST", `${at}/redirects`, { source, destination })
      expect([source, created.status]).toEqual([source, 201])
    }
  })

  it("is rejected if its wildcard matches its destination, in every operation", async () => {
    const { call, at, page } = await start()
    const destination = page("second-page")
    const looping = { source: "/second*", captureWildcard: true, destination }
    const created = await call("", "POST", `${at}/redirects`, looping)
    expect([created.status, created.text]).toEqual([400, expect.stringContaining("/*")])
    const upserted = await call("", "PUT", `${at}/redirects`, { redirects: [looping] })
    expect(JSON.stringify(upserted.value)).toContain('"status":"error"')
    for (const fields of [{ captureWildcard: false }, { source: "/first*" }, { source: "/second/*" }]) {
      const other = await call<{ id: string }>("", "POST", `${at}/redirects`, { ...looping, ...fields })
      expect([fields, other.status]).toEqual([fields, 201])
      const updated = await call("", "PATCH", `${at}/redirects/${other.value.id}`, looping)
      expect([fields, updated.status]).toEqual([fields, 400])
      await call("", "DELETE", `${at}/redirects/${other.value.id}`)
    }
  })
})

it("a URL that visitors open has no user information, and no character that displays it as another one", async () => {
  const { call, at } = await start()
  for (const url of deceptive) {
    const redirect = await call("", "POST", `${at}/redirects`, { source: "/x", destination: external(url) })
    const link = await call("", "POST", `${at}/external-links`, { title: "Link", url })
    expect([url, redirect.status, link.status]).toEqual([url, 400, 400])
  }
  const url = "https://example.com/a@b?c=d@e"
  const redirect = await call("", "POST", `${at}/redirects`, { source: "/x", destination: external(url) })
  expect(redirect.status).toBe(201)
})
