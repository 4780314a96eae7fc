/** Imports of what is not there, not what it should be, or made to hurt: a clear answer, in bounded time and space. */
import { brotliCompressSync, gzipSync } from "node:zlib"
import { strToU8, type Zippable, zipSync } from "fflate"
import { describe, expect, it } from "vitest"
import { memory, stores } from "./stores.ts"
import { open, outline, serveSite } from "./support/imports.ts"
import { picture, type Route } from "./support/website.ts"

const page = (title: string, content = ""): string =>
  `<html><head><title>${title}</title></head><body><main><h1>${title}</h1>${content}</main></body></html>`

const zip = (files: Zippable): Route => ({ type: "application/zip", body: zipSync(files) })

/** An archive whose one file has another name of the same length, which nobody would write by accident. */
const renamed = (name: string): Route => {
  const plain = "x".repeat(name.length)
  const bytes = Buffer.from(zipSync({ [plain]: strToU8("# Text") }))
  for (let at = bytes.indexOf(plain); at >= 0; at = bytes.indexOf(plain)) bytes.write(name, at, "latin1")
  return { type: "application/zip", body: bytes }
}

/** An archive that says of its one file that it is small. */
const lying = (size: number): Route => {
  const bytes = Buffer.from(zipSync({ "a.md": new Uint8Array(size) }))
  const said = Buffer.alloc(4)
  said.writeUInt32LE(size)
  for (let at = bytes.indexOf(said); at >= 0; at = bytes.indexOf(said)) bytes.writeUInt32LE(10, at)
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

/** A body that comes letter by letter, and never ends. */
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

/** What each source is given, and what the answer is. */
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
  ["website", { type: "image/png", body: picture(1) }, 400, /image\/png, which is no web page/],
  ["html", { type: "application/pdf", body: "%PDF" }, 400, /no web page/],
  ["html", html("<div>".repeat(100_000)), 400, /nested too deep/],
  ["website", html("<div>".repeat(50_000) + "<p>".repeat(50_000)), 400, /nested too deep/],
  // Parsing it takes as many steps as the square of its length.
  ["html", html("<a>".repeat(30_000)), 400, /more than 10 s of CPU time/],
  ["markdown", page("Page"), 400, /web page; give the address of the markdown file itself/],
  ["markdown", { type: "application/zip", body: "PK" }, 400, /no markdown/],
  ["markdown", { type: "text/plain", body: "a\0b" }, 400, /not text/],
  ["zip", page("Page"), 400, /web page/],
  ["zip", { type: "application/zip", body: "nothing" }, 400, /not a zip archive/],
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
  ["zip", lying(200 * 1024 * 1024), 400, /unpack/],
  [
    "zip",
    zip(Object.fromEntries(Array.from({ length: 3 }, (_, i) => [`${i}.md`, megabytes(50)]))),
    400,
    /unpacks to more/
  ],
  [
    "zip",
    zip(Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`${i}.md`, strToU8("# A")]))),
    400,
    /more than 1000 pages/
  ],
  [
    "zip",
    zip(Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`${i}.txt`, strToU8("A")]))),
    400,
    /more than 10000 files/
  ],
  ...["../../etc/a.md", "/etc/passwd/a.md", "C:\\windows\\a.md", "docs\\..\\..\\a.md", "a/../../b.md"].map(
    (name) => ["zip", renamed(name), 400, /outside of the archive/] as const
  ),
  ["github-wiki", page("Wiki"), 400, /zip archive of the wiki/],
  ["docx", page("Page"), 400, /docx file itself/],
  ["docx", { type: "application/octet-stream", body: "nothing" }, 400, /not a zip archive/],
  ["docx", zip({ "a.md": strToU8("# A") }), 400, /not a docx document/],
  ["docx", zip({ "word/document.xml": strToU8("<w:document>") }), 400, /cannot be read/],
  ["docx", zip({ "word/document.xml": megabytes(20) }), 400, /larger than 16 MiB/]
]

describe("an import that cannot be", () => {
  it("says why, and leaves the content as it is", { timeout: 600_000 }, async () => {
    const { bring, call, space, pages } = await open(await memory.make(), async () => [
      { address: "10.1.2.3", family: 4 }
    ])
    const site = await serveSite({})
    const before = await call<{ id: string }>("GET", `/spaces/${space}/content`)
    const answers = await Promise.all(
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
        const { status, value } = await bring({ url: site.url + path, source })
        return [index, source, status, value.error?.message] as const
      })
    )
    expect(answers).toEqual(
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

  it("is refused before anything is fetched where the request is wrong", async () => {
    const { bring } = await open(await memory.make())
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
      const { status, value } = await bring(body)
      const details = value.error?.details as ReadonlyArray<{ path: string; message: string }>
      expect([status, details.map(({ path }) => path).sort()]).toEqual([400, [...paths].sort()])
    }
    expect(site.asked).toEqual([])
    const { value } = await bring({ url: "http://name:secret@127.0.0.1/", source: "website" })
    expect(value.error).toMatchObject({ code: 502 })
  })
})

describe("a website with hostile pages", () => {
  it("comes in without them, and they are counted", { timeout: 600_000 }, async () => {
    const { bring, pages, files } = await open(await memory.make())
    const hostile: Record<string, Route> = {
      slow,
      endless,
      bomb: bomb(gzipSync, "gzip"),
      deep: html("<div>".repeat(100_000)),
      hard: html("<a>".repeat(30_000)),
      gone: { location: "http://10.0.0.1/" },
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
          ...Object.keys(hostile).map((name) => `<a href="/${name}">${name}</a>`),
          ...Object.keys(images).map((name) => `<img src="/${name}">`),
          '<img src="/good.png"><img src="data:image/png;base64,!!!"><img src="http://10.0.0.1/private.png">',
          '<a href="/good">good</a><a href="http://[">bad</a><a href="javascript:alert(1)">js</a>'
        ].join(" ")
      ),
      "/good": page(
        "Good",
        '<table><tr><td colspan="100000000" rowspan="100000000">wide</td><td>x</td></tr></table><p>&lt;script&gt;alert(1)&lt;/script&gt;</p><script>alert(2)</script>'
      ),
      "/good.png": { type: "image/png", body: picture(1) },
      ...Object.fromEntries(
        Object.entries({ ...hostile, ...images }).map(([name, route]) => [`/${name}`, route])
      )
    })
    const { status, value } = await bring({ url: site.url, source: "website" })
    expect([status, value.importedResources, value.totalResources]).toEqual([201, 3, 2 + 8 + 5])
    expect(outline(await pages())).toEqual(["Home", "Good"])
    expect((await files()).map(({ name }) => name)).toEqual(["good.png"])
  })
})

describe("an import beside others", () => {
  for (const { name, make } of [memory, ...stores]) {
    it(`goes on top of what was written meanwhile, and heeds what was decided meanwhile, on ${name}`, async () => {
      const { bring, call, space, pages } = await open(await make())
      let meanwhile: () => Promise<unknown> = async () => undefined
      const site = await serveSite({
        "/": page("Home", '<a href="/a">A</a>'),
        "/a": (_, response) =>
          void meanwhile().then(() => response.writeHead(200, { "content-type": "text/html" }).end(page("A")))
      })
      const body = { url: site.url, source: "website" }
      meanwhile = () =>
        call("POST", `/spaces/${space}/content`, { changes: [{ operation: "insert_page", title: "Mine" }] })
      expect((await bring(body)).status).toBe(201)
      expect(outline(await pages())).toEqual(["Mine", "Home", "A"])

      // Somebody else imports the same: nothing is there twice.
      meanwhile = async () => {
        meanwhile = async () => undefined
        expect((await bring(body)).status).toBe(201)
      }
      expect((await bring(body)).status).toBe(201)
      expect(outline(await pages())).toEqual(["Mine", "Home", "A"])

      meanwhile = () => call("PATCH", `/spaces/${space}`, { editMode: "locked" })
      site.routes.set("/", page("Home anew", '<a href="/a">A</a>'))
      expect((await bring(body)).status).toBe(409)
      expect(outline(await pages())).toEqual(["Mine", "Home", "A"])
      await call("PATCH", `/spaces/${space}`, { editMode: "live" })

      // A client that goes away leaves nothing behind.
      const gone = new AbortController()
      meanwhile = async () => gone.abort()
      await expect(bring(body, undefined, gone.signal)).rejects.toThrow()
      meanwhile = async () => undefined
      expect(outline(await pages())).toEqual(["Mine", "Home", "A"])
    })
  }
})

describe("a website of nothing but large pages", () => {
  it("comes in as far as there is room for it", async () => {
    const { bring } = await open(await memory.make())
    const large = `${"=".repeat(999)}\n`.repeat(4480)
    const site = await serveSite({
      "/": page("Home", Array.from({ length: 40 }, (_, i) => `<a href="/${i}">${i}</a>`).join(" ")),
      ...Object.fromEntries(
        Array.from({ length: 40 }, (_, i) => [`/${i}`, page(`Page ${i}`, `<pre>${large}</pre>`)])
      )
    })
    const { status, value } = await bring({ url: site.url, source: "website" })
    expect([status, value.totalResources]).toEqual([201, 41])
    // The texts of eight are 36 million characters; as many more were under way when that was seen.
    expect(value.importedResources).toBeGreaterThanOrEqual(9)
    expect(value.importedResources).toBeLessThanOrEqual(17)
  })
})
