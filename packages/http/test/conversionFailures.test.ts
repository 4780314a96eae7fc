/** Saved and returned content does not depend on the load of the converters: an operation waits, fails with 503, or is exact. */
import { converters } from "@lectern/converters"
import {
  BackgroundWork,
  type ConvertMarkdown,
  Fetcher,
  ImportReader,
  type MarkdownConversion,
  MarkdownEngine,
  NotReadable,
  ParseFailed,
  type ParseSpec,
  type ReadImport,
  type ReadingKind,
  SpecParser
} from "@lectern/core"
import { nodeFetcher } from "@lectern/http"
import { MemoryStorage } from "@lectern/testkit"
import { Clock, Effect, Layer } from "effect"
import { unzipSync } from "fflate"
import { expect, it } from "vitest"
import { callForBody } from "./caller.ts"
import { serveSite } from "./support/imports.ts"
import { archiveOf, comparable, type Files } from "./support/repositories.ts"
import { startServerOn } from "./support.ts"

const { importReader, markdownEngine, specParser } = converters()

type Kind = ReadingKind | MarkdownConversion

/** Markdown that is converted in a thread, in a style that Lectern does not write. */
const longMarkdown = `Title\n===\n\n${"* a  \n".repeat(1200)}\n\n_Last_ paragraph.\n`

/** Starts a server whose conversions of `failing.kinds`, and its conversion number `failing.call`, fail: as if the thread ended, or as if the content exceeded the limits. */
const startSpace = async () => {
  const failing = { kinds: new Set<Kind>(), call: -1, specs: false, isTransient: true }
  const called = new Set<Kind>()
  const calls: Array<Kind> = []
  const failIf = (kind: Kind): Effect.Effect<void, NotReadable> => {
    called.add(kind)
    return failing.kinds.has(kind) || calls.push(kind) - 1 === failing.call
      ? Effect.fail(
          new NotReadable({
            message: "points to content that takes too long",
            ...(failing.isTransient ? { isTransient: true } : {})
          })
        )
      : Effect.void
  }
  const unlessStopped = <A>(parsed: Effect.Effect<A, ParseFailed>): Effect.Effect<A, ParseFailed> =>
    Effect.suspend(() =>
      failing.specs ? Effect.fail(new ParseFailed({ message: "", problems: [], isTransient: true })) : parsed
    )
  const parseSpec: ParseSpec = Object.assign<ParseSpec, Pick<ParseSpec, "generatePages">>(
    (document, isFirst) => unlessStopped(specParser(document, isFirst)),
    { generatePages: (files) => unlessStopped(specParser.generatePages!(files)) }
  )
  const read: ReadImport = (kind, input) => Effect.andThen(failIf(kind), importReader(kind, input))
  const convert: ConvertMarkdown = (kind, input) => Effect.andThen(failIf(kind), markdownEngine(kind, input))
  const server = await startServerOn({
    make: async () =>
      Layer.mergeAll(
        MemoryStorage.layer(),
        Layer.succeed(ImportReader, read),
        Layer.succeed(SpecParser, parseSpec),
        Layer.succeed(MarkdownEngine, convert),
        Layer.succeed(Fetcher, nodeFetcher({ allow: ["127.0.0.1"] }))
      )
  })
  const ada = await server.core.createUser("ada@example.com")
  const organization = await server.core.createOrganization("Acme", ada)
  const token = await server.tokenOf(ada)
  const call = <A>(method: string, path: string, body?: unknown) =>
    callForBody<A>(server, token, method, path, body)
  const { id: space } = await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, {})
  const at = `/spaces/${space}/content`
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await server.fetch(`/v1${path}`, {
      method,
      token,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return {
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      body: (await response.json()) as { error?: { reason: string; message: string } }
    }
  }
  const insert = async (markdown: string) =>
    (
      await call<{ changes: ReadonlyArray<{ page: { id: string } }> }>("POST", at, {
        changes: [{ operation: "insert_page", title: "Long", document: { markdown } }]
      })
    ).changes[0]!.page.id
  const markdownOf = async (page: string) =>
    (await call<{ markdown: string }>("GET", `${at}/page/${page}?format=markdown`)).markdown
  const revision = async () => (await call<{ id: string }>("GET", at)).id
  const exported = async () => {
    const { url } = await call<{ url: string }>("GET", `${at}/export`)
    const { pathname, search } = new URL(url)
    const response = await server.fetch(pathname + search)
    return comparable(unzipSync(new Uint8Array(await response.arrayBuffer())))
  }
  const work = () =>
    server.core.runtime.runPromise(
      Effect.provideService(
        Effect.flatMap(BackgroundWork, ({ drain }) => drain),
        Clock.Clock,
        server.core.clock
      )
    )
  return {
    server,
    organization,
    work,
    failing,
    called,
    calls,
    call,
    send,
    at,
    insert,
    markdownOf,
    revision,
    exported
  }
}

const unavailable = { status: 503, retryAfter: "1", body: { error: { reason: "ConversionFailed" } } }

it("an edit by a document fails while the converters fail, and then changes only the edited block", async () => {
  const { failing, called, call, send, at, insert, markdownOf, revision } = await startSpace()
  const page = await insert(longMarkdown)
  type Document = { nodes: Array<{ nodes: Array<{ leaves: Array<{ text: string }> }> }> }
  const { document } = await call<{ document: Document }>("GET", `${at}/page/${page}?format=document`)
  const last = document.nodes.at(-1)!
  last.nodes.at(-1)!.leaves.at(-1)!.text = " sentence."
  const change = { changes: [{ operation: "update_page", page, document: { document } }] }
  const before = await revision()

  failing.kinds.add("update")
  expect(await send("POST", at, change)).toMatchObject(unavailable)
  failing.isTransient = false
  expect(await send("POST", at, change)).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining("send `markdown` instead") } }
  })
  expect([await revision(), await markdownOf(page)]).toEqual([before, longMarkdown])

  failing.kinds.clear()
  expect((await send("POST", at, change)).status).toBe(200)
  expect(called).toContain("update")
  expect(await markdownOf(page)).toBe(longMarkdown.replace(" paragraph.", " sentence."))
})

it("a page is not returned as text without blocks, and no outline is stored, while the converters fail", async () => {
  const { failing, send, at, insert, revision } = await startSpace()
  const page = await insert(longMarkdown)
  const before = await revision()
  failing.kinds.add("document").add("outline").add("revert")
  expect(await send("GET", `${at}/page/${page}?format=document`)).toMatchObject(unavailable)
  const changed = { markdown: longMarkdown.replace("Last", "Final") }
  expect(
    await send("POST", at, { changes: [{ operation: "update_page", page, document: changed }] })
  ).toMatchObject(unavailable)
  expect(await revision()).toBe(before)
  failing.kinds.clear()
  expect(
    await send("POST", at, { changes: [{ operation: "update_page", page, document: changed }] })
  ).toMatchObject({ status: 200 })
  failing.kinds.add("revert")
  expect(
    await send("POST", at, { changes: [{ operation: "revert_page", page, revision: before, block: ["0"] }] })
  ).toMatchObject(unavailable)
})

it("an import and an export fail while the converters fail, and preserve the text of a page that exceeds the limits", async () => {
  const { failing, send, at, call, markdownOf, exported } = await startSpace()
  const files: Files = {
    "README.md": "Start\n===\n\n* [other](other.md)\n",
    "SUMMARY.md": "# Contents\n\n* [Start](README.md)\n* [Other](other.md)\n",
    "other.md": "# Other\n\n_Text_ of the page.\n"
  }
  const site = await serveSite({ "/docs.zip": { type: "application/zip", body: archiveOf(files) } })
  const source = { url: `${site.url}/docs.zip`, source: "zip" }
  failing.kinds.add("markdown")
  expect((await send("POST", `${at}/import`, source)).status).toBe(503)
  expect((await call<{ pages: ReadonlyArray<unknown> }>("GET", `${at}/pages`)).pages).toEqual([])

  // Pages that exceed the limits are imported without their text, and exported as they were.
  failing.isTransient = false
  expect((await send("POST", `${at}/import`, source)).status).toBe(201)
  const { pages } = await call<{ pages: ReadonlyArray<{ id: string }> }>("GET", `${at}/pages`)
  expect(await markdownOf(pages[1]!.id)).toBe("")
  failing.isTransient = true
  await expect(exported()).rejects.toThrow()
  // A complete archive is stored, and needs no converters later.
  failing.isTransient = false
  expect(await exported()).toEqual(comparable(files))
  failing.kinds.clear()
  expect((await send("POST", `${at}/import`, source)).status).toBe(201)
  expect(await markdownOf(pages[1]!.id)).toBe("_Text_ of the page.\n")
  expect(await exported()).toEqual(comparable(files))
})

const html = (text: string): string =>
  `<html><head><title>${text}</title></head><body><script src="/assets/navigation.js"></script><main><h1>${text}</h1><p>Text.</p></main></body></html>`

const sources = [
  {
    source: "website",
    path: "/",
    routes: {
      "/": html("Start"),
      "/assets/navigation.js": { type: "text/javascript", body: 'window.navigationData = "not a menu"' },
      "/second": html("Second")
    },
    kinds: ["html", "menu", "sitemap", "html"]
  },
  {
    source: "github-wiki",
    path: "/wiki.zip",
    routes: {
      "/wiki.zip": {
        type: "application/zip",
        body: archiveOf({ "wiki/Home.md": "Home.\n", "wiki/_Sidebar.md": "* [[Home]]\n" })
      }
    },
    kinds: ["zipIndex", "zipEntry", "markdown", "zipEntry", "markdown"]
  },
  {
    source: "markdown",
    path: "/page.md",
    routes: { "/page.md": { type: "text/markdown", body: "# Page\n" } },
    kinds: ["markdown"]
  },
  { source: "html", path: "/page", routes: { "/page": html("Page") }, kinds: ["html"] }
] as const

for (const { source, path, routes, kinds } of sources) {
  it(`an import of ${source} fails while any of its conversions fails, and then imports every part`, async () => {
    const { failing, calls, send, call, at } = await startSpace()
    const site = await serveSite(routes)
    site.routes.set("/sitemap.xml", {
      type: "application/xml",
      body: `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${site.url}/second</loc></url></urlset>`
    })
    const body = { url: site.url + path, source }
    for (const [failed, kind] of kinds.entries()) {
      calls.length = 0
      failing.call = failed
      expect({ kind, ...(await send("POST", `${at}/import`, body)) }).toMatchObject({ kind, ...unavailable })
      expect((await call<{ pages: ReadonlyArray<unknown> }>("GET", `${at}/pages`)).pages).toEqual([])
    }
    calls.length = 0
    failing.call = -1
    expect((await send("POST", `${at}/import`, body)).status).toBe(201)
    expect(calls.filter((kind) => kind !== "outline")).toEqual(kinds)
  })
}

it("a spec is neither rejected nor displayed without its pages while the converters fail", async () => {
  const { server, organization, work, failing, send, call, at } = await startSpace()
  const paths = Object.fromEntries(
    Array.from({ length: 600 }, (_, index) => [
      `/pets/${index}`,
      {
        get: { tags: ["Pets"], description: "text ".repeat(100), responses: { 200: { description: "Done" } } }
      }
    ])
  )
  const spec = `/orgs/${organization}/openapi`
  const text = JSON.stringify({ openapi: "3.1.0", info: { title: "Pets", version: "1" }, paths })
  const { id, slug } = await call<{ id: string; slug: string }>("POST", spec, {
    slug: "pets",
    source: { text }
  })
  const stateOf = async () =>
    (await call<{ processingState: string }>("GET", `${spec}/${slug}`)).processingState
  failing.specs = true
  await work()
  expect(["pending", "progress"]).toContain(await stateOf())
  failing.specs = false
  server.core.advance(3_600_000)
  await work()
  expect(await stateOf()).toBe("complete")

  const computed = {
    type: "builtin:openapi",
    dependencies: { spec: { ref: { kind: "openapi", spec: id } } },
    props: { models: true }
  }
  const change = { operation: "insert_page", type: "computed", title: "API", computed }
  expect((await send("POST", at, { changes: [change] })).status).toBe(200)
  failing.specs = true
  expect(await send("GET", `${at}/pages`)).toMatchObject(unavailable)
  failing.specs = false
  expect((await call<{ pages: ReadonlyArray<unknown> }>("GET", `${at}/pages`)).pages.length).toBeGreaterThan(
    0
  )
})
