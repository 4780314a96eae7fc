/** Imports of exports and projects of other documentation tools, through the API. */
import { BackgroundWork, type ImportRun } from "@lectern/core"
import {
  confluenceHtmlExport,
  confluenceXmlExport,
  docusaurusProject,
  mintlifyProject,
  mkdocsProject,
  notionHtmlExport,
  notionMarkdownExport,
  outlineExport,
  type SourceFiles
} from "@lectern/harness/other-sources"
import { Clock, Effect } from "effect"
import { zipSync } from "fflate"
import { describe, expect, it } from "vitest"
import { memory } from "./stores.ts"
import { serveSite, startImportWorkspace, titleTree } from "./support/imports.ts"
import { archiveOf } from "./support/repositories.ts"
import { pixelImage } from "./support/website.ts"

/** Creates an archive, with an image for each file that represents one. */
const zipOf = (files: SourceFiles): Uint8Array =>
  archiveOf(
    Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, text === "image" ? pixelImage(1) : text])
    )
  )

const open = async () => {
  const opened = await startImportWorkspace(await memory.make())
  const { organization, call, server, space } = opened
  const site = await serveSite({})
  const runImport = async (archive: Uint8Array, type = "zip") => {
    site.routes.set("/docs.zip", { type: "application/zip", body: archive })
    const started = await call<ImportRun>("POST", `/org/${organization}/imports`, {
      source: { type, url: `${site.url}/docs.zip` },
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
  const brokenLinks = async () =>
    (await call<{ items: ReadonlyArray<unknown> }>("GET", `/spaces/${space}/links?status=broken`)).items
  return { ...opened, runImport, brokenLinks }
}

const examples: ReadonlyArray<readonly [tool: string, files: SourceFiles, tree: unknown]> = [
  [
    "docusaurus",
    docusaurusProject,
    [
      "Introduction",
      ["Basics", ["Install it", "First", "Second"]],
      ["Short form", ["Reference"]],
      "Website",
      "Orphan"
    ]
  ],
  [
    "mkdocs",
    mkdocsProject,
    ["Home", "Getting started", ["Guides", [["Advanced", ["Deep"]]]], "Website", "Unlisted"]
  ],
  [
    "mintlify",
    mintlifyProject,
    [
      [
        "Guides",
        [
          ["Start", ["Introduction", "Quick", ["Nested", ["Nested page"]]]],
          ["API", ["List pets"]]
        ]
      ],
      "Community",
      "Hidden"
    ]
  ],
  ["notion", notionMarkdownExport, [['Handbook: "all" of it', [["Tasks", ["Write, it"]], "Second"]]]],
  ["notion", notionHtmlExport, [["Handbook & rules", ["Second"]]]],
  [
    "outline",
    outlineExport,
    [
      ["Engineering", [["Getting started", ["Deploy it"]]]],
      ["People", ["Holidays"]]
    ]
  ],
  ["confluence", confluenceHtmlExport, ["Acme Home", ["Setup", ["第一"]], "Notes"]],
  ["confluence", confluenceXmlExport, ["Home", "Set up / install?", "Second"]]
]

describe("an import of another tool", () => {
  it.each(examples)(
    "imports the tree, the links and the files of an archive of %s",
    async (tool, files, tree) => {
      const { runImport, pages, brokenLinks, call, space } = await open()
      const run = await runImport(zipOf(files))
      expect(run).toMatchObject({ status: "completed" })
      expect(titleTree(await pages())).toEqual(tree)
      expect(await brokenLinks()).toEqual([])
      // The request can state the tool. A repeated import changes nothing.
      const again = await runImport(zipOf(files), tool)
      expect(again).toMatchObject({ status: "completed", source: { type: tool } })
      expect(await call("GET", `/spaces/${space}/revisions/${again.revision}/changes`)).toEqual({
        changes: []
      })
    }
  )

  it("opens the parts that Notion divides an export into, and reports the losses", async () => {
    const { runImport, pages } = await open()
    const entries = Object.entries(notionMarkdownExport)
    const parts = [entries.slice(0, 2), entries.slice(2)].map((part) => zipOf(Object.fromEntries(part)))
    const run = await runImport(zipSync({ "Export-Part-1.zip": parts[0]!, "Export-Part-2.zip": parts[1]! }))
    expect(run).toMatchObject({ status: "completed" })
    expect(titleTree(await pages())).toEqual(examples[3]![2])
    expect(run.skipped.map(({ reason }) => reason)).toContain(
      "Views, formulas and relations of the database are not imported: the page has a table of its rows."
    )
  })

  it("rejects an export whose XML is not valid", async () => {
    const { runImport } = await open()
    const run = await runImport(zipOf({ ...confluenceXmlExport, "entities.xml": "<a><b></a>" }))
    expect(run).toMatchObject({
      status: "failed",
      error: "url points to an export whose entities.xml is not valid XML."
    })
  })
})

/** Returns a page as LaTeX2HTML writes it, without relations in its head. */
const latexPage = (
  title: string,
  links: Readonly<Record<string, string>>,
  children: ReadonlyArray<readonly [url: string, title: string]> = []
) => `<html><head><title>${title}</title></head><body>
<!--Navigation Panel-->${Object.entries(links)
  .map(
    ([label, url]) =>
      `<a name="tex2html1" href="${url}"><img width="37" alt="${label.toLowerCase()}" src="${label}.png"></a>`
  )
  .join("\n")}<br>
${Object.entries(links)
  .map(([label, url]) => `<b> ${label}:</b> <a name="tex2html2" href="${url}">${url}</a>`)
  .join("\n")}
<!--End of Navigation Panel-->
<h1>${title}</h1><p>The text of ${title}, which is long enough to be the content of the page.</p>
${
  children.length === 0
    ? ""
    : `<!--Table of Child-Links--><a name="CHILD_LINKS"><strong>Subsections</strong></a>
<ul>${children.map(([url, name]) => `<li><a name="tex2html3" href="${url}">${name}</a>`).join("\n")}</ul><!--End of Table of Child-Links-->`
}
<address>Ada</address></body></html>`

it("imports the tree of a website that LaTeX2HTML has built", async () => {
  const { importContent, pages } = await startImportWorkspace(await memory.make())
  const page = (body: string) => ({ type: "text/html", body })
  const site = await serveSite({
    "/doc/index.html": page(
      latexPage("Manual", { Next: "node1.html" }, [
        ["node1.html", "Plotting"],
        ["node4.html", "Commands"]
      ])
    ),
    "/doc/node1.html": page(
      latexPage("Plotting", { Next: "node3.html", Up: "index.html", Previous: "index.html" }, [
        ["node3.html", "Lines"],
        ["node2.html", "Points"]
      ])
    ),
    "/doc/node3.html": page(
      latexPage("Lines", { Next: "node2.html", Up: "node1.html", Previous: "node1.html" })
    ),
    "/doc/node2.html": page(
      latexPage("Points", { Next: "node4.html", Up: "node1.html", Previous: "node3.html" })
    ),
    "/doc/node4.html": page(
      latexPage("Commands", { Next: "node5.html", Up: "index.html", Previous: "node1.html" })
    ),
    "/doc/node5.html": page(latexPage("Plot", { Up: "node4.html", Previous: "node4.html" }))
  })
  const response = await importContent({ url: `${site.url}/doc/index.html`, source: "website" })
  expect(response.status).toBe(201)
  expect(titleTree(await pages())).toEqual([
    "Manual",
    ["Plotting", ["Lines", "Points"]],
    ["Commands", ["Plot"]]
  ])
})
