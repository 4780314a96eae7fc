/** Failing imports: missing, invalid and adversarial sources are rejected with a clear error, in bounded time and memory. */
import { brotliCompressSync, gzipSync } from "node:zlib"
import { Converters } from "@lectern/converters"
import { isFastRun } from "@lectern/harness"
import { Layer } from "effect"
import { strToU8, type Zippable, zipSync } from "fflate"
import { describe, expect, it } from "vitest"
import { memory, ruleStores } from "./stores.ts"
import { serveSite, startImportWorkspace, titleTree } from "./support/imports.ts"
import { pixelImage, type Route } from "./support/website.ts"

/** Converters with a low limit of CPU time, which two of the pages use up. */
const limitedConverters = Converters.layer({ cpuMs: { page: 3_000 } })

const page = (title: string, content = ""): string =>
  `<html><head><title>${title}</title></head><body><main><h1>${title}</h1>${content}</main></body></html>`

const zip = (files: Zippable): Route => ({ type: "application/zip", body: zipSync(files) })

/** An archive of files of one byte. Compressing each of them would take longer than the import. */
const archiveOfFiles = (count: number, extension: string): Route => ({
  type: "application/zip",
  body: zipSync(
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${i}.${extension}`, strToU8("A")])),
    { level: 0 }
  )
})

/** An archive with a single file of any name, such as a path outside the archive. */
const archiveWithName = (name: string): Route => {
  const plain = "x".repeat(name.length)
  const bytes = Buffer.from(zipSync({ [plain]: strToU8("# Text") }))
  for (let at = bytes.indexOf(plain); at >= 0; at = bytes.indexOf(plain)) bytes.write(name, at, "latin1")
  return { type: "application/zip", body: bytes }
}

/** An archive that declares its single file to be 10 bytes long. */
const archiveWithFalseSize = (size: number): Route => {
  const bytes = Buffer.from(zipSync({ "a.md": new Uint8Array(size) }))
  const declaredSize = Buffer.alloc(4)
  declaredSize.writeUInt32LE(size)
  for (let at = bytes.indexOf(declaredSize); at >= 0; at = bytes.indexOf(declaredSize))
    bytes.writeUInt32LE(10, at)
  return { type: "application/zip", body: bytes }
}

const endless: Route = (_, response) => {
  response.writeHead(200, { "content-type": "text/html" })
  const chunk = Buffer.alloc(256 * 1024, 32)
  const write = () => {
    while (!response.destroyed && response.write(chunk)) {}
  }
  response.on("drain", write)
  write()
}

/** A body that is sent byte by byte, and never ends. */
const slow: Route = (_, response) => {
  response.writeHead(200, { "content-type": "text/html" })
  const timer = setInterval(() => response.write("a"), 200)
  response.on("close", () => clearInterval(timer))
}

const bomb = (compress: (bytes: Uint8Array) => Uint8Array, encoding: string): Route => ({
  type: "text/html",
  body: compress(new Uint8Array(50_000_000)),
  headers: { "content-encoding": encoding }
})

const megabytes = (count: number): Uint8Array => new Uint8Array(count * 1024 * 1024)

const html = (body: string): Route => ({ type: "text/html", body })

/** The source of each failing import, the response of its URL, and the expected error. */
const failures: ReadonlyArray<
  readonly [source: string, route: Route | undefined, status: number, message: RegExp]
> = [
  ["website", undefined, 502, /status 404/],
  ["website", { location: "http://10.0.0.1/" }, 502, /public/],
  ["website", { location: "http://169.254.169.254/latest/meta-data" }, 502, /public/],
  ["website", { location: "http://[::ffff:10.0.0.1]/" }, 502, /public/],
  ["website", { location: "http://internal.example/" }, 502, /public/],
  ["website", { location: "file:///etc/passwd" }, 502, /http/],
  ["website", { location: "/it" }, 502, /redirects more than 5 times/],
  ["website", (request) => void request.socket.destroy(), 502, /cannot be reached/],
  ["website", endless, 502, /larger/],
  ["website", slow, 504, /did not respond within 10 s/],
  ["website", bomb(gzipSync, "gzip"), 502, /larger/],
  ["html", bomb(brotliCompressSync, "br"), 502, /larger/],
  ["website", { type: "image/png", body: pixelImage(1) }, 400, /image\/png, which is not a web page/],
  ["html", { type: "application/pdf", body: "%PDF" }, 400, /not a web page/],
  ["html", html("<div>".repeat(100_000)), 400, /nested too deep/],
  ["website", html("<div>".repeat(50_000) + "<p>".repeat(50_000)), 400, /nested too deep/],
  // Parsing time is quadratic in the length.
  ["html", html("<a>".repeat(30_000)), 400, /more than 3 s of CPU time/],
  ["markdown", page("Page"), 400, /web page; use the URL of the markdown file itself/],
  ["markdown", { type: "application/zip", body: "PK" }, 400, /not markdown/],
  ["markdown", { type: "text/plain", body: "a\0b" }, 400, /not text/],
  ["zip", page("Page"), 400, /web page/],
  ["zip", { type: "application/zip", body: "nothing" }, 400, /not a zip archive or a tarball/],
  ["zip", { type: "application/zip", body: "PK" }, 400, /truncated/],
  [
    "zip",
    { type: "application/zip", body: zipSync({ "a.md": strToU8("# A") }).subarray(0, 60) },
    400,
    /truncated/
  ],
  ["zip", zip({}), 400, /without any markdown/],
  ["zip", zip({ "a.txt": strToU8("A") }), 400, /without any markdown/],
  ["zip", zip({ "a.md": megabytes(200) }), 400, /unpacks to more than 128 MiB/],
  ["zip", archiveWithFalseSize(200 * 1024 * 1024), 400, /unpack/],
  [
    "zip",
    zip(Object.fromEntries(Array.from({ length: 3 }, (_, i) => [`${i}.md`, megabytes(50)]))),
    400,
    /unpacks to more/
  ],
  ["zip", archiveOfFiles(10_001, "md"), 400, /more than 10000 pages/],
  ["zip", archiveOfFiles(50_001, "txt"), 400, /more than 50000 files/],
  ...["../../etc/a.md", "/etc/passwd/a.md", "C:\\windows\\a.md", "docs\\..\\..\\a.md", "a/../../b.md"].map(
    (name) => ["zip", archiveWithName(name), 400, /outside of the archive/] as const
  ),
  ["github-wiki", page("Wiki"), 400, /zip archive of the wiki/],
  ["docx", page("Page"), 400, /docx file itself/],
  ["docx", { type: "application/octet-stream", body: "nothing" }, 400, /not a zip archive/],
  ["docx", zip({ "a.md": strToU8("# A") }), 400, /not a docx document/],
  ["docx", zip({ "word/document.xml": strToU8("<w:document>") }), 400, /cannot be read/],
  ["docx", zip({ "word/document.xml": megabytes(20) }), 400, /larger than 8 MiB/]
]

describe("a failing import", () => {
  it.skipIf(isFastRun)("returns the cause and changes no content", { timeout: 600_000 }, async () => {
    const { importContent, call, space, pages } = await startImportWorkspace(
      Layer.provideMerge(limitedConverters, await memory.make()),
      async () => [{ address: "10.1.2.3", family: 4 }]
    )
    const site = await serveSite({})
    const before = await call<{ id: string }>("GET", `/spaces/${space}/content`)
    const responses = await Promise.all(
      failures.map(async ([source, route], index) => {
        const path = `/${index}/`
        if (route !== undefined) {
          site.routes.set(
            path,
            typeof route === "object" && "location" in route && route.location === "/it"
              ? { location: path }
              : route
          )
        }
        const { status, value } = await importContent({ url: site.url + path, source })
        return [index, source, status, value.error?.message] as const
      })
    )
    expect(responses).toEqual(
      failures.map(([source, , status, message], index) => [
        index,
        source,
        status,
        expect.stringMatching(message)
      ])
    )
    expect(await pages()).toEqual([])
    expect((await call<{ id: string }>("GET", `/spaces/${space}/content`)).id).toBe(before.id)
  })

  it("is rejected before any fetch if the request is invalid", async () => {
    const { importContent } = await startImportWorkspace(await memory.make())
    const site = await serveSite({ "/": page("Home") })
    for (const [body, paths] of [
      [{}, ["url", "source"]],
      [{ url: site.url }, ["source"]],
      [{ url: "ftp://example.com/", source: "website" }, ["url"]],
      [{ url: "no address", source: "notion" }, ["url", "source"]],
      [{ url: site.url, source: "confluence" }, ["source"]],
      [{ url: site.url, source: "google-docs" }, ["source"]],
      [{ url: `${site.url}/${"a".repeat(2048)}`, source: "website" }, ["url"]]
    ] as const) {
      const { status, value } = await importContent(body)
      const details = value.error?.details as ReadonlyArray<{ path: string; message: string }>
      expect([status, details.map(({ path }) => path).sort()]).toEqual([400, [...paths].sort()])
    }
    expect(site.requestedPaths).toEqual([])
    const { value } = await importContent({ url: "http://name:secret@127.0.0.1/", source: "website" })
    expect(value.error).toMatchObject({ code: 502 })
  })
})

describe("a website with adversarial pages", () => {
  it.skipIf(isFastRun)("is imported without them, and they are counted", { timeout: 600_000 }, async () => {
    const { importContent, pages, files } = await startImportWorkspace(
      Layer.provideMerge(limitedConverters, await memory.make())
    )
    const adversarial: Record<string, Route> = {
      slow,
      endless,
      bomb: bomb(gzipSync, "gzip"),
      deep: html("<div>".repeat(100_000)),
      hard: html("<a>".repeat(30_000)),
      disconnect: { location: "http://10.0.0.1/" },
      circle: { location: "/circle" },
      pdf: { type: "application/pdf", body: "%PDF" }
    }
    const images: Record<string, Route> = {
      "large.png": { type: "image/png", body: megabytes(6) },

      "empty.png": { type: "image/png", body: "" }
    }
    const site = await serveSite({
      "/": page(
        "Home",
        [
          ...Object.keys(adversarial).map((name) => `<a href="/${name}">${name}</a>`),
          ...Object.keys(images).map((name) => `<img src="/${name}">`),
          '<img src="/good.png"><img src="data:image/png;base64,!!!"><img src="http://10.0.0.1/private.png">',
          '<a href="/good">good</a><a href="http://[">bad</a><a href="javascript:alert(1)">js</a>'
        ].join(" ")
      ),
      "/good": page(
        "Good",
        '<table><tr><td colspan="100000000" rowspan="100000000">wide</td><td>x</td></tr></table><p>&lt;script&gt;alert(1)&lt;/script&gt;</p><script>alert(2)</script>'
      ),
      "/good.png": { type: "image/png", body: pixelImage(1) },
      ...Object.fromEntries(
        Object.entries({ ...adversarial, ...images }).map(([name, route]) => [`/${name}`, route])
      )
    })
    const { status, value } = await importContent({ url: site.url, source: "website" })
    expect([status, value.importedResources, value.totalResources]).toEqual([201, 3, 2 + 8 + 5])
    expect(titleTree(await pages())).toEqual(["Home", "Good"])
    expect((await files()).map(({ name }) => name)).toEqual(["good.png"])
  })
})

describe("an import with concurrent changes", () => {
  for (const { name, make } of ruleStores) {
    it(`is applied after concurrent edits, creates no duplicates, and is rejected if the space was locked, on ${name}`, async () => {
      const { importContent, call, space, pages } = await startImportWorkspace(await make())
      let concurrently: () => Promise<unknown> = async () => undefined
      const site = await serveSite({
        "/": page("Home", '<a href="/a">A</a>'),
        "/a": (_, response) =>
          void concurrently().then(() =>
            response.writeHead(200, { "content-type": "text/html" }).end(page("A"))
          )
      })
      const body = { url: site.url, source: "website" }
      concurrently = () =>
        call("POST", `/spaces/${space}/content`, { changes: [{ operation: "insert_page", title: "Mine" }] })
      expect((await importContent(body)).status).toBe(201)
      expect(titleTree(await pages())).toEqual(["Mine", "Home", "A"])

      // A concurrent import of the same website creates no duplicates.
      concurrently = async () => {
        concurrently = async () => undefined
        expect((await importContent(body)).status).toBe(201)
      }
      expect((await importContent(body)).status).toBe(201)
      expect(titleTree(await pages())).toEqual(["Mine", "Home", "A"])

      concurrently = () => call("PATCH", `/spaces/${space}`, { editMode: "locked" })
      site.routes.set("/", page("Home anew", '<a href="/a">A</a>'))
      expect((await importContent(body)).status).toBe(409)
      expect(titleTree(await pages())).toEqual(["Mine", "Home", "A"])
      await call("PATCH", `/spaces/${space}`, { editMode: "live" })

      // An import whose client disconnects changes nothing.
      const disconnect = new AbortController()
      concurrently = async () => disconnect.abort()
      await expect(importContent(body, undefined, disconnect.signal)).rejects.toThrow()
      concurrently = async () => undefined
      expect(titleTree(await pages())).toEqual(["Mine", "Home", "A"])
    })
  }
})

describe("a website of large pages", () => {
  it.skipIf(isFastRun)("is imported up to the limit of its total size", async () => {
    const { importContent } = await startImportWorkspace(await memory.make())
    const large = `${"=".repeat(999)}\n`.repeat(4480)
    const site = await serveSite({
      "/": page("Home", Array.from({ length: 40 }, (_, i) => `<a href="/${i}">${i}</a>`).join(" ")),
      ...Object.fromEntries(
        Array.from({ length: 40 }, (_, i) => [`/${i}`, page(`Page ${i}`, `<pre>${large}</pre>`)])
      )
    })
    const { status, value } = await importContent({ url: site.url, source: "website" })
    expect([status, value.totalResources]).toEqual([201, 41])
    // Eight pages have 36 million characters; eight more were being fetched when the limit was reached.
    expect(value.importedResources).toBeGreaterThanOrEqual(9)
    expect(value.importedResources).toBeLessThanOrEqual(17)
  })
})
