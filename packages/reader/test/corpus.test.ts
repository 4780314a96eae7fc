/**
 * Publishes the repositories in the folder that `LECTERN_TEST_CORPUS` names, and walks their links. Without the folder, it
 * publishes a small repository. A link is broken on the site only if the link report of the space has it, too.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { zipOf } from "./support/importRepository.ts"
import { brokenLinks } from "./support/linkChecker.ts"
import { startPageServer } from "./support/scene.ts"

const createRepository = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-corpus-"))
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, "repository", path, ".."), { recursive: true })
    writeFileSync(join(folder, "repository", path), text)
  }
  write(
    "README.md",
    "# Start\n\n[Install](guide/install.md), [a heading](guide/install.md#linux), [missing](missing.md)\n"
  )
  write("guide/README.md", "# Guide\n\n[Back](../README.md)\n\n![](../.gitbook/assets/a.png)\n")
  write("guide/install.md", "# Install\n\n## Linux\n\n[Guide](./)\n\n[Guide](README.md)\n")
  write(
    "SUMMARY.md",
    "# Summary\n\n* [Start](README.md)\n* [Guide](guide/README.md)\n  * [Install](guide/install.md)\n"
  )
  return folder
}

const corpus = process.env.LECTERN_TEST_CORPUS
const folder = corpus ?? createRepository()

it.each(readdirSync(folder))("publishes %s without links that are broken on the site only", async (name) => {
  const bytes = zipOf(join(folder, name))
  const server = await startPageServer({
    fetcher: ({ url }) => Effect.succeed({ url, status: 200, contentType: "application/zip", body: bytes })
  })
  try {
    const as = server.workspace.as(server.user)
    const { organization } = server
    const { id } = await as.spaces.create({ organization, input: { title: "Repository" } })
    await as.imports.import({
      content: { space: id },
      input: { url: "https://example.com/repository.zip", source: "zip" }
    })
    const site = await as.sites.create({ organization, input: { title: "Repository", spaces: [id] } })
    const { urls } = await as.sites.publish({ organization, site: site.id })
    const report = await brokenLinks(urls.published!)
    if (corpus !== undefined) {
      const reasons = Object.entries(Object.groupBy(report.broken, ({ reason }) => reason))
      console.log(
        name,
        report.pages,
        "pages",
        report.links,
        "links",
        reasons.map(([reason, all]) => `${reason}: ${all!.length}`).join(", ")
      )
      for (const one of report.broken.slice(0, 20))
        console.log("  ", one.page.slice(urls.published!.length), one.link, one.reason)
    }
    expect(report.pages).toBeGreaterThan(2)
    // A link of the source whose page does not exist is text on the site, and one whose anchor does not exist is a link to the page.
    expect(report.broken.filter(({ reason }) => reason !== "no such anchor")).toEqual([])
    if (corpus === undefined) expect(report.broken).toEqual([])
  } finally {
    await server.close()
    if (corpus === undefined) rmSync(folder, { recursive: true, force: true })
  }
})
