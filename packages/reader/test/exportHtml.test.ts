/** The export of a site as static files. */
import { posix } from "node:path"
import { unzipSync } from "fflate"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { GetUrl } from "../src/export/crawlSite.ts"
import { exportEpub } from "../src/export/exportEpub.ts"
import { fileOf, relativeFile } from "../src/export/exportedFiles.ts"
import { exportHtml } from "../src/export/exportHtml.ts"
import { createTestSite, type PageServer, startPageServer } from "./support/scene.ts"

let server: PageServer
const files = new Map<string, string>()
let siteUrl = ""

const get: GetUrl = async (requested) => {
  const response = await fetch(requested, { redirect: "manual" })
  return {
    status: response.status,
    contentType: response.headers.get("content-type") ?? "",
    location: response.headers.get("location") ?? undefined,
    body: new Uint8Array(await response.arrayBuffer())
  }
}

beforeAll(async () => {
  server = await startPageServer()
  const { url } = await createTestSite(server)
  siteUrl = url
  const result = await exportHtml({ root: url, workspace: server.url }, get, async (path, content) => {
    expect(files.has(path)).toBe(false)
    files.set(path, typeof content === "string" ? content : Buffer.from(content).toString("latin1"))
  })
  expect(result).toMatchObject({ files: files.size, missing: [] })
  expect(result.pages).toBeGreaterThanOrEqual(13)
})
afterAll(() => server.close())

const pages = () => [...files].filter(([path]) => path.endsWith(".html"))

describe("the export of a site", () => {
  it("has a file for every link, and needs no server", () => {
    let links = 0
    for (const [path, html] of pages()) {
      for (const [whole, name, value] of html.matchAll(/ (href|src|data-source|data-url)="([^"]*)"/g)) {
        if (/^(?:https?:|mailto:|data:|#)/.test(value!)) {
          const isOfServer = value!.startsWith(server.url) && !html.includes(`rel="canonical"${whole}`)
          expect([path, name, isOfServer ? value : undefined]).toEqual([path, name, undefined])
          continue
        }
        links++
        const target = posix.join(posix.dirname(path), decodeURIComponent(value!.split("#")[0]!))
        expect([path, value, files.has(target)]).toEqual([path, value, true])
      }
    }
    expect(links).toBeGreaterThan(300)
  })

  it("searches the pages that the search of the site has", () => {
    const index = files.get("assets/search-index.js")!
    const [first] = index.split("\n")
    const found = JSON.parse(first!.slice(first!.indexOf("["))) as ReadonlyArray<{
      id: string
      title: string
      text: string
    }>
    const install = found.find(({ id }) => id === "guides/install.html")
    expect(install).toMatchObject({ title: "Install", text: expect.stringContaining("npm install lectern") })
    expect(found.map(({ title }) => title)).not.toContain("Secret")
    expect(files.get("guides/install.html")).toContain('data-root="../"')
  })
})

describe("the file of a URL", () => {
  const site = { root: "https://example.com/docs/", workspace: "https://example.com/api" }
  it.each([
    ["", "index.html"],
    ["api/", "api/index.html"],
    ["a/index", "a/index/index.html"],
    ["a/b.md", "a/b.md"],
    ["v1.2", "v1.2.html"],
    ["caf%C3%A9", "café.html"],
    ["~/assets/a.css", "assets/a.css"]
  ])("%s is %s", (path, file) => expect(fileOf(site, site.root + path)).toBe(file))

  it("never leaves the folder", () => {
    for (const path of ["%2e%2e/%2e%2e/etc/passwd", "..%2Fa", "a%00b", "a%5C..%5Cb", "x".repeat(300)]) {
      const file = fileOf(site, site.root + path)
      expect(posix.normalize(file)).toBe(file)
      expect(file).not.toMatch(/^\/|\.\.|\0|\\/)
    }
  })

  it("is relative to that of the page", () => {
    expect(relativeFile("a/b.html", "a/c d.html")).toBe("c%20d.html")
    expect(relativeFile("a/b/c.html", "d.html")).toBe("../../d.html")
  })
})

/** Returns the names of the elements of a document in the order of their ends. Fails if it is not well-formed. */
const checkXml = (xml: string): number => {
  const open: Array<string> = []
  let count = 0
  for (const [, slash, name, , isEmpty] of xml.matchAll(
    /<(\/?)([a-zA-Z][\w:.-]*)((?:\s[\w:.-]+="[^"<]*")*)\s*(\/?)>/g
  )) {
    if (slash === "/") expect(open.pop()).toBe(name)
    else {
      count++
      if (isEmpty !== "/") open.push(name!)
    }
  }
  expect(open).toEqual([])
  const text = xml.replaceAll(/<[^<>]*>/g, "")
  expect(text).not.toMatch(/[<>]|&(?!(?:amp|lt|gt|quot|#39);)/)
  return count
}

describe("the book of a site", () => {
  it("satisfies the rules of EPUB 3 on its container, its manifest, its ids and its fragments", async () => {
    const links = '<p><a href="#gone">Dead</a> <a href="./#gone-too">Dead</a></p>'
    const getWithDeadLinks: GetUrl = async (url) => {
      const response = await get(url)
      const html = Buffer.from(response.body).toString()
      const isPage = response.contentType.startsWith("text/html")
      return isPage
        ? { ...response, body: Buffer.from(html.replace(/(<div class="content"[^>]*>)/, `$1${links}`)) }
        : response
    }
    const { pages, bytes } = await exportEpub({ root: siteUrl, workspace: server.url }, getWithDeadLinks)
    const entries = unzipSync(bytes)
    expect(Object.values(entries).filter((bytes) => Buffer.from(bytes).includes(">Dead</a>")).length).toBe(
      pages
    )
    const text = (path: string) => Buffer.from(entries[path]!).toString()
    expect(bytes[8]).toBe(0)
    expect(Object.keys(entries)[0]).toBe("mimetype")
    expect(text("META-INF/container.xml")).toContain('full-path="book/package.opf"')
    const opf = text("book/package.opf")
    const items = [
      ...opf.matchAll(/<item id="([^"]*)" href="([^"]*)" media-type="([^"]*)"(?: properties="([^"]*)")?\/>/g)
    ]
    const ids = items.map(([, id]) => id!)
    expect(new Set(ids).size).toBe(ids.length)
    expect(items.map(([, , href]) => `book/${href}`).toSorted()).toEqual(
      Object.keys(entries)
        .filter((path) => path.startsWith("book/") && path !== "book/package.opf")
        .toSorted()
    )
    expect(items.filter(([, , , , properties]) => properties === "nav").length).toBe(1)
    const spine = [...opf.matchAll(/<itemref idref="([^"]*)"\/>/g)].map(([, id]) => id!)
    expect(spine.length).toBe(pages)
    expect(ids).toEqual(expect.arrayContaining(spine))
    expect(opf).toMatch(/<dc:identifier id="id">[^<]+<.*<dc:title>[^<]+<.*<dc:language>[^<]+</)
    expect(opf).toMatch(/<meta property="dcterms:modified">\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ</)
    expect(text("book/nav.xhtml")).toMatch(/<nav epub:type="toc"><h1>[^<]+<\/h1><ol><li><a href="/)
    const documents = items.flatMap(([, , href, type]) => (type === "application/xhtml+xml" ? [href!] : []))
    const idsOf = new Map(
      documents.map((path) => [
        path,
        [...text(`book/${path}`).matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!)
      ])
    )
    let fragments = 0
    for (const path of documents) {
      const own = idsOf.get(path)!
      expect([path, own.length]).toEqual([path, new Set(own).size])
      expect(own.filter((id) => /\s/.test(id) || id === "")).toEqual([])
      for (const [, file, fragment] of text(`book/${path}`).matchAll(/ href="([^":#]*)#([^"]*)"/g)) {
        fragments++
        const target = idsOf.get(file === "" ? path : file!)
        expect([path, file, fragment, target?.includes(decodeURIComponent(fragment!))]).toEqual([
          path,
          file,
          fragment,
          true
        ])
      }
    }
    expect(fragments).toBeGreaterThan(3)
  })

  it("has the pages of the site as XML, with links between them and their images", async () => {
    const { pages, bytes } = await exportEpub({ root: siteUrl, workspace: server.url }, get)
    expect(Buffer.from(bytes).subarray(30, 58).toString()).toBe("mimetypeapplication/epub+zip")
    const book = Object.entries(unzipSync(bytes)).map(
      ([path, content]) => [path, Buffer.from(content).toString()] as const
    )
    const documents = book.filter(([path]) => /\.(?:xhtml|opf|xml)$/.test(path))
    expect(documents.length).toBe(pages + 3)
    for (const [path, xml] of documents) expect([path, checkXml(xml) > 2]).toEqual([path, true])
    const names = new Set(book.map(([path]) => path))
    let links = 0
    for (const [path, xml] of documents) {
      for (const [, value] of xml.matchAll(/ (?:href|src)="([^"]*)"/g)) {
        if (/^(?:https?:|mailto:|#)/.test(value!)) continue
        links++
        expect([path, value, names.has(posix.join("book", value!.split("#")[0]!))]).toEqual([
          path,
          value,
          true
        ])
      }
    }
    expect(links).toBeGreaterThan(30)
    const content = documents.map(([, xml]) => xml).join("")
    expect(content).toContain("createServer")
    expect(content).toMatch(/<img[^>]* src="image-\d+\.png"/)
    expect(content).toContain('<math xmlns="http://www.w3.org/1998/Math/MathML"')
    expect(content).not.toMatch(/<(?:script|button|form|svg)\b/)
  })
})
