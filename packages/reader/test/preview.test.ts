/** Previews for signed-in readers: spaces, change requests and revisions. */
import { runs } from "@lectern/harness"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { compareLines } from "../src/preview/renderDiff.ts"
import { executableParts } from "./support/inspectHtml.ts"
import { type PageServer, startPageServer } from "./support/scene.ts"

let server: PageServer
let space: { readonly id: string; readonly app: string }
let changeRequest: { readonly id: string; readonly app: string }
let page: string
let cookie: string

const as = () => server.workspace.as(server.user)
const get = (url: string, init: RequestInit = {}) => fetch(url, { redirect: "manual", ...init })
const readPage = async (url: string) => {
  const response = await get(url, { headers: { cookie } })
  return { status: response.status, html: await response.text(), headers: response.headers }
}
const signIn = async (target = "") =>
  get(`${await server.createSignInLink()}?${new URLSearchParams({ return: target })}`, {
    method: "POST",
    headers: { "sec-fetch-site": "same-origin" }
  })

beforeAll(async () => {
  server = await startPageServer()
  const { id, urls } = await as().spaces.create({
    organization: server.organization,
    input: { title: "Handbook" }
  })
  space = { id, app: urls.app }
  await as().content.edit({
    content: { space: id },
    input: {
      changes: [
        {
          operation: "insert_page",
          title: "Start",
          document: { markdown: "One\n\nTwo\n\n{% if visitor.claims.beta %}\nOnly beta\n{% endif %}\n" }
        },
        { operation: "insert_page", title: "Other", document: { markdown: "Text" } }
      ]
    }
  })
  page = (await as().content.listPages({ content: { space: id } })).pages[0]!.id
  const created = await as().changeRequests.create({ space: id, input: { subject: "Better words" } })
  changeRequest = { id: created.id, app: created.urls.app }
  await as().content.edit({
    content: { space: id, changeRequest: created.id },
    input: {
      changes: [
        { operation: "update_page", page, document: { markdown: "One\n\nTwo and a half <script>\n" } },
        { operation: "insert_page", title: "New", document: { markdown: "New page" } }
      ]
    }
  })
  const session = await signIn()
  cookie = session.headers.get("set-cookie")!.split(";")[0]!
})
afterAll(() => server.close())

describe("a session", () => {
  it("is required, and returns to the requested page", async () => {
    const response = await get(`${space.app}other`)
    expect(response.status).toBe(302)
    const url = new URL(response.headers.get("location")!, `${space.app}other`)
    expect(url.pathname).toBe("/~/login")
    const target = url.searchParams.get("return")!
    expect(target).toBe(`s/${space.id}/other`)
    const done = await signIn(target)
    expect(new URL(done.headers.get("location")!, `${server.url}/~/sign-in/x`).href).toBe(`${space.app}other`)
  })

  it("never returns to another website", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.webUrl(),
          fc.string(),
          fc.constantFrom("//attacker.example", "/\\attacker.example", "https:attacker.example", "\\\\x")
        ),
        async (target) => {
          const response = await signIn(target)
          const location = new URL(response.headers.get("location")!, `${server.url}/~/sign-in/x`)
          expect(location.origin).toBe(server.url)
        }
      ),
      runs(40)
    )
  })

  it("is accepted by the API for requests of this server only, and ends with a sign-out", async () => {
    const statusOf = async (site: string) =>
      (await get(`${server.url}/v1/orgs`, { headers: { cookie, "sec-fetch-site": site } })).status
    expect([await statusOf("same-origin"), await statusOf("cross-site")]).toEqual([200, 403])
    const other = (await signIn()).headers.get("set-cookie")!.split(";")[0]!
    const signOut = await get(`${server.url}/~/logout`, {
      method: "POST",
      headers: { cookie: other, "sec-fetch-site": "same-origin" }
    })
    expect(signOut.headers.get("set-cookie")).toContain("Max-Age=0")
    expect((await get(space.app, { headers: { cookie: other } })).status).toBe(302)
  })
})

describe("a preview", () => {
  it("displays every page at its URL in the application, with conditions", async () => {
    const { pages } = await as().content.listPages({ content: { space: space.id } })
    for (const one of pages) {
      if (one.type !== "document") continue
      const response = await fetch(one.urls.app, { headers: { cookie } })
      expect(response.status).toBe(200)
      expect(await response.text()).toContain(`<span>${one.title}</span></h1>`)
    }
    const { html, headers } = await readPage(space.app)
    expect(html).toContain("visitor.claims.beta")
    expect(html).toContain("Only beta")
    expect(html).toContain('<meta name="robots" content="noindex">')
    expect(headers.get("cache-control")).toBe("private, no-cache")
    expect(executableParts(html.slice(html.indexOf("<body>") + 6))).toEqual([])
  })

  it("of a change request displays its content, its changes, and the differences of each page", async () => {
    expect((await readPage(changeRequest.app)).html).toContain("Two and a half")
    const changes = (await readPage(`${changeRequest.app}~/changes`)).html
    expect(changes).toContain("Edited page <strong>Start</strong>")
    expect(changes).toContain("Added page <strong>New</strong>")
    const diff = (await readPage(`${changeRequest.app}~/diff/${page}`)).html
    expect(diff).toContain("<del><span>− Two</span></del>")
    expect(diff).toContain("<ins><span>+ Two and a half &lt;script&gt;</span></ins>")
    expect((await readPage(`${changeRequest.app}~/conflicts`)).html).toContain("no conflicts")
  })

  it("of a change request displays its conflicts", async () => {
    await as().content.edit({
      content: { space: space.id },
      input: {
        changes: [{ operation: "update_page", page, document: { markdown: "One\n\nTwo and three\n" } }]
      }
    })
    const { html } = await readPage(`${changeRequest.app}~/conflicts`)
    expect(html).toContain("Start: body")
    expect(html).toContain("Two and three")
    expect(html).toContain("Two and a half")
    const { conflicts } = await as().changeRequests.previewMerge({
      space: space.id,
      changeRequest: changeRequest.id
    })
    expect(
      await as().changeRequests.merge({ space: space.id, changeRequest: changeRequest.id })
    ).toMatchObject({
      result: "conflicts",
      conflicts
    })
  })

  it("of a revision displays its content", async () => {
    const { revision } = await as().changeRequests.get({ space: space.id, changeRequest: changeRequest.id })
    expect((await readPage(`${space.app}~/revisions/${revision}/`)).html).toContain("Two and a half")
  })

  it("of content that the reader cannot see does not exist", async () => {
    expect((await readPage(`${server.url}/s/unknown/`)).status).toBe(404)
    expect((await readPage(`${space.app}~/changes/99/`)).status).toBe(404)
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("s", "o", "c", "integrations", "~/visit", "sites", `s/${space.id}/~/revisions`),
        fc.array(fc.oneof(fc.webSegment(), fc.string(), fc.constantFrom("%20", "%00", "%ff", "..%2f")), {
          minLength: 1,
          maxLength: 4
        }),
        async (prefix, segments) => {
          const path = segments.join("/").replace(/[^!-~]|[#?\\]/g, "%20")
          const response = await get(`${server.url}/${prefix}/x${path}`, { headers: { cookie } })
          expect([path, response.status]).toEqual([path, expect.toSatisfy((status) => status < 500)])
        }
      ),
      runs(100)
    )
  })
})

describe("a resource without content of its own", () => {
  it("has a page at its URL in the application, from which previews are reached", async () => {
    const { organization } = server
    const nameless = await as().collections.create({ organization, input: { title: "<b>Guides</b>" } })
    const inner = await as().collections.create({
      organization,
      input: { title: "Inner", parent: nameless.id }
    })
    const spec = await as().openApiSpecs.create({
      organization,
      input: {
        slug: "pets",
        source: { text: "openapi: 3.1.0\ninfo: { title: Pets, version: '1' }\npaths: {}\n" }
      }
    })
    await as().spaces.move({ space: space.id, input: { parent: inner.id } })
    const site = await as().sites.create({ organization, input: { title: "Docs", spaces: [space.id] } })
    const { urls } = await as().organizations.get({ organization })
    const all = [urls.app, nameless.urls.app, inner.urls.app, spec.urls.app, site.urls.app]
    const linked = new Set<string>()
    for (const url of all) {
      const { status, html, headers } = await readPage(url)
      expect([url, status, headers.get("cache-control")]).toEqual([url, 200, "private, no-cache"])
      expect(executableParts(html.slice(html.indexOf("<body>") + 6))).toEqual([])
      for (const [, href] of html.matchAll(/<a href="([^"]*)"/g)) linked.add(new URL(href!, url).href)
    }
    for (const url of all) expect(linked).toContain(url)
    expect(linked).toContain(space.app)
    for (const url of linked) {
      if (url.startsWith(server.url)) expect([url, (await readPage(url)).status]).toEqual([url, 200])
    }
    expect((await readPage(inner.urls.app)).html).toContain("&lt;b&gt;Guides&lt;/b&gt;")
  })

  it("continues lists that are longer than a page", async () => {
    const { organization } = server
    for (let index = 0; index < 101; index++) {
      await as().collections.create({ organization, input: { title: `Collection ${index}` } })
    }
    const { urls } = await as().organizations.get({ organization })
    const first = (await readPage(urls.app)).html
    const more = /<a href="([^"]*)">More collections/.exec(first)![1]!.replaceAll("&amp;", "&")
    const second = (await readPage(new URL(more, urls.app).href)).html
    const titles = `${first}${second}`.match(/>Collection \d+</g)
    expect(new Set(titles).size).toBe(101)
  })

  it("requires a session, and does not exist for other readers", async () => {
    const { urls } = await as().organizations.get({ organization: server.organization })
    expect((await get(urls.app)).status).toBe(302)
    for (const path of [
      "o/unknown",
      "c/unknown",
      "o/unknown/sites/x",
      "o/unknown/openapi/x",
      "integrations/x"
    ]) {
      expect([path, (await readPage(`${server.url}/${path}`)).status]).toEqual([path, 404])
    }
    const invalid = await readPage(`${urls.app}?spaces=invalid`)
    expect(invalid.status).toBe(404)
  })
})

it("compares lines, so that removed and added lines convert one version to the other", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 })
    .map((lines) => lines.join("\n"))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const lines = compareLines(before, after)
      const without = (kind: string) =>
        lines
          .filter((line) => line.kind !== kind)
          .map((line) => line.text)
          .join("\n")
      expect(without("added")).toBe(before)
      expect(without("removed")).toBe(after)
    })
  )
})
