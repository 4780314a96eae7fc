/** Imports in the background: their progress, their reports, and how they resume. */

import { BackgroundWork, ImportLimits, type ImportRun } from "@lectern/core"
import { isFastRun } from "@lectern/harness"
import { Clock, Effect, Fiber, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { memory, ruleStores } from "./stores.ts"
import { serveSite, startImportWorkspace, titleTree } from "./support/imports.ts"
import { archiveOf } from "./support/repositories.ts"
import { until } from "./support/until.ts"

type Opened = Awaited<ReturnType<typeof startImportWorkspace>>

/** Creates the functions that start, read and perform import runs. */
const runsOf = ({ server, call, organization, space }: Opened) => {
  const path = `/org/${organization}/imports`
  const drain = Effect.provideService(
    Effect.flatMap(BackgroundWork, (work) => work.drain),
    Clock.Clock,
    server.core.clock
  )
  return {
    start: (type: string, url: string) =>
      call<ImportRun>("POST", path, { source: { type, url }, target: { space } }),
    get: (id: string) => call<ImportRun>("GET", `${path}/${id}`),
    cancel: (id: string) => call<ImportRun>("POST", `${path}/${id}/cancel`),
    work: () => server.core.runtime.runPromise(drain),
    /** Starts a worker. Interrupting it releases its job, as when a process stops. */
    startWorker: () => server.core.runtime.runFork(drain)
  }
}

const page = (title: string) =>
  `<html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>Text.</p></main></body></html>`

const repository = (pages: number) =>
  Object.fromEntries([
    ["README.md", "# Start\n"],
    ...Array.from({ length: pages }, (_, index) => [
      `p${index}.md`,
      `# Page ${index}\n\nText ${index}, [next](p${(index + 1) % pages}.md).\n`
    ])
  ]) as Record<string, string>

describe("an import run", () => {
  for (const { name, make } of ruleStores) {
    it(`creates one revision, with a report of the omitted resources, on ${name}`, async () => {
      const opened = await startImportWorkspace(await make())
      const { start, get, work } = runsOf(opened)
      const files = {
        ...repository(3),
        "SUMMARY.md":
          "* [Start](README.md)\n* [Missing](none.md)\n* [Page 0](p0.md)\n* [Page 1](p1.md)\n* [Page 2](p2.md)\n",
        "large.md": "x".repeat(6 * 1024 * 1024),
        ".gitbook/assets/empty.png": ""
      }
      const site = await serveSite({ "/docs.zip": { type: "application/zip", body: archiveOf(files) } })
      const started = await start("zip", `${site.url}/docs.zip`)
      expect(started).toMatchObject({ status: "pending", pages: [], importedResources: 0 })
      expect(await opened.pages()).toEqual([])
      await work()
      const run = await get(started.id)
      expect(run).toMatchObject({
        status: "completed",
        importedResources: 4,
        totalResources: 6,
        skippedResources: 3,
        skipped: [
          { kind: "page", resource: "large.md", reason: "The page is larger than 5 MiB." },
          {
            kind: "entry",
            resource: "none.md",
            reason: "The table of contents links to a file that does not exist."
          },
          { kind: "file", resource: ".gitbook/assets/empty.png", reason: "The file is empty." }
        ]
      })
      expect(run.pages.map(({ sourceURL }) => sourceURL)).toEqual(["README.md", "p0.md", "p1.md", "p2.md"])
      expect((await opened.currentRevision()).id).toBe(run.revision)
      expect(titleTree(await opened.pages())).toEqual(["Start", "Page 0", "Page 1", "Page 2"])
    })
  }

  it("reports every page beyond a limit of a website", async () => {
    const opened = await startImportWorkspace(await memory.make())
    const { start, get, work } = runsOf(opened)
    const site = await serveSite({
      "/": `<html><body><main><a href="/a">A</a> <a href="/b">B</a></main></body></html>`,
      "/a": page("A")
    })
    const { id } = await start("website", site.url)
    await work()
    expect(await get(id)).toMatchObject({
      status: "completed",
      importedResources: 2,
      totalResources: 3,
      skipped: [{ kind: "page", resource: `${site.url}/b`, reason: "The server responded with status 404." }]
    })
  })

  it("has the limits of the host, and reports what exceeds them", async () => {
    const limits = { archivePages: 3, archiveBytes: 1_000_000, websitePages: 2 }
    const opened = await startImportWorkspace(
      await memory.make(),
      undefined,
      undefined,
      Layer.succeed(ImportLimits, limits)
    )
    const { start, get, work } = runsOf(opened)
    const site = await serveSite({
      "/": `<html><body><main><a href="/a">A</a> <a href="/b">B</a></main></body></html>`,
      "/a": page("A"),
      "/b": page("B"),
      "/three.zip": { type: "application/zip", body: archiveOf(repository(2)) },
      "/four.zip": { type: "application/zip", body: archiveOf(repository(3)) },
      "/large.zip": { type: "application/zip", body: new Uint8Array(1_000_001) }
    })
    const runOf = async (source: "website" | "zip", path: string) => {
      const { id } = await start(source, site.url + path)
      await work()
      return get(id)
    }
    expect(await runOf("website", "")).toMatchObject({
      importedResources: 2,
      skipped: [
        {
          kind: "page",
          resource: `${site.url}/b`,
          reason: "The website has more than 2 pages. One imported page links to it."
        }
      ]
    })
    expect(await runOf("zip", "/three.zip")).toMatchObject({ status: "completed", importedResources: 3 })
    expect(await runOf("zip", "/four.zip")).toMatchObject({
      status: "failed",
      error: "url points to an archive of more than 3 pages."
    })
    expect(await runOf("zip", "/large.zip")).toMatchObject({
      status: "failed",
      error: "The response is larger than 1000000 bytes."
    })
  })

  it.skipIf(isFastRun)(
    "reports the pages of a website beyond the limit, with the number of pages that link to them",
    async () => {
      const opened = await startImportWorkspace(await memory.make())
      const { start, get, work } = runsOf(opened)
      const links = (count: number) =>
        Array.from({ length: count }, (_, index) => `<a href="/p${index}">${index}</a>`).join(" ")
      const site = await serveSite(
        Object.fromEntries([
          ["/", `<main><h1>Start</h1><p>Text. ${links(502)}</p></main>`],
          ...Array.from({ length: 499 }, (_, index) => [`/p${index}`, page(`Page ${index}`)]),
          ["/p7", '<main><h1>Seven</h1><p>To <a href="/p500#x">a page</a>.</p></main>']
        ])
      )
      const started = await start("website", `${site.url}/`)
      await work()
      const reason = "The website has more than 500 pages."
      expect(await get(started.id)).toMatchObject({
        status: "completed",
        importedResources: 500,
        totalResources: 503,
        skipped: [
          { kind: "page", resource: `${site.url}/p499`, reason: `${reason} One imported page links to it.` },
          { kind: "page", resource: `${site.url}/p500`, reason: `${reason} 2 imported pages link to it.` },
          { kind: "page", resource: `${site.url}/p501`, reason: `${reason} One imported page links to it.` }
        ]
      })
    }
  )

  it("fails with the reason, and changes nothing", async () => {
    const opened = await startImportWorkspace(await memory.make())
    const { start, get, work } = runsOf(opened)
    const site = await serveSite({ "/docs.zip": { type: "application/zip", body: "nothing" } })
    const before = await opened.currentRevision()
    const { id } = await start("zip", `${site.url}/docs.zip`)
    await work()
    expect(await get(id)).toMatchObject({
      status: "failed",
      error: "url points to a file that is not a zip archive or a tarball."
    })
    expect((await opened.currentRevision()).id).toBe(before.id)
  })

  it("is cancelled before it writes anything", async () => {
    const opened = await startImportWorkspace(await memory.make())
    const { start, get, cancel, work } = runsOf(opened)
    let isRequested = false
    let respond = () => {}
    const responding = new Promise<void>((resolve) => {
      respond = resolve
    })
    const site = await serveSite({
      "/docs.zip": (_, response) => {
        isRequested = true
        void responding.then(() =>
          response.writeHead(200, { "content-type": "application/zip" }).end(archiveOf(repository(2)))
        )
      }
    })
    const { id } = await start("zip", `${site.url}/docs.zip`)
    const working = work()
    await until("the worker fetches the archive", () => isRequested)
    expect(await get(id)).toMatchObject({ status: "in-progress" })
    expect(await cancel(id)).toMatchObject({ status: "cancelled" })
    respond()
    await working
    expect(await get(id)).toMatchObject({ status: "cancelled" })
    expect(await opened.pages()).toEqual([])
    expect(await cancel(id)).toMatchObject({ status: "cancelled" })
  })

  it.skipIf(isFastRun)(
    "resumes when its worker stops, without another fetch, and has each page once",
    async () => {
      const opened = await startImportWorkspace(await memory.make())
      const { start, get, work, startWorker } = runsOf(opened)
      const site = await serveSite({
        "/docs.zip": { type: "application/zip", body: archiveOf(repository(400)) }
      })
      const { id } = await start("zip", `${site.url}/docs.zip`)
      const worker = startWorker()
      await until("100 pages are planned", async () => (await get(id)).importedResources >= 100)
      await Effect.runPromise(Fiber.interrupt(worker))
      expect(await get(id)).toMatchObject({ status: "in-progress", totalResources: 401 })
      expect(await opened.pages()).toEqual([])
      await work()
      expect(await get(id)).toMatchObject({ status: "completed", importedResources: 401 })
      expect(site.requestedPaths).toEqual(["/docs.zip"])
      const titles = (await opened.pages()).map(({ title }) => title)
      expect(titles.length).toBe(401)
      expect(new Set(titles).size).toBe(401)
      const [first] = (await opened.pages()).filter(({ title }) => title === "Page 0")
      const [next] = (await opened.pages()).filter(({ title }) => title === "Page 1")
      expect((await opened.page(first!.path)).markdown).toBe(`Text 0, [next](/pages/${next!.id}).\n`)
    }
  )
})

describe("a request that waits for an import", () => {
  it("returns 504 with the run when it takes too long, and joins the run when it is repeated", async () => {
    const opened = await startImportWorkspace(await memory.make(), undefined, 500)
    const { get, work } = runsOf(opened)
    let delayMs = 2000
    const site = await serveSite({
      "/docs.zip": (_, response) =>
        void setTimeout(
          () => response.writeHead(200, { "content-type": "application/zip" }).end(archiveOf(repository(2))),
          delayMs
        )
    })
    const send = () =>
      opened.server.fetch(`/v1/spaces/${opened.space}/content/import`, {
        method: "POST",
        token: opened.token,
        body: JSON.stringify({ url: `${site.url}/docs.zip`, source: "zip" })
      })
    const first = await send()
    const { error } = (await first.json()) as { error: { reason: string; run: string } }
    expect([first.status, error.reason]).toEqual([504, "ImportStillRunning"])
    const location = new URL(first.headers.get("location")!).pathname
    expect(location).toBe(`/v1/org/${opened.organization}/imports/${error.run}`)
    // The same run, which no worker performs yet.
    const second = (await (await send()).json()) as { error: { run: string } }
    expect(second.error.run).toBe(error.run)
    delayMs = 0
    await work()
    const { revision } = await get(error.run)
    const third = await send()
    expect(third.status).toBe(201)
    expect(await third.json()).toMatchObject({ revision, importedResources: 3, totalResources: 3 })
    expect((await opened.currentRevision()).id).toBe(revision)
  })
})
