/** Imports of websites, through the server, from a website that the test serves. */
import { describe, expect, it } from "vitest"
import { memory, ruleStores, type stores } from "./stores.ts"
import { acmePageCount, guideCount, serveAcme, stepCount } from "./support/acme.ts"
import { countDocuments, type Page, serveSite, startImportWorkspace, titleTree } from "./support/imports.ts"
import { pageGenerators, pixelImage, type Route } from "./support/website.ts"

/** Imports the website of Acme into a new space. */
const importAcme = async (store: (typeof stores)[number]) => {
  const opened = await startImportWorkspace(await store.make())
  const site = await serveAcme()
  const before = await opened.currentRevision()
  const url = `${site.url}/docs/`
  const first = await opened.importContent({ url, source: "website" })
  expect(first.status).toBe(201)
  return { ...opened, site, before, url, first }
}

/** Resources that an import counts in addition to pages: stored images, and URLs that are not pages. */
const [storedImages, otherUrls] = [3, 4 + 5]

describe("an imported website", () => {
  for (const store of ruleStores) {
    it(`creates one revision with a page for each page of the website, in the tree of their paths, on ${store.name}`, async () => {
      const { pages, currentRevision, before, first } = await importAcme(store)
      expect(acmePageCount).toBeGreaterThanOrEqual(60)
      expect(first.value).toMatchObject({
        importedResources: acmePageCount + storedImages,
        totalResources: acmePageCount + otherUrls
      })
      const after = await currentRevision()
      expect([after.id, after.parents]).toEqual([first.value.revision, [before.id]])
      const tree = await pages()
      expect(tree.map(({ title, type }) => [title, type])).toEqual([
        ["Acme", "document"],
        ["Reference", "group"],
        ["Guides", "document"],
        ["Steps", "group"],
        ["Cycle", "group"],
        ["Café", "document"]
      ])
      expect(countDocuments(tree)).toBe(acmePageCount)
      const guidesPage = tree[2]!
      expect(guidesPage.pages.map(({ path }) => path)).toEqual(
        Array.from({ length: guideCount }, (_, i) => `guides/guide-${i + 1}`)
      )
      expect(titleTree(tree[4]!.pages)).toEqual(["Circle A", "Circle B"])
      let step: ReadonlyArray<Page> = tree[3]!.pages
      for (let i = 1; i <= stepCount; i++, step = step[0]!.pages)
        expect(step.map(({ title }) => title)).toEqual([`Step ${i}`])
    })

    it(`has the main content of its pages without navigation and footers, and links by page id, on ${store.name}`, async () => {
      const { call, space, pages, page } = await importAcme(store)
      const tree = await pages()
      const targets = new Map(tree[2]!.pages.map(({ title, id }) => [title, id]))
      const reference = new Map(tree[1]!.pages.map(({ title, id }) => [title, id]))
      for (let i = 1; i <= guideCount; i++) {
        const { title, markdown } = await page(`guides/guide-${i}`)
        expect(title).toBe(`Guide ${i}`)
        expect(markdown!.replace(/\n\n(Many words that are content\. ?)+\n?$/, "\n")).toBe(
          `This is guide ${i}, before [the next](/pages/${targets.get(`Guide ${(i % guideCount) + 1}`)}#how-to-use-it) and [its reference](/pages/${reference.get(`Thing ${i}`)}). [Elsewhere](https://example.com/x?a=1&b=2).

## How to use it

See [above](#how-to-use-it).

\`\`\`python
def f(x):
    return x + ${i}
\`\`\`

| Name | Size |
| --- | --: |
| \`a\\|b\` | ${i} |
`
        )
      }
      expect((await page("latin")).markdown).toBe("Crème brûlée.\n")
      const { items } = await call<{ items: ReadonlyArray<{ title: string }> }>(
        "GET",
        `/spaces/${space}/search?query=${encodeURIComponent("brûlée")}`
      )
      expect(items.map(({ title }) => title)).toEqual(["Café"])
    })

    it(`has one file per distinct image, and leaves external links unchanged, on ${store.name}`, async () => {
      const { pages, page, files, site } = await importAcme(store)
      const guides = (await pages())[2]!.id
      const stored = await files()
      expect(stored.map(({ name, contentType }) => [name, contentType]).sort()).toEqual([
        ["logo.png", "image/png"],
        ["other.png", "image/png"]
      ])
      const id = (name: string) => stored.find((file) => file.name === name)!.id
      const home = (await page("acme")).markdown!
      expect(home).toContain(
        `![Logo](/files/${id("logo.png")}) ![Same](/files/${id("logo.png")}) ![Other](/files/${id("other.png")})`
      )
      expect(home).toContain(`![Missing](${site.url}/img/missing.png) ![Page](${site.url}/img/page.png)`)
      expect(home).toContain(`[the guides](/pages/${guides})`)
      expect(home).toContain(`[old](/pages/${guides})`)
      for (const path of ["/docs/secret/plan", "/blog/", "/docs/manual.pdf", "/docs/private"]) {
        expect(home).toContain(`](${site.url}${path})`)
      }
      expect(home).toContain("[Ada](mailto:ada@example.com)")
    })

    it(`is fetched once, without the paths that robots.txt disallows, with at most 8 concurrent requests, on ${store.name}`, async () => {
      const { site } = await importAcme(store)
      expect(
        site.requestedPaths.filter((path) => path.startsWith("/docs/secret") || path === "/docs/manual.pdf")
      ).toEqual([])
      const twice = site.requestedPaths.filter((path, index) => site.requestedPaths.indexOf(path) !== index)
      expect(twice.filter((path) => path !== "/docs/guides/" && path !== "/docs/picture")).toEqual([])
      expect(site.maxConcurrentRequests()).toBeLessThanOrEqual(8)
      expect(site.maxConcurrentRequests()).toBeGreaterThan(1)
    })

    it(`is updated in place by the next import, on ${store.name}`, async () => {
      const { call, space, importContent, pages, page, files, site, url } = await importAcme(store)
      const guide = (await pages())[2]!.pages[0]!.id
      const stored = await files()
      await call("POST", `/spaces/${space}/content`, {
        changes: [{ operation: "update_page", page: guide, into: null, at: 0 }]
      })
      site.routes.set(
        "/docs/reference/thing-3",
        pageGenerators[0]!("Thing three", '<p>It is new: <a href="thing-new">this</a>.</p>')
      )
      site.routes.set("/docs/reference/thing-new", pageGenerators[0]!("New thing", "<p>New.</p>"))
      site.routes.delete("/docs/reference/thing-4")
      site.routes.set("/img/other.png", { type: "image/png", body: pixelImage(3) })
      const second = await importContent({ url, source: "website" })
      expect(second.value).toMatchObject({
        importedResources: acmePageCount + storedImages,
        totalResources: acmePageCount + 1 + otherUrls
      })
      const changes = await call<{
        changes: ReadonlyArray<{ type: string; page?: { title: string }; file?: unknown }>
      }>("GET", `/spaces/${space}/revisions/${second.value.revision}/changes`)
      expect(changes.changes.map(({ type }) => type).sort()).toEqual([
        "file_edited",
        "page_created",
        "page_edited"
      ])
      const updatedTree = await pages()
      expect(countDocuments(updatedTree)).toBe(acmePageCount + 1)
      // A page that was moved in the space or deleted from the website keeps its position.
      expect(updatedTree[0]!.title).toBe("Guide 1")
      expect((await page("reference/thing-3")).title).toBe("Thing three")
      expect((await page("reference/thing-4")).title).toBe("Thing 4")
      expect((await page("reference/thing-new")).markdown).toBe("New.\n")
      const changed = await files()
      expect(changed.map((file) => file.id).sort()).toEqual(stored.map((file) => file.id).sort())
    })
  }
})

const plain = (title: string, content: string, around = ""): string =>
  `<html><head><title>${title}</title></head><body>${around}<main><h1>${title}</h1>${content}</main></body></html>`

describe("a website with navigation", () => {
  it("has the pages of the navigation in its order, and the others by their paths", async () => {
    const { importContent, pages } = await startImportWorkspace(await memory.make())
    const item = (path: string, inner = "") => `<li><a href="/${path}">Label of ${path}</a>${inner}</li>`
    const navigation = `<nav><a href="/">Logo</a><ul>${item("z")}<li><span>Basics</span><ul>${item("b", `<ul>${item("c/d")}</ul>`)}${item("a")}</ul></li><li>Empty<ul><li><a href="https://example.com/">Out</a></li></ul></li>${item("")}</ul></nav>`
    const site = await serveSite({
      "/": plain("Home", '<p><a href="/b/more">More</a>, <a href="/alone/page">alone</a>.</p>', navigation),
      "/z": plain("Z", "<p>Z.</p>", navigation),
      "/b": plain("B", "<p>B.</p>", navigation),
      "/c/d": plain("D", "<p>D.</p>", navigation),
      "/a": plain("A", "<p>A.</p>", navigation),
      "/b/more": plain("More", "<p>More.</p>", navigation),
      "/alone/page": plain("Alone", "<p>Alone.</p>", navigation)
    })
    const { value } = await importContent({ url: site.url, source: "website" })
    expect(value).toMatchObject({ importedResources: 7, totalResources: 7 })
    const tree = await pages()
    expect(titleTree(tree)).toEqual(["Z", ["Basics", [["B", ["D", "More"]], "A"]], "Home", "Alone"])
    expect(tree[1]!.type).toBe("group")
  })
})

describe("an infinite website", () => {
  it("is imported up to 500 pages, regardless of cycles", async () => {
    const { importContent, pages } = await startImportWorkspace(await memory.make())
    const site = await serveSite({})
    // Each page links to two deeper pages and to the first page.
    const page = (path: string) =>
      plain(
        `Page ${path}`,
        `<p><a href="${path}l/">left</a> <a href="${path}r/">right</a> <a href="/docs/">begin</a></p>`
      )
    const infinite: Route = (request, response) =>
      void response.writeHead(200, { "content-type": "text/html" }).end(page(request.url!))
    const get = site.routes.get.bind(site.routes)
    site.routes.get = (path) => (path.startsWith("/docs/") ? infinite : get(path))
    const { value } = await importContent({ url: `${site.url}/docs/`, source: "website" })
    // The pages that the imported ones link to are counted, but not fetched.
    expect(value).toMatchObject({ importedResources: 500, totalResources: 1001 })
    expect(site.requestedPaths.filter((path) => path.startsWith("/docs/")).length).toBe(500)
    expect(countDocuments(await pages())).toBe(500)
    // Breadth first: the upper levels are complete, so that no path is deeper than necessary.
    const deepest = Math.max(...site.requestedPaths.map((path) => path.split("/").length - 3))
    expect(deepest).toBe(8)
  })
})

describe("a folder of a website", () => {
  it("becomes a document when the website has a page for it, and remains one when the page is deleted", async () => {
    const { importContent, pages, page } = await startImportWorkspace(await memory.make())
    const site = await serveSite({
      "/": plain(
        "Home",
        '<p><a href="/a/b/c">C</a> <a href="/a">A</a> <a href="/a/b">B</a> <a href="/a/d">D</a></p>'
      ),
      "/a/b/c": plain("C", "<p>C.</p>")
    })
    const body = { url: site.url, source: "website" }
    await importContent(body)
    const first = await pages()
    expect(titleTree(first)).toEqual(["Home", ["A", [["B", ["C"]]]]])
    expect(first[1]!.type).toBe("group")
    site.routes.set("/a", plain("Part A", "<p>Of A.</p>"))
    site.routes.set("/a/b", plain("Part B", "<p>Of B.</p>"))
    await importContent(body)
    const second = await pages()
    expect(titleTree(second)).toEqual(["Home", ["Part A", [["Part B", ["C"]]]]])
    expect([second[1]!.id, second[1]!.type]).toEqual([first[1]!.id, "document"])
    expect((await page("a/b")).markdown).toBe("Of B.\n")
    site.routes.delete("/a")
    site.routes.set("/a/d", plain("D", "<p>D.</p>"))
    await importContent(body)
    expect(titleTree(await pages())).toEqual(["Home", ["Part A", [["Part B", ["C"]], "D"]]])
    expect((await page("a")).markdown).toBe("Of A.\n")
  })
})

describe("a website that takes too long", () => {
  it("is imported with the pages that were fetched before the deadline", async () => {
    const { importContent, server, pages } = await startImportWorkspace(await memory.make())
    const chain = (index: number) => plain(`Page ${index}`, `<p><a href="/${index + 1}">next</a></p>`)
    const site = await serveSite({
      "/": chain(0),
      "/1": chain(1),
      "/2": (_, response) => {
        void server.core.advance(5 * 60_000)
        response.writeHead(200, { "content-type": "text/html" }).end(chain(2))
      },
      "/3": chain(3)
    })
    const { value } = await importContent({ url: site.url, source: "website" })
    expect(value).toMatchObject({ importedResources: 3, totalResources: 4 })
    expect(titleTree(await pages())).toEqual(["Page 0", "Page 1", "Page 2"])
    expect(site.requestedPaths).not.toContain("/3")
  })
})

describe("robots.txt", () => {
  it("is obeyed: disallowed paths, and the delay between requests", async () => {
    const { importContent } = await startImportWorkspace(await memory.make())
    const site = await serveSite({
      "/robots.txt": {
        type: "text/plain",
        body: "User-agent: lectern\nDisallow: /closed/\nCrawl-delay: 0.05\n"
      },
      "/closed/": plain("Closed", "<p>No.</p>"),
      "/open/": plain("Open", '<p><a href="1">1</a><a href="2">2</a><a href="3">3</a></p>'),
      ...Object.fromEntries(["1", "2", "3"].map((name) => [`/open/${name}`, plain(name, "<p>Yes.</p>")]))
    })
    const rejected = await importContent({ url: `${site.url}/closed/`, source: "website" })
    expect(rejected).toMatchObject({
      status: 400,
      value: { error: { details: [{ path: "url", message: expect.stringContaining("robots.txt") }] } }
    })
    expect(site.requestedPaths).toEqual(["/robots.txt"])
    const started = performance.now()
    const { value } = await importContent({ url: `${site.url}/open/`, source: "website" })
    expect(value).toMatchObject({ importedResources: 4, totalResources: 4 })
    // A timer of Node can fire up to 1 ms early.
    expect(performance.now() - started).toBeGreaterThan(3 * (50 - 1))
    expect(site.maxConcurrentRequests()).toBe(1)
  })
})

describe("an import into a change request", () => {
  it("creates a revision only of the change request, also in a locked space, and can be merged", async () => {
    const { importContent, call, space, pages, page } = await startImportWorkspace(await memory.make())
    const site = await serveSite({
      "/": plain("Home", '<p><a href="a">A</a></p>'),
      "/a": plain("A", "<p>A.</p>")
    })
    const body = { url: site.url, source: "website" }
    const { number } = await call<{ number: number }>("POST", `/spaces/${space}/change-requests`, {})
    await call("PATCH", `/spaces/${space}`, { editMode: "locked" })
    const locked = await importContent(body)
    expect(locked.status).toBe(409)
    expect(site.requestedPaths).toEqual([])
    const base = `/spaces/${space}/change-requests/${number}/content`
    const { status, value } = await importContent(body, base)
    expect([status, value.importedResources]).toEqual([201, 2])
    expect(await pages()).toEqual([])
    expect(titleTree(await pages(base))).toEqual(["Home", "A"])
    const proposed = await call<{ revision: string }>("GET", `/spaces/${space}/change-requests/${number}`)
    expect(proposed.revision).toBe(value.revision)
    await call("POST", `/spaces/${space}/change-requests/${number}/merge`)
    expect(titleTree(await pages())).toEqual(["Home", "A"])
    // The merged pages are recognized: the next import updates them and creates no duplicates.
    await call("PATCH", `/spaces/${space}`, { editMode: "live" })
    site.routes.set("/a", plain("A", "<p>B.</p>"))
    expect((await importContent(body)).value.importedResources).toBe(2)
    expect(titleTree(await pages())).toEqual(["Home", "A"])
    expect((await page("a")).markdown).toBe("B.\n")
    expect((await importContent(body, base)).status).toBe(409)
  })
})
