/** Published sites over HTTP: addresses, caching, formats for machines, and visitors. */
import { createHmac } from "node:crypto"
import { request } from "node:http"
import { text as readText } from "node:stream/consumers"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { brokenLinks } from "./support/linkChecker.ts"
import { createTestSite, type PageServer, startPageServer, type TestSite } from "./support/scene.ts"

let server: PageServer
let site: TestSite

beforeAll(async () => {
  server = await startPageServer()
  site = await createTestSite(server)
})
afterAll(() => server.close())

const get = (path: string, init: RequestInit = {}) => fetch(site.url + path, { redirect: "manual", ...init })
const text = async (path: string) => (await get(path)).text()

/** Runs changes of the site, and restores it. */
const as = () => server.workspace.as(server.user)
const target = () => ({ organization: server.organization, site: site.site })

describe("a published site", () => {
  it("has a page at every URL that the API returns", async () => {
    const { structure } = await as().publishedSites.get(target())
    if (structure.type !== "sections") throw new Error("no sections")
    const urls = structure.structure.flatMap((item) =>
      item.object === "site-section"
        ? [item.urls.published!, ...item.siteSpaces.map(({ urls }) => urls.published!)]
        : []
    )
    expect(urls.length).toBeGreaterThan(3)
    for (const url of urls) {
      const response = await fetch(url)
      expect(response.status).toBe(200)
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
    }
  })

  it("has no broken internal link", async () => {
    const { pages, broken } = await brokenLinks(site.url)
    expect(broken).toEqual([])
    expect(pages).toBeGreaterThan(10)
  })

  it("has the landmarks, the metadata and the navigation of a page", async () => {
    const html = await text("guides/install")
    for (const part of [
      "<title>Install | Acme Docs</title>",
      `<link rel="canonical" href="${site.url}guides/install">`,
      '<meta property="og:title" content="Install">',
      '<meta name="description" content="Run it in five minutes.">',
      '<main id="~main"',
      'aria-current="page"',
      '<nav class="breadcrumbs"',
      'rel="prev"',
      'rel="next"',
      'href="#requirements"'
    ]) {
      expect(html).toContain(part)
    }
    expect(html).not.toContain("Secret")
    expect(html).not.toContain('name="robots"')
  })

  it("has the customization that its site-space overrides", async () => {
    const { structure } = await as().publishedSites.get(target())
    if (structure.type !== "sections") throw new Error("no sections")
    const siteSpaces = structure.structure.flatMap((item) =>
      item.object === "site-section" ? item.siteSpaces : []
    )
    const guide = siteSpaces.find(({ urls }) => site.url.startsWith(urls.published!)) ?? siteSpaces[0]!
    const at = { ...target(), siteSpace: guide.id }
    const others = siteSpaces.filter(({ id }) => id !== guide.id)
    const pageOf = async (url: string) => (await fetch(url)).text()
    const input = { title: "Overridden", internationalization: { locale: "de" } } as const
    await as().siteSpaceCustomizations.override({ ...at, input })
    const html = await pageOf(guide.urls.published!)
    expect(html).toContain("| Overridden</title>")
    expect(html).toContain('<html lang="de"')
    for (const { urls } of others) expect(await pageOf(urls.published!)).not.toContain("Overridden")
    await as().siteSpaceCustomizations.remove(at)
    expect(await pageOf(guide.urls.published!)).not.toContain("Overridden")
  })

  it("redirects a group to its first page, and other spellings of a URL to the canonical one", async () => {
    expect((await get("guides")).headers.get("location")).toBe("guides/install")
    expect((await get("guides/install/")).headers.get("location")).toBe("../install")
    expect((await get("welcome?a=1")).headers.get("location")).toBe("./?a=1")
    expect((await get("api")).headers.get("location")).toBe("api/")
    const root = await fetch(site.url.slice(0, -1), { redirect: "manual" })
    expect(new URL(root.headers.get("location")!, site.url.slice(0, -1)).href).toBe(site.url)
  })

  it("redirects the former path of a page", async () => {
    const { pages } = await as().content.listPages({ content: { space: site.api } })
    const page = pages.find(({ title }) => title === "Overview")!
    const edit = (slug: string) =>
      as().content.edit({
        content: { space: site.api },
        input: { changes: [{ operation: "update_page", page: page.id, slug }] }
      })
    const { items } = await as().spaces.list({ organization: server.organization })
    expect(items.length).toBeGreaterThan(0)
    await as().content.edit({
      content: { space: site.api },
      input: {
        changes: [
          { operation: "insert_page", at: 0, title: "Start", document: { markdown: "The first page." } }
        ]
      }
    })
    expect((await get("api/overview")).status).toBe(200)
    await edit("introduction")
    const response = await get("api/overview")
    expect([response.status, response.headers.get("location")]).toEqual([308, "introduction"])
    await edit("overview")
  })

  it("follows redirects with wildcards, with the status that they state, also to other websites", async () => {
    const { items } = await as().siteSpaces.list(target())
    const siteSpaceId = items.find(({ space }) => space.id === site.api)!.id
    const create = (input: Parameters<ReturnType<typeof as>["siteRedirects"]["create"]>[0]["input"]) =>
      as().siteRedirects.create({ ...target(), input })
    const onSite = { kind: "site-space", siteSpaceId } as const
    const external = { kind: "external", url: "https://example.com" } as const
    await create({ source: "/v1/*", destination: onSite, captureWildcard: true, permanent: true })
    await create({ source: "/v1/blog*", destination: external, captureWildcard: true })
    await create({ source: "/later", destination: onSite, draft: true })
    const locate = async (path: string) => {
      const response = await get(path)
      return [response.status, response.headers.get("location")]
    }
    expect(await locate("v1/overview?a=1")).toEqual([308, "../api/overview?a=1"])
    expect(await locate("v1/blog/2020/?jwt=1")).toEqual([307, "https://example.com/2020"])
    expect(await locate("v1/blog.evil.example")).toEqual([307, "https://example.com/.evil.example"])
    expect(await locate("later")).toEqual([404, null])
  })

  it("suggests pages for a path that does not exist", async () => {
    const response = await get("guides/instal")
    expect(response.status).toBe(404)
    expect(await response.text()).toContain('href="install"')
    const unknown = await fetch(`${server.url}/sites/${server.organization}/unknown/`)
    expect(unknown.status).toBe(404)
    const style = /<link rel="stylesheet" href="([^"]+)"/.exec(await unknown.text())![1]!
    expect((await fetch(new URL(style, unknown.url))).headers.get("content-type")).toContain("text/css")
  })

  it("has an entity tag, and is not sent again to a client that has it", async () => {
    const first = await get("guides/install")
    const etag = first.headers.get("etag")!
    expect(first.headers.get("cache-control")).toBe("public, no-cache")
    expect((await get("guides/install", { headers: { "if-none-match": etag } })).status).toBe(304)
    const { pages } = await as().content.listPages({ content: { space: site.guide } })
    await as().content.edit({
      content: { space: site.guide },
      input: { changes: [{ operation: "update_page", page: pages[0]!.id, title: "Welcome back" }] }
    })
    const changed = await get("guides/install", { headers: { "if-none-match": etag } })
    expect(changed.status).toBe(200)
    expect(await changed.text()).toContain("Welcome back")
    await as().content.edit({
      content: { space: site.guide },
      input: { changes: [{ operation: "update_page", page: pages[0]!.id, title: "Welcome" }] }
    })
  })

  it("permits no inline script or style", async () => {
    const response = await get("guides/blocks")
    const policy = response.headers.get("content-security-policy")!
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe-|\*/)
    const html = await response.text()
    expect(html).not.toMatch(/<style|\sstyle=|<script>|\son\w+=/)
  })

  it("loads at most 100 kB of HTML, styles and scripts, with assets that never change under their names", async () => {
    const html = await text("guides/blocks")
    const assets = Array.from(html.matchAll(/(?:href|src)="([^"]*~\/assets\/[^"]*)"/g), ([, url]) => url!)
    expect(assets).toHaveLength(4)
    let bytes = Buffer.byteLength(html)
    for (const asset of assets) {
      const response = await fetch(new URL(asset, `${site.url}guides/blocks`))
      expect(response.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
      bytes += (await response.arrayBuffer()).byteLength
    }
    // The uncompressed size of a page with every block and code samples in eleven languages. Compressed, it is a quarter of that.
    expect(bytes).toBeLessThan(190_000)
    const transferred = await Promise.all(
      [
        "guides/blocks",
        ...assets.map((asset) => new URL(asset, `${site.url}guides/blocks`).href.slice(site.url.length))
      ].map(async (path) => {
        const response = await get(path, { headers: { "accept-encoding": "br" } })
        return Number(response.headers.get("content-length") ?? (await response.arrayBuffer()).byteLength)
      })
    )
    expect(transferred.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000)
  })

  it("finds pages without JavaScript", async () => {
    const html = await text("~/search?q=docker")
    expect(html).toContain('href="../guides/install/with-docker"')
    expect(html).toContain("<mark>Docker</mark>")
    expect(await text("~/search?q=zzzzzz")).toContain("No results for")
    const corrected = await text("~/search?q=instal+dockre")
    expect(corrected).toContain('Did you mean <a href="search?q=instal+docker">instal docker</a>')
    expect(corrected).toContain('href="../guides/install/with-docker"')
    expect(await text("~/search?q=%3Cscript%3E")).not.toContain("<script>")
  })
})

describe("the formats for machines", () => {
  it("are Markdown of each page, with absolute links", async () => {
    const response = await get("guides/install.md")
    expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8")
    const markdown = await response.text()
    expect(markdown).toMatch(/^# Install\n\n> Run it in five minutes\.\n/)
    expect(markdown).toContain(`(${site.url}guides/blocks.md#hints)`)
  })

  it("list all visible pages, and no hidden ones", async () => {
    const sitemap = await text("sitemap.xml")
    const urls = Array.from(sitemap.matchAll(/<loc>([^<]*)<\/loc>/g), ([, url]) => url!)
    expect(urls).toContain(`${site.url}guides/install`)
    expect(urls.filter((url) => url.includes("secret"))).toEqual([])
    for (const url of urls) expect((await fetch(url, { redirect: "manual" })).status).toBe(200)
    const llms = await text("llms.txt")
    for (const [, url] of llms.matchAll(/\((http[^)]*\.md)\)/g)) expect((await fetch(url!)).status).toBe(200)
    expect(await text("llms-full.txt")).toContain("Install the package of your distribution.")
    expect(await text("robots.txt")).toContain(`Sitemap: ${site.url}sitemap.xml`)
  })
})

describe("visitors", () => {
  it("of an unlisted site are not sent by search engines", async () => {
    await as().sites.update({ ...target(), input: { visibility: "unlisted" } })
    expect(await text("guides/install")).toContain('<meta name="robots" content="noindex">')
    expect(await text("robots.txt")).toContain("Disallow: /")
    await as().sites.update({ ...target(), input: { visibility: "public" } })
  })

  it("of a site with share links need the key, until it is revoked", async () => {
    await as().sites.update({ ...target(), input: { visibility: "share-link" } })
    const link = await as().shareLinks.create({ ...target(), input: { name: "Partners" } })
    expect((await get("guides/install")).status).toBe(404)
    const shared = await fetch(`${link.urls.published}guides/install`)
    expect(shared.status).toBe(200)
    expect(shared.headers.get("cache-control")).toBe("private, no-cache")
    const { broken } = await brokenLinks(link.urls.published)
    expect(broken).toEqual([])
    await as().shareLinks.update({ ...target(), shareLink: link.id, input: { active: false } })
    expect((await fetch(`${link.urls.published}guides/install`)).status).toBe(404)
    await as().sites.update({ ...target(), input: { visibility: "public" } })
  })

  it("of a site with authentication sign in with a token, which a cookie retains and whose claims searches evaluate", async () => {
    await as().sites.update({ ...target(), input: { visibility: "visitor-auth" } })
    const { privateKey } = await as().siteSettings.updatePublishingAuth({
      ...target(),
      input: { fallbackURL: "https://login.example.com/" }
    })
    const anonymous = await get("guides/install")
    expect(anonymous.headers.get("location")).toBe("https://login.example.com/?location=%2Fguides%2Finstall")
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
    const unsigned = `${encode({ alg: "HS256", typ: "JWT" })}.${encode({ plan: "pro", exp: Math.floor(Date.now() / 1000) + 600 })}`
    const token = `${unsigned}.${createHmac("sha256", privateKey).update(unsigned).digest("base64url")}`
    const login = await get(`guides/install?jwt_token=${token}`)
    const cookie = login.headers.get("set-cookie")!
    expect(cookie).toContain(`Path=${new URL(site.url).pathname}`)
    expect(cookie).toContain("HttpOnly")
    expect(login.headers.get("location")).toBe("install")
    const page = await get("guides/install", { headers: { cookie: cookie.split(";")[0]! } })
    expect(page.status).toBe(200)
    expect(page.headers.get("cache-control")).toBe("private, no-cache")
    expect((await get("guides/install", { headers: { cookie: "lectern-visitor=forged" } })).status).toBe(302)

    const content = { space: site.guide }
    const { changes } = await as().content.edit({
      content,
      input: {
        changes: [
          {
            operation: "insert_page",
            title: "Plans",
            document: {
              markdown: 'Plans\n\n{% if visitor.claims.plan == "pro" %}\nxylophones\n{% endif %}\n'
            }
          }
        ]
      }
    })
    const search = (headers: Record<string, string>) =>
      get("~/search?q=xylophones", { headers }).then((response) => response.text())
    expect(await search({ cookie: cookie.split(";")[0]! })).toContain("<mark>xylophones</mark>")
    await as().sites.update({ ...target(), input: { visibility: "public" } })
    expect(await search({})).not.toContain("<mark>xylophones</mark>")
    for (const change of changes) {
      if (change.object !== "created_page") continue
      await as().content.edit({
        content,
        input: { changes: [{ operation: "delete_page", page: change.page.id }] }
      })
    }
  })
})

it("serves a site at the host name and path of its proxy, with links below that path", async () => {
  const proxied = await startPageServer()
  try {
    const { site: id } = await createTestSite(proxied)
    const organization = proxied.organization
    const { sites } = proxied.workspace.as(proxied.user)
    await sites.update({ organization, site: id, input: { proxy: "help.example.com/docs" } })
    const { port } = new URL(proxied.url)
    const load = (path: string, host = "help.example.com") =>
      new Promise<{ status: number; location: string | undefined; html: string }>((resolve, reject) => {
        request({ port, path, headers: { host } }, async (response) => {
          resolve({
            status: response.statusCode!,
            location: response.headers.location,
            html: await readText(response)
          })
        })
          .on("error", reject)
          .end()
      })
    expect((await load("/docs")).location).toBe("./docs/")
    const { status, html } = await load("/docs/guides/install")
    expect(status).toBe(200)
    expect(html).toContain('<link rel="canonical" href="https://help.example.com/docs/guides/install">')
    const links = Array.from(html.matchAll(/<a [^>]*href="([^"#?]+)"/g), ([, href]) => href!).filter(
      (href) => !/^[a-z]+:/.test(href)
    )
    expect(links.length).toBeGreaterThan(5)
    for (const link of new Set(links)) {
      const { pathname } = new URL(link, "https://help.example.com/docs/guides/install")
      expect(pathname).toMatch(/^\/docs\//)
      expect([pathname, (await load(pathname)).status]).toEqual([pathname, 200])
    }
    expect((await load("/docs/~/search?q=docker")).html).toContain('href="../guides/install/with-docker"')
    expect((await load("/elsewhere/guides/install")).status).toBe(404)
    expect((await load("/docs/guides/install", "other.example.com")).status).toBe(404)
  } finally {
    await proxied.close()
  }
})

it("serves a site at the path that a host mounts the server at", async () => {
  const mounted = await startPageServer({ prefix: "/docs-api" })
  try {
    const { url } = await createTestSite(mounted)
    expect(url).toContain("/docs-api/sites/")
    const { pages, broken } = await brokenLinks(url)
    expect(broken).toEqual([])
    expect(pages).toBeGreaterThan(10)
  } finally {
    await mounted.close()
  }
})
