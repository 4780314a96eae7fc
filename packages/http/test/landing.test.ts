/** The root of the server, for browsers and for API clients. */
import { runs } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startServer, type TestServer } from "./support.ts"

let server: TestServer

beforeAll(async () => {
  server = await startServer(MemoryStorage.layer())
})
afterAll(() => server.close())

const get = (accept: string | undefined, init: RequestInit = {}) =>
  server.fetch("/", { ...init, headers: { ...init.headers, ...(accept === undefined ? {} : { accept }) } })

const mediaType = (response: Response) => response.headers.get("content-type")?.split(";")[0]

describe("the root of the server", () => {
  it("is a page for browsers, and JSON for other clients", async () => {
    const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
    expect(mediaType(await get(browser))).toBe("text/html")
    for (const accept of [
      "*/*",
      "application/json",
      "text/html;q=0.1, application/json",
      "text/html;q=0",
      "text/html;q=x"
    ])
      expect([accept, mediaType(await get(accept))]).toEqual([accept, "application/json"])
  })

  it("has the same representation for every order of the accepted types", async () => {
    const quality = fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10)
    await fc.assert(
      fc.asyncProperty(quality, quality, fc.boolean(), async (html, json, isReversed) => {
        const ranges = [`text/html;q=${html}`, `application/json;q=${json}`, "image/*"]
        const response = await get((isReversed ? ranges.toReversed() : ranges).join(", "))
        expect(response.status).toBe(200)
        expect(mediaType(response)).toBe(html > 0 && html >= json ? "text/html" : "application/json")
        expect(response.headers.get("vary")).toMatch(/\baccept\b/)
      }),
      runs(50)
    )
  })

  it("links to addresses that exist", async () => {
    const { urls } = (await (await get("application/json")).json()) as { urls: Record<string, string> }
    expect(Object.keys(urls)).toEqual(["api", "reference", "openapi", "health", "documentation"])
    const html = await (await get("text/html")).text()
    for (const name of ["reference", "openapi", "health", "documentation"]) {
      expect(html).toContain(`href="${urls[name]}"`)
      const { pathname } = new URL(urls[name]!, "http://localhost/")
      expect((await server.fetch(pathname)).status).toBe(200)
    }
  })

  it("loads nothing, runs no script, and is revalidated by its entity tag", async () => {
    const response = await get("text/html")
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(await response.text()).not.toMatch(/<script|<img|<link|@import|url\(/)
    const etag = response.headers.get("etag")!
    const repeated = await get("text/html", { headers: { "if-none-match": etag } })
    expect(repeated.status).toBe(304)
    expect((await get("application/json", { headers: { "if-none-match": etag } })).status).toBe(200)
  })

  it("rejects methods that write", async () => {
    const response = await get("text/html", { method: "POST" })
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"])
  })
})

describe("a path that no route has", () => {
  const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }

  it("is a page for browsers that links to the root, from any depth, and JSON for other clients", async () => {
    const segment = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/).filter((text) => text !== "v1")
    await fc.assert(
      fc.asyncProperty(
        fc.array(segment, { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        async (segments, isFolder) => {
          const path = `/unknown-${segments.join("/")}${isFolder ? "/" : ""}`
          const response = await server.fetch(path, { headers: browser })
          expect([response.status, mediaType(response)]).toEqual([404, "text/html"])
          const [, href] = /href="([^"]*)"/.exec(await response.text()) ?? []
          expect(new URL(href!, `http://localhost${path}`).pathname).toBe("/")
          const json = await server.fetch(path)
          expect([json.status, mediaType(json)]).toEqual([404, "application/json"])
          for (const { headers } of [response, json]) expect(headers.get("vary")).toMatch(/\baccept\b/)
        }
      ),
      runs(20)
    )
  })

  it("is JSON for all clients of the API", async () => {
    for (const path of ["/v1", "/v1/unknown", "/v1/spaces/x/unknown"]) {
      const response = await server.fetch(path, { headers: browser })
      expect([path, response.status, mediaType(response)]).toEqual([path, 404, "application/json"])
    }
  })

  it("runs no script", async () => {
    const response = await server.fetch("/unknown", { headers: browser })
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'")
  })
})
