/**
 * Measures the import of a website of 500 pages, each with 40 KB, about 450 elements and an image, served from another
 * thread: pages per second, the heap after repeated imports, and the delay of the event loop. Run with
 * `npm run bench:imports`.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { isMainThread, parentPort, Worker } from "node:worker_threads"
import { importReader } from "@lectern/converters"
import {
  Administration,
  CurrentUser,
  Fetcher,
  ImportReader,
  Imports,
  Spaces,
  UserId,
  Workspace
} from "@lectern/core"
import { nodeFetcher } from "@lectern/http"
import { SqliteStorage } from "@lectern/storage-sqlite"
import { Effect, Layer, ManagedRuntime } from "effect"
import { median } from "./processes.ts"

const pages = 500
const rounds = 8
const megabyte = 1024 * 1024

const words =
  "A sentence of about twenty words, which has the length of a sentence in documentation and is repeated in each page. "

/** Returns a page in the style of documentation generators: navigation, text, code, tables, lists, links and an image. */
const pageOf = (index: number): string => {
  const link = (to: number) => `<a href="/docs/page-${to % pages}">Page ${to % pages}</a>`
  const navigation = Array.from({ length: 60 }, (_, i) => `<li class="item">${link(index + i)}</li>`).join("")
  const paragraph = (number: number) =>
    `<p>${words.repeat(3)}See <code>code-${number}</code> and ${link(index * 7 + number)}, or <em>not</em>. ${words.repeat(2)}</p>`
  const section = (number: number) =>
    `<h2 id="s${number}">Section ${number} of ${index}</h2>${Array.from({ length: 4 }, (_, i) => paragraph(number + i)).join("\n")}
    <div class="highlight-python"><pre>${`<span class="k">def</span> <span class="nf">f</span>(x):\n    <span class="k">return</span> ${number}\n`.repeat(3)}</pre></div>
    <table><thead><tr><th>Name</th><th>Value</th></tr></thead><tbody>${"<tr><td>one</td><td>two</td></tr>".repeat(5)}</tbody></table>
    <ul>${"<li>An item with some words</li>".repeat(5)}</ul>`
  return `<!doctype html><html><head><title>Page ${index} | Docs</title></head><body><nav class="sidebar"><ul>${navigation}</ul></nav>
  <main><article><h1>Page ${index}</h1><img src="/img/${index}.png" alt="Image">${Array.from({ length: 10 }, (_, i) => section(i)).join("\n")}</article></main></body></html>`
}

const serveWebsite = (): void => {
  const image = Buffer.alloc(10_000, 1)
  const htmlPages = Array.from({ length: pages }, (_, index) => pageOf(index))
  createServer(({ url = "" }, response) => {
    const page = /^\/docs\/(?:page-(\d+))?$/.exec(url)
    const picture = /^\/img\/(\d+)\.png$/.exec(url)
    if (page !== null)
      response.writeHead(200, { "content-type": "text/html" }).end(htmlPages[Number(page[1] ?? 0)])
    else if (picture !== null) {
      response.writeHead(200, { "content-type": "image/png" })
      response.end(Buffer.concat([image, Buffer.from(picture[1]!)]))
    } else response.writeHead(404).end()
  }).listen(0, "127.0.0.1", function (this: { address: () => unknown }) {
    parentPort!.postMessage((this.address() as AddressInfo).port)
  })
}

const measure = async (): Promise<void> => {
  setFlagsFromString("--expose-gc")
  const collectGarbage = runInNewContext("gc") as () => void
  const website = new Worker(new URL(import.meta.url))
  const port = await new Promise<number>((resolve) => website.once("message", resolve))
  const url = `http://127.0.0.1:${port}/docs/`
  const folder = mkdtempSync(join(tmpdir(), "lectern-bench-"))
  const runtime = ManagedRuntime.make(
    Workspace.layer.pipe(
      Layer.provide(SqliteStorage.layer({ filename: join(folder, "imports.db") })),
      Layer.provide([
        Layer.succeed(Fetcher, nodeFetcher({ allow: ["127.0.0.1"] })),
        Layer.succeed(ImportReader, importReader())
      ])
    )
  )
  const { user, organization } = await runtime.runPromise(
    Effect.gen(function* () {
      const administration = yield* Administration
      const user = UserId.make(yield* administration.createUser({ input: { email: "bench@example.com" } }))
      return {
        user,
        organization: yield* administration.createOrganization({
          administrator: user,
          input: { title: "Measured" }
        })
      }
    })
  )
  const before = process.cpuUsage()
  const seconds: Array<number> = []
  const heapMb: Array<number> = []
  const delays: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const delay = monitorEventLoopDelay({ resolution: 1 })
    delay.enable()
    const started = performance.now()
    const imported = await runtime.runPromise(
      Effect.gen(function* () {
        const { id } = yield* (yield* Spaces).create({ organization, input: {} })
        return yield* (yield* Imports).import({
          content: { space: id },
          input: { url, source: "website" }
        })
      }).pipe(CurrentUser.provide(user))
    )
    seconds.push((performance.now() - started) / 1000)
    delay.disable()
    delays.push(delay.max / 1e6)
    if (imported.importedResources < pages * 2 - 2)
      throw new Error(
        `The import created ${imported.importedResources} resources; expected at least ${pages * 2 - 2}.`
      )
    collectGarbage()
    heapMb.push(process.memoryUsage().heapUsed / megabyte)
  }
  console.log(
    `A website of ${pages} pages: ${(pages / median(seconds)).toFixed(0)} pages per second (first import: ${(pages / seconds[0]!).toFixed(0)}); at least 40`
  )
  console.log(
    `Heap after each import: ${heapMb.map((size) => size.toFixed(0)).join(", ")} MB, including content caches of up to 96 MB`
  )
  const { user: used, system } = process.cpuUsage(before)
  console.log(
    `CPU time per page: ${((used + system) / 1000 / pages / rounds).toFixed(0)} ms, including the website's server`
  )
  console.log(`Maximum event loop delay: ${median(delays).toFixed(0)} ms (median of the imports)`)
  await runtime.dispose()
  await website.terminate()
  rmSync(folder, { recursive: true, force: true })
}

if (isMainThread) await measure()
else serveWebsite()
