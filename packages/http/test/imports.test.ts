/** Imports of websites, through the server, from a website that the test serves. */
import { describe, expect, it } from "vitest"
import { memory, stores } from "./stores.ts"
import { acmePages, guides, serveAcme, steps } from "./support/acme.ts"
import { count, open, outline, type Page, serveSite } from "./support/imports.ts"
import { generators, picture, type Route } from "./support/website.ts"

/** A space into which the website of Acme has been imported. */
const importAcme = async (store: (typeof stores)[number]) => {
  const opened = await open(await store.make())
  const site = await serveAcme()
  const before = await opened.revisions()
  const url = `${site.url}/docs/`
  const first = await opened.bring({ url, source: "website" })
  expect(first.status).toBe(201)
  return { ...opened, site, before, url, first }
}

/** What an import counts beside pages: images that are stored, and addresses that lead to no page. */
const [storedImages, otherAddresses] = [3, 4 + 5]

describe("an imported website", () => {
  for (const store of [memory, ...stores]) {
    it(`is one revision with a page for each page, in the tree of their paths, on ${store.name}`, async () => {
      const { pages, revisions, before, first } = await importAcme(store)
      expect(acmePages).toBeGreaterThanOrEqual(60)
      expect(first.value).toMatchObject({
        importedResources: acmePages + storedImages,
        totalResources: acmePages + otherAddresses
      })
      const after = await revisions()
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
      expect(count(tree)).toBe(acmePages)
      const guidesPage = tree[2]!
      expect(guidesPage.pages.map(({ path }) => path)).toEqual(
        Array.from({ length: guides }, (_, i) => `guides/guide-${i + 1}`)
      )
      expect(outline(tree[4]!.pages)).toEqual(["Circle A", "Circle B"])
      let step: ReadonlyArray<Page> = tree[3]!.pages
      for (let i = 1; i <= steps; i++, step = step[0]!.pages)
        expect(step.map(({ title }) => title)).toEqual([`Step ${i}`])
    })

    it(`has the content of its pages without what surrounds it, and links by id, on ${store.name}`, async () => {
      const { call, space, pages, page } = await importAcme(store)
      const tree = await pages()
      const targets = new Map(tree[2]!.pages.map(({ title, id }) => [title, id]))
      const reference = new Map(tree[1]!.pages.map(({ title, id }) => [title, id]))
      for (let i = 1; i <= guides; i++) {
        const { title, markdown } = await page(`guides/guide-${i}`)
        expect(title).toBe(`Guide ${i}`)
        expect(markdown!.replace(/\n\n(Many words that are content\. ?)+\n?$/, "\n")).toBe(
          `This is guide ${i}, before [the next](/pages/${targets.get(`Guide ${(i % guides) + 1}`)}#how-to-use-it) and [its reference](/pages/${reference.get(`Thing ${i}`)}). [Elsewhere](https://example.com/x?a=1&b=2).

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

    it(`has each image as one file, and links outside of it unchanged, on ${store.name}`, async () => {
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

    it(`is fetched once, without what robots.txt disallows, 8 requests at a time, on ${store.name}`, async () => {
      const { site } = await importAcme(store)
      expect(
        site.asked.filter((path) => path.startsWith("/docs/secret") || path === "/docs/manual.pdf")
      ).toEqual([])
      const twice = site.asked.filter((path, index) => site.asked.indexOf(path) !== index)
      expect(twice.filter((path) => path !== "/docs/guides/" && path !== "/docs/picture")).toEqual([])
      expect(site.mostAtOnce()).toBeLessThanOrEqual(8)
      expect(site.mostAtOnce()).toBeGreaterThan(1)
    })

    it(`is updated in place by the next import, on ${store.name}`, async () => {
      const { call, space, bring, pages, page, files, site, url } = await importAcme(store)
      const guide = (await pages())[2]!.pages[0]!.id
      const stored = await files()
      await call("POST", `/spaces/${space}/content`, {
        changes: [{ operation: "update_page", page: guide, into: null, at: 0 }]
      })
      site.routes.set(
        "/docs/reference/thing-3",
        generators[0]!("Thing three", '<p>It is new: <a href="thing-new">this</a>.</p>')
      )
      site.routes.set("/docs/reference/thing-new", generators[0]!("New thing", "<p>New.</p>"))
      site.routes.delete("/docs/reference/thing-4")
      site.routes.set("/img/other.png", { type: "image/png", body: picture(3) })
      const second = await bring({ url, source: "website" })
      expect(second.value).toMatchObject({
        importedResources: acmePages + storedImages,
        totalResources: acmePages + 1 + otherAddresses
      })
      const changes = await call<{
        changes: ReadonlyArray<{ type: string; page?: { title: string }; file?: unknown }>
      }>("GET", `/spaces/${space}/revisions/${second.value.revision}/changes`)
      expect(changes.changes.map(({ type }) => type).sort()).toEqual([
        "file_edited",
        "page_created",
        "page_edited"
      ])
      const again = await pages()
      expect(count(again)).toBe(acmePages + 1)
      // A page that was moved or has been deleted from the website is left where it is.
      expect(again[0]!.title).toBe("Guide 1")
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
  it("has its pages in the order of the navigation, and the others by their paths", async () => {
    const { bring, pages } = await open(await memory.make())
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
    const { value } = await bring({ url: site.url, source: "website" })
    expect(value).toMatchObject({ importedResources: 7, totalResources: 7 })
    const tree = await pages()
    expect(outline(tree)).toEqual(["Z", ["Basics", [["B", ["D", "More"]], "A"]], "Home", "Alone"])
    expect(tree[1]!.type).toBe("group")
  })
})

describe("a website without an end", () => {
  it("is read up to 500 pages, whatever its cycles", async () => {
    const { bring, pages } = await open(await memory.make())
    const site = await serveSite({})
    // Each page leads to two more, in a folder that goes ever deeper, and back to the beginning.
    const page = (path: string) =>
      plain(
        `Page ${path}`,
        `<p><a href="${path}l/">left</a> <a href="${path}r/">right</a> <a href="/docs/">begin</a></p>`
      )
    const answer: Route = (request, response) =>
      void response.writeHead(200, { "content-type": "text/html" }).end(page(request.url!))
    const get = site.routes.get.bind(site.routes)
    site.routes.get = (path) => (path.startsWith("/docs/") ? answer : get(path))
    const { value } = await bring({ url: `${site.url}/docs/`, source: "website" })
    expect(value).toMatchObject({ importedResources: 500, totalResources: 500 })
    expect(site.asked.filter((path) => path.startsWith("/docs/")).length).toBe(500)
    expect(count(await pages())).toBe(500)
    // Breadth first: all of the first levels are there, and none is deeper than it must be.
    const deepest = Math.max(...site.asked.map((path) => path.split("/").length - 3))
    expect(deepest).toBe(8)
  })
})

describe("a folder of a website", () => {
  it("that gets a page of its own is that page, and remains it without one", async () => {
    const { bring, pages, page } = await open(await memory.make())
    const site = await serveSite({
      "/": plain(
        "Home",
        '<p><a href="/a/b/c">C</a> <a href="/a">A</a> <a href="/a/b">B</a> <a href="/a/d">D</a></p>'
      ),
      "/a/b/c": plain("C", "<p>C.</p>")
    })
    const body = { url: site.url, source: "website" }
    await bring(body)
    const first = await pages()
    expect(outline(first)).toEqual(["Home", ["A", [["B", ["C"]]]]])
    expect(first[1]!.type).toBe("group")
    site.routes.set("/a", plain("Part A", "<p>Of A.</p>"))
    site.routes.set("/a/b", plain("Part B", "<p>Of B.</p>"))
    await bring(body)
    const second = await pages()
    expect(outline(second)).toEqual(["Home", ["Part A", [["Part B", ["C"]]]]])
    expect([second[1]!.id, second[1]!.type]).toEqual([first[1]!.id, "document"])
    expect((await page("a/b")).markdown).toBe("Of B.\n")
    site.routes.delete("/a")
    site.routes.set("/a/d", plain("D", "<p>D.</p>"))
    await bring(body)
    expect(outline(await pages())).toEqual(["Home", ["Part A", [["Part B", ["C"]], "D"]]])
    expect((await page("a")).markdown).toBe("Of A.\n")
  })
})

describe("a website that takes too long", () => {
  it("is imported as far as it was fetched before the deadline", async () => {
    const { bring, server, pages } = await open(await memory.make())
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
    const { value } = await bring({ url: site.url, source: "website" })
    expect(value).toMatchObject({ importedResources: 3, totalResources: 4 })
    expect(outline(await pages())).toEqual(["Page 0", "Page 1", "Page 2"])
    expect(site.asked).not.toContain("/3")
  })
})

describe("robots.txt", () => {
  it("is obeyed: paths that it disallows, and the delay between requests", async () => {
    const { bring } = await open(await memory.make())
    const site = await serveSite({
      "/robots.txt": {
        type: "text/plain",
        body: "User-agent: lectern\nDisallow: /closed/\nCrawl-delay: 0.05\n"
      },
      "/closed/": plain("Closed", "<p>No.</p>"),
      "/open/": plain("Open", '<p><a href="1">1</a><a href="2">2</a><a href="3">3</a></p>'),
      ...Object.fromEntries(["1", "2", "3"].map((name) => [`/open/${name}`, plain(name, "<p>Yes.</p>")]))
    })
    const refused = await bring({ url: `${site.url}/closed/`, source: "website" })
    expect(refused).toMatchObject({
      status: 400,
      value: { error: { details: [{ path: "url", message: expect.stringContaining("robots.txt") }] } }
    })
    expect(site.asked).toEqual(["/robots.txt"])
    const started = performance.now()
    const { value } = await bring({ url: `${site.url}/open/`, source: "website" })
    expect(value).toMatchObject({ importedResources: 4, totalResources: 4 })
    expect(performance.now() - started).toBeGreaterThan(150)
    expect(site.mostAtOnce()).toBe(1)
  })
})

describe("an import into a change request", () => {
  it("is a revision of the change request alone, also in a locked space, and is merged like any other", async () => {
    const { bring, call, space, pages, page } = await open(await memory.make())
    const site = await serveSite({
      "/": plain("Home", '<p><a href="a">A</a></p>'),
      "/a": plain("A", "<p>A.</p>")
    })
    const body = { url: site.url, source: "website" }
    const { number } = await call<{ number: number }>("POST", `/spaces/${space}/change-requests`, {})
    await call("PATCH", `/spaces/${space}`, { editMode: "locked" })
    const locked = await bring(body)
    expect(locked.status).toBe(409)
    expect(site.asked).toEqual([])
    const base = `/spaces/${space}/change-requests/${number}/content`
    const { status, value } = await bring(body, base)
    expect([status, value.importedResources]).toEqual([201, 2])
    expect(await pages()).toEqual([])
    expect(outline(await pages(base))).toEqual(["Home", "A"])
    const proposed = await call<{ revision: string }>("GET", `/spaces/${space}/change-requests/${number}`)
    expect(proposed.revision).toBe(value.revision)
    await call("POST", `/spaces/${space}/change-requests/${number}/merge`)
    expect(outline(await pages())).toEqual(["Home", "A"])
    // What was merged is known: once more it is brought up to date, not made anew.
    await call("PATCH", `/spaces/${space}`, { editMode: "live" })
    site.routes.set("/a", plain("A", "<p>B.</p>"))
    expect((await bring(body)).value.importedResources).toBe(2)
    expect(outline(await pages())).toEqual(["Home", "A"])
    expect((await page("a")).markdown).toBe("B.\n")
    expect((await bring(body, base)).status).toBe(409)
  })
})
