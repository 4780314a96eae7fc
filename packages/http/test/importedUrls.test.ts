/** The URLs of imported pages, and the report of those that differ from the source. */
import { BackgroundWork, type ImportRun } from "@lectern/core"
import { Clock, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { memory } from "./stores.ts"
import { type Page, startImportWorkspace } from "./support/imports.ts"
import { archiveOf, comparable, type Files, repositoriesOf } from "./support/repositories.ts"

const files: Files = {
  "SUMMARY.md":
    "# Table of contents\n\n## 🧩 Integrations\n\n* [Start](README.md)\n  * [Setup](setup.md)\n* [Update](update-from-v0.12.md)\n\n## Tips & Tricks\n\n* [Studio](elsa-server-+-studio.md)\n* [File](guide.md.md)\n* [Map](sitemap.xml.md)\n* [Chinese](第一.md)\n\n## 外部專案\n\n* [Last](last.md)\n",
  "README.md": "# Start\n\n[Map](sitemap.xml.md)\n",
  "setup.md": "# Setup\n",
  "update-from-v0.12.md": "# Update\n",
  "elsa-server-+-studio.md": "# Studio\n",
  "guide.md.md": "# File\n",
  "sitemap.xml.md": "# Map\n",
  "第一.md": "# Chinese\n",
  "last.md": "# Last\n"
}

const pathsIn = (pages: ReadonlyArray<Page>): ReadonlyArray<string> =>
  pages.flatMap((page) => [page.path, ...pathsIn(page.pages ?? [])])

const open = async () => {
  const opened = await startImportWorkspace(await memory.make())
  const repositories = await repositoriesOf(opened)
  const { organization, call, server, space } = opened
  const { site } = repositories
  const runImport = async (imported: Files) => {
    site.routes.set("/docs.zip", { type: "application/zip", body: archiveOf(imported) })
    const started = await call<ImportRun>("POST", `/org/${organization}/imports`, {
      source: { type: "zip", url: `${site.url}/docs.zip` },
      target: { space }
    })
    await server.core.runtime.runPromise(
      Effect.provideService(
        Effect.flatMap(BackgroundWork, (background) => background.drain),
        Clock.Clock,
        server.core.clock
      )
    )
    return call<ImportRun>("GET", `/org/${organization}/imports/${started.id}`)
  }
  return { ...opened, ...repositories, runImport }
}

describe("an import of a repository", () => {
  it("keeps the paths of the source, and reports the pages whose path differs", async () => {
    const { runImport, pages, page, exportFiles, space, call } = await open()
    const run = await runImport(files)
    expect(run).toMatchObject({ status: "completed" })
    expect(pathsIn(await pages())).toEqual([
      "integrations",
      "integrations/readme",
      "integrations/readme/setup",
      "integrations/update-from-v0.12",
      "tips-and-tricks",
      "tips-and-tricks/elsa-server-+-studio",
      "tips-and-tricks/guide.md-1",
      "tips-and-tricks/sitemap.xml-1",
      "tips-and-tricks/第一",
      "wai-bu-zhuan-an",
      "wai-bu-zhuan-an/last"
    ])
    expect(run.skipped.map(({ kind, resource }) => [kind, resource])).toEqual([
      ["entry", "guide.md.md"],
      ["entry", "sitemap.xml.md"]
    ])
    expect(run.skipped[0]?.reason).toBe(
      "The URL of the page ends with /tips-and-tricks/guide.md-1; in the source, it ends with /tips-and-tricks/guide.md."
    )
    // The path of the source leads to the page.
    expect(await page("tips-and-tricks/sitemap.xml")).toMatchObject({ title: "Map" })
    expect(await page("tips-and-tricks/guide.md")).toMatchObject({ title: "File" })
    expect(comparable(await exportFiles(`/spaces/${space}/content`))).toEqual(comparable(files))
    const again = await runImport(files)
    const changes = await call("GET", `/spaces/${space}/revisions/${again.revision}/changes`)
    expect(changes).toEqual({ changes: [] })
  })

  it("reports the pages that siblings and earlier changes move", async () => {
    const { runImport, call, space, pages } = await open()
    await call("POST", `/spaces/${space}/content`, {
      changes: [{ operation: "insert_page", title: "Other", slug: "integrations" }]
    })
    const first = await runImport(files)
    expect(first.skipped.map(({ resource }) => resource)).toEqual([
      "🧩 Integrations",
      "README.md",
      "setup.md",
      "update-from-v0.12.md",
      "guide.md.md",
      "sitemap.xml.md"
    ])
    expect(pathsIn(await pages())).toContain("integrations-1/readme/setup")
    expect(first.skipped[2]?.reason).toContain("/integrations-1/readme/setup; in the source")
  })

  it("leaves the slugs that earlier versions derived, and exports their repository unchanged", async () => {
    const { runImport, call, space, pages, exportFiles } = await open()
    await runImport(files)
    const flat = (all: ReadonlyArray<Page>): ReadonlyArray<Page> =>
      all.flatMap((one) => [one, ...flat(one.pages ?? [])])
    const idOf = async (title: string) => flat(await pages()).find((one) => one.title === title)!.id
    await call("POST", `/spaces/${space}/content`, {
      changes: [
        { operation: "update_page", page: await idOf("🧩 Integrations"), slug: "-integrations" },
        { operation: "update_page", page: await idOf("Update"), slug: "update-from-v012" }
      ]
    })
    const exported = comparable(await exportFiles(`/spaces/${space}/content`))
    expect(exported).toEqual(comparable(files))
    const again = await runImport({ ...files, "update-from-v0.12.md": "# Update\n\nMore.\n" })
    expect(pathsIn(await pages())).toContain("-integrations/update-from-v012")
    expect(again.skipped.map(({ resource }) => resource)).toContain("update-from-v0.12.md")
  })
})
