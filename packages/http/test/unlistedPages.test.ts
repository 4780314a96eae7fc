/** Files of a repository that its table of contents does not list: they are retained, or become hidden pages. */
import { BackgroundWork, type ImportRun } from "@lectern/core"
import { runs } from "@lectern/harness"
import { Clock, Effect } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readPdf } from "../../../testing/pdfReader.ts"
import { memory, ruleStores } from "./stores.ts"
import { findings } from "./support/doctorFindings.ts"
import { git, startGitServer } from "./support/gitServer.ts"
import { type Page, startImportWorkspace } from "./support/imports.ts"
import { archiveOf, comparable, type Files, repositoriesOf } from "./support/repositories.ts"

const files: Files = {
  ".gitbook.yaml": "redirects:\n  former: moved.md\n",
  "SUMMARY.md": "# Table of contents\n\n* [Start](README.md)\n* [A heading](anchored.md#part)\n",
  "README.md": '# Start\n\nSee [draft](drafts/linked.md).\n\n{% include ".gitbook/includes/note.md" %}\n',
  ".gitbook/includes/note.md": "A [note](../../noted.md).\n",
  "anchored.md": "# Anchored\n\n## Part\n",
  "noted.md": "# Noted\n",
  "moved.md": "# Moved\n",
  "drafts/linked.md": "# Linked zebra\n\nSee [more](more.md).\n",
  "drafts/more.md": "---\nhidden: false\n---\n\n# More zebra\n",
  "drafts/secret.md": "# Secret zebra\n\nLinks [the other](other.md), [the start](../README.md).\n",
  "drafts/other.md": "# Other zebra\r\n\r\nWithout a link from a page.",
  "CONTRIBUTING.md": "# Contributing zebra\n"
}
const linked = ["Anchored", "Linked zebra", "More zebra", "Moved", "Noted"]
const retained = ["CONTRIBUTING.md", "drafts/other.md", "drafts/secret.md"]

const flat = (pages: ReadonlyArray<Page>): ReadonlyArray<Page & { hidden?: boolean; noIndex?: boolean }> =>
  pages.flatMap((page) => [page, ...flat(page.pages ?? [])])

const open = async (store = memory) => {
  const opened = await startImportWorkspace(await store.make())
  const repositories = await repositoriesOf(opened)
  const { call, space, server } = opened
  const changesOf = async (revision: string) =>
    (await call<{ changes: ReadonlyArray<unknown> }>("GET", `/spaces/${space}/revisions/${revision}/changes`))
      .changes
  const work = () =>
    server.core.runtime.runPromise(
      Effect.provideService(
        Effect.flatMap(BackgroundWork, (background) => background.drain),
        Clock.Clock,
        server.core.clock
      )
    )
  const visibility = async () =>
    flat(await opened.pages())
      .filter(({ type }) => type === "document")
      .map(({ title, hidden, noIndex }) => [title, hidden === true, noIndex === true])
      .sort()
  const update = async (title: string, change: object) => {
    const { id } = flat(await opened.pages()).find(
      (page) => page.title === title && page.type === "document"
    )!
    await call("POST", `/spaces/${space}/content`, {
      changes: [{ operation: "update_page", page: id, ...change }]
    })
  }
  const exported = async () => comparable(await repositories.exportFiles(`/spaces/${space}/content`))
  return { ...opened, ...repositories, changesOf, work, visibility, update, exported }
}

const asImported = [["Start", false, false], ...linked.map((title) => [title, true, true])].sort()

describe("a repository with a table of contents", () => {
  for (const store of ruleStores) {
    it(`hides linked pages that it lacks, and retains the other files for exports, on ${store.name}`, async () => {
      const { importFiles, visibility, exported, changesOf, page, call, space, server } = await open(store)
      // The other three files count as attempted: 7 pages, an include, and 3 that are retained.
      expect(await importFiles(files)).toMatchObject({ importedResources: 7, totalResources: 10 })
      expect(await visibility()).toEqual(asImported)
      // A link opens a hidden page.
      const start = await page("start")
      expect(start.markdown).toMatch(/\[draft\]\(\/pages\/\w+\)/)
      const { items } = await call<{ items: ReadonlyArray<unknown> }>(
        "GET",
        `/spaces/${space}/search?query=zebra`
      )
      expect(items).toEqual([])
      expect(await exported()).toEqual(comparable(files))
      expect(await changesOf((await importFiles(files)).revision)).toEqual([])
      expect(await server.core.runtime.runPromise(findings)).toEqual([])
    })
  }

  it("reports every file that it does not list", async () => {
    const { organization, space, call, site, work } = await open()
    site.routes.set("/docs.zip", { type: "application/zip", body: archiveOf(files) })
    const started = await call<ImportRun>("POST", `/org/${organization}/imports`, {
      source: { type: "zip", url: `${site.url}/docs.zip` },
      target: { space }
    })
    await work()
    const run = await call<ImportRun>("GET", `/org/${organization}/imports/${started.id}`)
    expect(run).toMatchObject({
      status: "completed",
      importedResources: 7,
      totalResources: 10,
      skippedResources: 8
    })
    const reportedFor = (pattern: RegExp) =>
      run.skipped.flatMap(({ reason, resource }) => (pattern.test(reason) ? [resource] : [])).sort()
    expect(reportedFor(/It is not imported as a page, and exports contain it/)).toEqual(retained)
    expect(reportedFor(/It is imported as a hidden page that is not indexed/)).toEqual([
      "anchored.md",
      "drafts/linked.md",
      "drafts/more.md",
      "moved.md",
      "noted.md"
    ])
  })

  it("has no unlisted page in its PDF", async () => {
    const { importFiles, call, space, server } = await open()
    await importFiles(files)
    const { url } = await call<{ url: string }>("GET", `/spaces/${space}/pdf`)
    const { pathname, search } = new URL(url)
    const response = await server.fetch(pathname + search)
    const pdf = await readPdf(new Uint8Array(await response.arrayBuffer()))
    const text = pdf.pages.map((one) => one.text).join("\n")
    expect(text).toContain("Start")
    expect(text).not.toMatch(/zebra|Noted|Moved/)
  })

  it("keeps the visibility of pages that exist, until the table of contents removes them", async () => {
    const { importFiles, visibility, exported } = await open()
    // Without a table of contents, every file is a page.
    const { "SUMMARY.md": _, ...before } = files
    await importFiles(before)
    const all = await visibility()
    expect(all).toHaveLength(9)
    expect(all.some(([, hidden]) => hidden)).toBe(false)
    await importFiles(files)
    expect(await visibility()).toEqual(all)
    const listing = { ...files, "SUMMARY.md": `${files["SUMMARY.md"]}* [Other](drafts/other.md)\n` }
    await importFiles(listing)
    await importFiles(files)
    expect((await visibility()).filter(([, hidden]) => hidden)).toEqual([["Other zebra", true, true]])
    expect(Object.keys(await exported())).toEqual(Object.keys(comparable(files)))
  })

  it("shows a page that the table of contents lists later, or that a user makes visible", async () => {
    const { importFiles, visibility, update, exported } = await open()
    await importFiles(files)
    await update("Noted", { hidden: false, noIndex: false })
    const after = await exported()
    expect(after["SUMMARY.md"]).toContain("[Noted](noted.md)")
    expect(after["SUMMARY.md"]).not.toMatch(/drafts|CONTRIBUTING|moved/)
    expect({ ...after, "SUMMARY.md": undefined }).toEqual({ ...comparable(files), "SUMMARY.md": undefined })
    const listing = { ...files, "SUMMARY.md": `${files["SUMMARY.md"]}* [Secret](drafts/secret.md)\n` }
    await importFiles(listing)
    const shown = (await visibility()).filter(([, hidden]) => !hidden).map(([title]) => title)
    expect(shown).toEqual(["Noted", "Secret", "Start"])
    // The page that now is visible links to another one.
    expect((await visibility()).map(([title]) => title)).toContain("Other zebra")
  })

  it("is rejected if its table of contents or its configuration cannot be read", async () => {
    const { site, importContent } = await open()
    const large = "x".repeat(6 * 1024 * 1024)
    for (const [path, message] of [
      ["SUMMARY.md", "table of contents is larger than 5 MiB"],
      [".gitbook.yaml", "larger than 1024 KiB"]
    ] as const) {
      site.routes.set("/x.zip", { type: "application/zip", body: archiveOf({ ...files, [path]: large }) })
      const { status, value } = await importContent({ url: `${site.url}/x.zip`, source: "zip" })
      expect([status, value.error?.message]).toEqual([400, expect.stringContaining(message)])
    }
  })

  it("synchronizes with Git without a commit of its own, and byte for byte after an edit", async () => {
    const { call, space, token, server, work, visibility, update } = await open()
    const remote = await startGitServer()
    const first = remote.commit(files)
    const start = async (operation: string) => {
      const response = await server.fetch(`/v1/spaces/${space}/git/${operation}`, {
        method: "POST",
        token,
        body: JSON.stringify({ url: remote.url, ref: "refs/heads/main", commitMessage: "Export" })
      })
      expect(response.status).toBe(204)
      await work()
      return call<{ commit: string; operation: { state: string } }>("GET", `/spaces/${space}/git/info`)
    }
    expect(await start("import")).toMatchObject({ commit: first, operation: { state: "success" } })
    expect(await visibility()).toEqual(asImported)
    expect(await start("export")).toMatchObject({ commit: first, operation: { state: "success" } })
    await update("Start", { document: { markdown: "Changed.\n" } })
    const { commit } = await start("export")
    expect(commit).not.toBe(first)
    expect(git(remote.bare, "diff", "--name-only", first, commit).trim()).toBe("README.md")
    expect(await visibility()).toEqual(asImported)
  })
})

it("an import never publishes a file that the table of contents neither lists nor links", async () => {
  const { importFiles, createSpace, pages, exportFiles } = await open()
  const names = ["a", "b", "c/README", "c/d", "c/e/f", "g"]
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }),
      fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names)), { maxLength: 8 }),
      async (listed, links) => {
        const repository: Files = {
          "SUMMARY.md": `# Contents\n\n${listed.map((name) => `* [${name}](${name}.md)`).join("\n")}\n`,
          ...Object.fromEntries(
            names.map((name) => [
              `${name}.md`,
              `# ${name}\n\n${links
                .filter(([from]) => from === name)
                .map(([, to]) => `[x](/${to}.md)`)
                .join("\n\n")}\n`
            ])
          )
        }
        const reached = new Set(listed)
        for (const name of reached) for (const [from, to] of links) if (from === name) reached.add(to)
        const space = await createSpace()
        await importFiles(repository, space)
        const found = flat(await pages(`/spaces/${space}/content`))
        const visible = found.filter((page) => page.hidden !== true && page.noIndex !== true)
        expect(visible.map(({ title }) => title).sort()).toEqual([...listed].sort())
        expect(found.map(({ title }) => title).sort()).toEqual([...reached].sort())
        expect(comparable(await exportFiles(`/spaces/${space}/content`))).toEqual(comparable(repository))
      }
    ),
    runs(40)
  )
})
