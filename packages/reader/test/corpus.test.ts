/**
 * Publishes the repositories in the folder that `LECTERN_TEST_CORPUS` names, and walks their links. Without the folder, it
 * publishes a small repository. Prints a row for each: pages, links, changed URLs, dead links, dead anchors, dead anchors whose heading
 * the source has, dead anchors that the broken links of the space lack, API blocks without their operation, and specs in the report of
 * the import.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { zipOf } from "./support/importRepository.ts"
import { migrationReport } from "./support/migrationReport.ts"
import { startPageServer } from "./support/scene.ts"

const createRepository = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-corpus-"))
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, "repository", path, ".."), { recursive: true })
    writeFileSync(join(folder, "repository", path), text)
  }
  write(
    "README.md",
    "# Start\n\n[Install](guide/install.md), [a heading](guide/install.md#linux), [another](guide/install.md#extended_Error.reporting), [missing](missing.md)\n"
  )
  write("guide/README.md", "# Guide\n\n[Back](../README.md)\n\n![](../.gitbook/assets/a.png)\n")
  write(
    "guide/install.md",
    "# Install\n\n## Linux\n\n## Extended error reporting\n\n[Guide](./)\n\n[Guide](README.md)\n"
  )
  write(
    "SUMMARY.md",
    "# Summary\n\n* [Start](README.md)\n* [Guide](guide/README.md)\n  * [Install](guide/install.md)\n"
  )
  return folder
}

const corpus = process.env.LECTERN_TEST_CORPUS
const folder = corpus ?? createRepository()

it.each(readdirSync(folder))(
  "publishes %s without losing URLs, anchors or API blocks silently",
  async (name) => {
    const bytes = zipOf(join(folder, name))
    const server = await startPageServer({
      fetcher: ({ url }) => Effect.succeed({ url, status: 200, contentType: "application/zip", body: bytes })
    })
    try {
      const report = await migrationReport(server, "https://example.com/repository.zip")
      const { pages, links, changedUrls, deadLinks, deadAnchors, missingApis, reportedApis } = report
      const existing = deadAnchors.filter(({ heading }) => heading !== undefined)
      const silent = deadAnchors.filter(({ isReported }) => !isReported)
      if (corpus !== undefined) {
        console.log(
          `| ${[name, pages, links, changedUrls.length, deadLinks.length, deadAnchors.length, existing.length, silent.length, missingApis, reportedApis.length].join(" | ")} |`
        )
        for (const line of [...changedUrls, ...reportedApis].slice(0, 20)) console.log("  ", line)
        for (const one of deadAnchors)
          console.log(
            "  ",
            decodeURIComponent(one.page),
            one.link,
            one.heading ?? "(absent)",
            one.isReported ? "" : "(not reported)"
          )
      }
      expect(pages).toBeGreaterThan(2)
      // A link of the source whose page does not exist is text on the site.
      expect(deadLinks).toEqual([])
      // An anchor whose heading the source does not have is dead there, too.
      expect(existing).toEqual([])
      expect(silent).toEqual([])
      expect(missingApis === 0 || reportedApis.length > 0).toBe(true)
      if (corpus === undefined) expect([deadAnchors, changedUrls]).toEqual([[], []])
    } finally {
      await server.close()
      if (corpus === undefined) rmSync(folder, { recursive: true, force: true })
    }
  }
)
