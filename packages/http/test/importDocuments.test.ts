/** Imports of single documents and of archives. */
import { createHash } from "node:crypto"
import { strToU8, type Zippable, zipSync } from "fflate"
import { describe, expect, it } from "vitest"
import { readPdf } from "../../../testing/pdfReader.ts"
import { memory, ruleStores } from "./stores.ts"
import { serveSite, startImportWorkspace, titleTree } from "./support/imports.ts"
import { pixelImage } from "./support/website.ts"

/** A zip archive. Archives of git have the commit as their comment. */
const archive = (files: Record<string, string | Uint8Array>, comment = ""): Uint8Array => {
  const zippable: Zippable = Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === "string" ? strToU8(content) : content
    ])
  )
  const bytes = zipSync(zippable)
  // The comment is at the end of the archive, after its length.
  const withComment = new Uint8Array(bytes.length + comment.length)
  withComment.set(bytes)
  withComment.set(strToU8(comment), bytes.length)
  new DataView(withComment.buffer).setUint16(bytes.length - 2, comment.length, true)
  return withComment
}

const zip = (files: Record<string, string | Uint8Array>, comment?: string) => ({
  type: "application/zip",
  body: archive(files, comment)
})

const commit = "0123456789abcdef0123456789abcdef01234567"

const blobOf = (text: string) =>
  createHash("sha1")
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest("hex")

/** A docx document with headings, a table, a link and an image. */
const docx = (): Uint8Array => {
  const w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
  const relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
  const text = (words: string) => `<w:r><w:t xml:space="preserve">${words}</w:t></w:r>`
  const paragraph = (inner: string, style = "") =>
    `<w:p>${style === "" ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}${inner}</w:p>`
  const cell = (words: string) => `<w:tc>${paragraph(text(words))}</w:tc>`
  const image = `<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="Picture" descr="A dot"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:embed="image1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
  return archive({
    "[Content_Types].xml": `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    "_rels/.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${relationships}/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/_rels/document.xml.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="image1" Type="${relationships}/image" Target="media/image1.png"/><Relationship Id="link1" Type="${relationships}/hyperlink" Target="https://example.com/" TargetMode="External"/></Relationships>`,
    "word/media/image1.png": pixelImage(7),
    "word/styles.xml": `<?xml version="1.0"?><w:styles xmlns:w="${w}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style><w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/></w:style></w:styles>`,
    "word/document.xml": `<?xml version="1.0"?><w:document xmlns:w="${w}" xmlns:r="${relationships}"><w:body>${paragraph(text("Annual report"), "Heading1")}${paragraph(`${text("Words, and ")}<w:r><w:rPr><w:b/></w:rPr><w:t>bold ones</w:t></w:r>${text(", and ")}<w:hyperlink r:id="link1">${text("a link")}</w:hyperlink>`)}${paragraph(text("Numbers"), "Heading2")}<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>${cell("Year")}${cell("Sum")}</w:tr><w:tr>${cell("2026")}${cell("1")}</w:tr></w:tbl>${paragraph(image)}</w:body></w:document>`
  })
}

describe("a Markdown import", () => {
  it("embeds its images in PDFs", async () => {
    const { importContent, call, server, space } = await startImportWorkspace(await memory.make())
    const site = await serveSite({
      "/page.md": { type: "text/markdown", body: "# Title\n\n![Dot](img/dot.png)" },
      "/img/dot.png": { type: "image/png", body: pixelImage(1) }
    })
    expect((await importContent({ url: `${site.url}/page.md`, source: "markdown" })).status).toBe(201)
    const { url } = await call<{ url: string }>("GET", `/spaces/${space}/pdf`)
    const response = await server.fetch(url.replace("http://127.0.0.1:4400", ""))
    const { pages } = await readPdf(new Uint8Array(await response.arrayBuffer()))
    expect(pages.at(-1)).toMatchObject({ text: expect.stringContaining("Title"), pictures: 1 })
  })

  for (const { name, make } of ruleStores) {
    it(`creates a page with its images, and updates it on the next import, on ${name}`, async () => {
      const { importContent, pages, page, files } = await startImportWorkspace(await make())
      const text = `---\ntitle: From the front\nlayout: post\n---\n\n# A heading\n\n![Dot](img/dot.png "dot.png") and <img src="img/dot.png" alt="again">, [next](next.md#x), \`![no](img/dot.png)\`, <https://example.com/>, [there](https://example.com/img/dot.png).\n\n[ref]: other.md\n`
      const site = await serveSite({
        "/docs/page.md": { type: "text/markdown; charset=utf-8", body: text },
        "/docs/img/dot.png": { type: "application/octet-stream", body: pixelImage(1) }
      })
      const body = { url: `${site.url}/docs/page.md`, source: "markdown" }
      const { status, value } = await importContent(body)
      expect([status, value.importedResources, value.totalResources]).toEqual([201, 2, 2])
      const [dot] = await files()
      expect(dot).toMatchObject({ name: "dot.png", contentType: "image/png", size: pixelImage(1).length })
      const [created] = await pages()
      expect(created).toMatchObject({ title: "From the front", slug: "page", path: "page" })
      const { markdown } = await page("page")
      expect(markdown).toBe(
        `# A heading\n\n![Dot](/files/${dot!.id} "dot.png") and ![again](/files/${dot!.id}), [next](${site.url}/docs/next.md#x), \`![no](img/dot.png)\`, <https://example.com/>, [there](https://example.com/img/dot.png).\n\n[ref]: ${site.url}/docs/other.md\n`
      )
      site.routes.set("/docs/page.md", { type: "text/plain", body: "# Anew\n\nAnother text.\n" })
      expect((await importContent(body)).value).toMatchObject({ importedResources: 1, totalResources: 1 })
      expect(await pages()).toMatchObject([{ id: created!.id, title: "Anew", slug: "page" }])
      expect((await page("page")).markdown).toBe("Another text.\n")
    })
  }
})

describe("an HTML import", () => {
  it("creates one page, without the pages that it links to", async () => {
    const { importContent, pages, page } = await startImportWorkspace(await memory.make())
    const site = await serveSite({
      "/docs/a.html":
        '<html><head><title>A | Site</title><meta name="description" content="What A is."></head><body><nav><a href="/b">B</a></nav><main><p>To <a href="b.html">B</a>, <img src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACADs=" alt="inline"></p><aside class="admonition note"><p>Note this.</p></aside></main></body></html>'
    })
    const { value } = await importContent({ url: `${site.url}/docs/a.html`, source: "html" })
    expect(value).toMatchObject({ importedResources: 2, totalResources: 2 })
    expect(await pages()).toMatchObject([{ title: "A", description: "What A is." }])
    expect((await page("a")).markdown).toMatch(
      new RegExp(
        `^To \\[B\\]\\(${site.url}/docs/b\\.html\\), !\\[inline\\]\\(/files/\\w+\\)\\n\\n{% hint style="info" %}\\nNote this\\.\\n{% endhint %}\\n$`
      )
    )
    expect(site.requestedPaths).toEqual(["/docs/a.html"])
  })
})

describe("a docx import", () => {
  it("creates a page with its tables and images", async () => {
    const { importContent, pages, page, files } = await startImportWorkspace(await memory.make())
    const type = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
    const site = await serveSite({ "/report.docx": { type, body: docx() } })
    const { status, value } = await importContent({ url: `${site.url}/report.docx`, source: "docx" })
    expect([status, value.importedResources, value.totalResources]).toEqual([201, 2, 2])
    expect(await pages()).toMatchObject([{ title: "Annual report", path: "report" }])
    const [image] = await files()
    expect(image).toMatchObject({ contentType: "image/png", size: pixelImage(7).length })
    expect((await page("report")).markdown).toBe(
      `Words, and **bold ones**, and [a link](https://example.com/)\n\n## Numbers\n\n| Year | Sum |\n| --- | --- |\n| 2026 | 1 |\n\n![A dot](/files/${image!.id})\n`
    )
  })
})

describe("a zip import", () => {
  for (const { name, make } of ruleStores) {
    it(`creates a page for each Markdown file in the tree of its folders, and the files that they link to, on ${name}`, async () => {
      const { importContent, pages, page, files, call, space } = await startImportWorkspace(await make())
      const intro =
        "# Intro\n\nTo [setup](guide/setup.md#first-steps), [the guide](./guide/), [nothing](none.md), [mail](mailto:a@example.com).\n"
      const contents = {
        "docs-main/README.md": intro,
        "docs-main/guide/index.md": "# Guide\n\n![Dot](../img/dot.png)\n",
        "docs-main/guide/setup.md":
          "# Set up\n\n## First steps\n\n[Up](../README.md), [beside](use.md), [sheet](/assets/a%20b.csv).\n",
        "docs-main/guide/use.md": "Without a heading: [deep](deep/er/page.md).\n",
        "docs-main/guide/deep/er/page.md": "# Deep\n",
        "docs-main/10-last.md": "# Last\n",
        "docs-main/2-first.md": "---\ntitle: First\ndescription: What comes first.\n---\nText.\n",
        "docs-main/only/folder/x.md": "# X\n",
        "docs-main/img/dot.png": pixelImage(1),
        "docs-main/img/unused.png": pixelImage(2),
        "docs-main/assets/a b.csv": "a,b\n",
        "docs-main/.github/workflow.md": "# Hidden\n",
        "__MACOSX/docs-main/README.md": "no"
      }
      const site = await serveSite({ "/docs.zip": zip(contents, commit) })
      const body = { url: `${site.url}/docs.zip`, source: "zip" }
      const { status, value } = await importContent(body)
      expect([status, value.importedResources, value.totalResources]).toEqual([201, 10, 10])
      const tree = await pages()
      expect(titleTree(tree)).toEqual([
        "Intro",
        "First",
        "Last",
        ["Guide", [["Deep", [["Er", ["Deep"]]]], "Set up", "Use"]],
        ["Only", [["Folder", ["X"]]]]
      ])
      expect(tree.map(({ type }) => type)).toEqual(["document", "document", "document", "document", "group"])
      const setup = await page("guide/setup")
      const [guide] = tree.filter(({ title }) => title === "Guide")
      expect((await page("intro")).markdown).toBe(
        `To [setup](/pages/${setup.id}#first-steps), [the guide](/pages/${guide!.id}), [nothing](none.md), [mail](mailto:a@example.com).\n`
      )
      const id = new Map((await files()).map((file) => [file.name, file.id]))
      expect([...id.keys()].sort()).toEqual(["a b.csv", "dot.png"])
      expect((await page("guide")).markdown).toBe(`![Dot](/files/${id.get("dot.png")})\n`)
      expect(setup.markdown).toBe(
        `## First steps\n\n[Up](/pages/${tree[0]!.id}), [beside](/pages/${(await page("guide/use")).id}), [sheet](/files/${id.get("a b.csv")}).\n`
      )
      expect(await page("2-first")).toMatchObject({ title: "First", description: "What comes first." })

      // The git metadata is stored. The archive is not an export of this service.
      const revision = await call<{ git: unknown }>("GET", `/spaces/${space}/revisions/${value.revision}`)
      expect(revision.git).toMatchObject({ oid: commit, createdByService: false })
      expect(await page("intro")).toMatchObject({ git: { oid: blobOf(intro), path: "README.md" } })

      // An archive of another commit.
      const { "docs-main/10-last.md": _, ...rest } = contents
      site.routes.set(
        "/docs.zip",
        zip({ ...rest, "docs-main/guide/use.md": "# Use it\n" }, commit.replace("0", "f"))
      )
      expect((await importContent(body)).value).toMatchObject({ importedResources: 9, totalResources: 9 })
      expect(await page("guide/use")).toMatchObject({ title: "Use it", slug: "use" })
      expect(titleTree(await pages())).toEqual([
        "Intro",
        "First",
        "Last",
        ["Guide", [["Deep", [["Er", ["Deep"]]]], "Set up", "Use it"]],
        ["Only", [["Folder", ["X"]]]]
      ])
    })
  }

  it("orders the pages by SUMMARY.md", async () => {
    const { importContent, pages } = await startImportWorkspace(await memory.make())
    const site = await serveSite({
      "/book.zip": zip({
        "SUMMARY.md":
          "# Contents\n\n* [Begin](README.md)\n\n## Part one\n\n* [Two](b.md)\n  * [Three](x/c.md)\n* [One](a.md)\n",
        "README.md": "# Begin\n",
        "a.md": "# One\n",
        "b.md": "# Two\n",
        "x/c.md": "# Three\n"
      })
    })
    const { value } = await importContent({ url: `${site.url}/book.zip`, source: "zip" })
    expect(value).toMatchObject({ importedResources: 4, totalResources: 4 })
    expect(titleTree(await pages())).toEqual(["Begin", ["Part one", [["Two", ["Three"]], "One"]]])
  })
})

describe("an import of a GitHub wiki", () => {
  it("creates its pages in the order of the sidebar, and resolves wiki links", async () => {
    const { importContent, pages, page, files } = await startImportWorkspace(await memory.make())
    const site = await serveSite({
      "/wiki.zip": zip({
        "acme.wiki/Home.md":
          "Welcome to [[Getting Started]], [[the rest|Getting Started#Next]], [as path](Getting-Started), [as address](https://github.com/acme/acme/wiki/FAQ), `[[Code]]`, [[Nowhere]].\n\n[[images/dot.png]]\n",
        "acme.wiki/Getting-Started.md": "## Next\n\nText.\n",
        "acme.wiki/FAQ.md": "# Questions\n\nText.\n",
        "acme.wiki/_Sidebar.md": "* [[Home]]\n* [[FAQ]]\n  * [[Getting Started]]\n",
        "acme.wiki/_Footer.md": "On every page.\n",
        "acme.wiki/images/dot.png": pixelImage(1)
      })
    })
    const { status, value } = await importContent({ url: `${site.url}/wiki.zip`, source: "github-wiki" })
    expect([status, value.importedResources, value.totalResources]).toEqual([201, 4, 4])
    expect(titleTree(await pages())).toEqual(["Home", ["FAQ", ["Getting Started"]]])
    const started = await page("faq/getting-started")
    const faq = await page("faq")
    const [dot] = await files()
    expect((await page("home")).markdown).toBe(
      `Welcome to [Getting Started](/pages/${started.id}), [the rest](/pages/${started.id}#next), [as path](/pages/${started.id}), [as address](/pages/${faq.id}), \`[[Code]]\`, [Nowhere](Nowhere).\n\n![](/files/${dot!.id})\n`
    )
  })
})
