/** The URLs of imported pages, and the report of the URLs that differ from the source. */
import { BackgroundWork, type ImportRun } from "@lectern/core"
import { Clock, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { memory } from "./stores.ts"
import { type Page, startImportWorkspace } from "./support/imports.ts"
import { archiveOf, comparable, type Files, repositoriesOf } from "./support/repositories.ts"
import { pixelImage } from "./support/website.ts"

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
    // The path of the source resolves to the page.
    expect(await page("tips-and-tricks/sitemap.xml")).toMatchObject({ title: "Map" })
    expect(await page("tips-and-tricks/guide.md")).toMatchObject({ title: "File" })
    expect(comparable(await exportFiles(`/spaces/${space}/content`))).toEqual(comparable(files))
    const again = await runImport(files)
    const changes = await call("GET", `/spaces/${space}/revisions/${again.revision}/changes`)
    expect(changes).toEqual({ changes: [] })
  })

  it("finds the targets of links whose names are in another normal form of Unicode", async () => {
    const { importFiles, page, pages, call, space, exportFiles } = await open()
    const decomposed = {
      "SUMMARY.md": "* [Start](README.md)\n* [Café](café/ñandú.md)\n",
      "README.md":
        "# Start\n\n[Café](café/ñandú.md#é) and [again](café/ñandú)\n\n![Image](.gitbook/assets/é.png)\n",
      ["café/ñandú.md".normalize("NFD")]: "# Café\n\n## É\n",
      [".gitbook/assets/é.png".normalize("NFD")]: pixelImage(1)
    }
    const result = await importFiles(decomposed)
    expect(result).toMatchObject({ importedResources: 3, totalResources: 3 })
    expect(pathsIn(await pages())).toEqual(["start", "ñandú"])
    const { id } = await page("ñandú")
    const { markdown } = await page("start")
    expect(markdown).toMatch(new RegExp(`\\[Café\\]\\(/pages/${id}#.+\\) and \\[again\\]\\(/pages/${id}\\)`))
    expect(markdown).toMatch(/!\[Image\]\(\/files\/\w+\)/)
    const { items } = await call<{ items: ReadonlyArray<unknown> }>(
      "GET",
      `/spaces/${space}/links?status=broken`
    )
    expect(items).toEqual([])
    expect(comparable(await exportFiles(`/spaces/${space}/content`))).toEqual(comparable(decomposed))
  })

  it("reports the OpenAPI specifications that its pages need", async () => {
    const { runImport, call, organization } = await open()
    const block = (spec: string) =>
      `{% openapi-operation spec="${spec}" path="/pets" method="get" %}\n[OpenAPI ${spec}](https://example.com/a.yaml)\n{% endopenapi-operation %}\n`
    const openapi = { openapi: "3.1.0", info: { title: "T", version: "1" }, paths: {} }
    await call("POST", `/orgs/${organization}/openapi`, {
      slug: "known",
      source: { text: JSON.stringify(openapi) }
    })
    const run = await runImport({
      "README.md": `# Start\n\n${block("unknown")}\n${block("known")}`,
      "second.md": `# Second\n\n${block("unknown")}\n${block("other")}`
    })
    expect(
      run.skipped.map(({ kind, resource, reason }) => [
        kind,
        resource,
        /specification (\S+),/.exec(reason)?.[1]
      ])
    ).toEqual([
      ["entry", "README.md", "unknown"],
      ["entry", "second.md", "other"]
    ])
  })

  it("reads specifications in files of the repository, and reports the others that its pages display", async () => {
    const { runImport, call, organization, pages, exportFiles, space } = await open()
    const block = (src: string) =>
      `{% swagger src="${src}" path="/pets" method="get" %}\n[${src}](${src})\n{% endswagger %}\n`
    const known = "https://example.com/known.yaml"
    await call("POST", `/orgs/${organization}/openapi`, { slug: "known", source: { url: known } })
    const repository = {
      "README.md": `# Start\n\n${block("api/openapi.yaml")}\n${block(known)}\n${block("https://example.com/unknown.yaml")}\n${block("api/missing.yaml")}`,
      "api/openapi.yaml":
        'openapi: "3.1.0"\ninfo: { title: T, version: "1" }\npaths:\n  /pets:\n    $ref: paths/pets.yaml\n',
      "api/paths/pets.yaml": "get:\n  summary: List pets\n  responses: { 200: { $ref: '../ok.json' } }\n",
      "api/ok.json": '{ "description": "The pets" }',
      "api/unused.yaml": "a: 1\n"
    }
    const run = await runImport(repository)
    expect(run.skipped.map(({ reason }) => /document (\S+),/.exec(reason)?.[1])).toEqual([
      "https://example.com/unknown.yaml",
      "/api/missing.yaml"
    ])
    const { items } = await call<{ items: ReadonlyArray<{ name: string }> }>(
      "GET",
      `/spaces/${space}/content/files`
    )
    expect(items.map(({ name }) => name).sort()).toEqual(["ok.json", "openapi.yaml", "pets.yaml"])
    expect((await pages()).length).toBe(1)
    const { "api/unused.yaml": _, ...exported } = repository
    expect(comparable(await exportFiles(`/spaces/${space}/content`))).toEqual(comparable(exported))
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
