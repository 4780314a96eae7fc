/**
 * Measures published pages, compared with a static server that sends the same bytes from memory: a page that is cached, and
 * one that is rendered for each request, because the page is edited in between. Only the ratios are comparable between
 * machines. Run with `npm run bench:reader`.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createWorkspace } from "@lectern/core"
import { toWebHandler } from "@lectern/http"
import { makeReader } from "@lectern/reader"
import { sqlite } from "@lectern/storage-sqlite"
import { compareWithStaticServer, median, stopAll } from "./processes.ts"

const seconds = 4
const renderings = 100

const markdown = Array.from(
  { length: 20 },
  (_, index) => `## Section ${index}

A paragraph with **bold** text, \`code\`, a [link](page-${index}.md), and $$x^${index}$$.

* One
* Two

\`\`\`ts
export const value${index}: number = ${index}
\`\`\`

| Name | Value |
| --- | --- |
| a | ${index} |
`
).join("\n")

const folder = mkdtempSync(join(tmpdir(), "lectern-bench-"))
const database = join(folder, "reader.db")
const base = "http://127.0.0.1:4501"
const workspace = createWorkspace({ storage: sqlite(database), publicUrl: base })
try {
  const created = await workspace.administration.bootstrap({
    input: { organization: "Measured", email: "bench@example.com" }
  })
  const { organization, administrator } = created!
  const as = workspace.as(administrator)
  const { id: space } = await as.spaces.create({ organization, input: { title: "Guide" } })
  const insert = (from: number) =>
    as.content.edit({
      content: { space },
      input: {
        changes: Array.from({ length: 50 }, (_, index) => ({
          operation: "insert_page" as const,
          title: `Page ${from + index}`,
          document: { markdown }
        }))
      }
    })
  for (let from = 0; from < 100; from += 50) await insert(from)
  const site = await as.sites.create({ organization, input: { title: "Guide", spaces: [space] } })
  const { urls } = await as.sites.publish({ organization, site: site.id })
  const path = `${urls.published!.slice(base.length)}page-7`

  // Each edit changes the version of all pages, so that the next request renders its page.
  const handler = toWebHandler(workspace, { reader: makeReader })
  const load = async () => {
    const started = performance.now()
    await (await handler(new Request(base + path))).text()
    return performance.now() - started
  }
  const { pages } = await as.content.listPages({ content: { space } })
  await load()
  const uncached: Array<number> = []
  const cached: Array<number> = []
  for (let round = 0; round < renderings; round++) {
    const page = pages[0]!.id
    await as.content.edit({
      content: { space },
      input: { changes: [{ operation: "update_page", page, title: `Title ${round}` }] }
    })
    uncached.push(await load())
    cached.push(await load())
  }
  await workspace.dispose()
  console.log(
    `A page that is rendered: ${median(uncached).toFixed(1)} ms; cached: ${median(cached).toFixed(1)} ms; ratio ${(median(uncached) / median(cached)).toFixed(1)}`
  )
  const { ratio, size } = await compareWithStaticServer(
    `sqlite:${database}`,
    path,
    "none",
    join(folder, "page.html"),
    seconds
  )
  console.log(
    `A cached page (${(size / 1e3).toFixed(0)} kB): ${ratio.toFixed(2)} of the throughput of a static server`
  )
} finally {
  stopAll()
  rmSync(folder, { recursive: true, force: true })
}
