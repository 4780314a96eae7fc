/** Imports and exports of GitBook repositories. */
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { memory, ruleStores } from "./stores.ts"
import { type Page, startImportWorkspace, titleTree } from "./support/imports.ts"
import { comparable, type Files, repositoriesOf } from "./support/repositories.ts"
import { pixelImage } from "./support/website.ts"

/** A repository with every feature of the layout. */
const repository: Files = {
  ".gitbook.yaml":
    "root: ./docs/\n\nstructure:\n  readme: START.md\n  summary: TOC.md\n\nredirects:\n  old/path: guide/setup.md\n  gone: nowhere.md\n",
  "docs/START.md":
    '---\ndescription: >-\n  What this is,\n  at length.\nicon: house\ncover: .gitbook/assets/dot.png\ncoverY: -12.5\ncoverHeight: 300\nlayout:\n  width: wide\n  cover:\n    visible: true\n    size: hero\n  title:\n    visible: false\n---\n\n# Welcome\n\nTo [setup](guide/setup.md#first-steps "Title"), [the guide](guide/), [nothing](none.md).\n\n{% content-ref url="guide/setup.md" %}\n[setup.md](guide/setup.md)\n{% endcontent-ref %}\n\n{% include ".gitbook/includes/note.md" %}\n',
  "docs/TOC.md":
    '# Table of contents\n\n* [Welcome](START.md)\n* [The source](https://example.com/source)\n\n## Use it <a href="#using" id="using"></a>\n\n* [Guide, named here](guide/README.md "Guide")\n  * [Set up](guide/setup.md)\n  * [First steps](guide/setup.md#first-steps)\n* ```yaml\n  title: Reference\n  type: builtin:openapi\n  props:\n    models: true\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: petstore\n  ```\n\n***\n\n* [Last](last.md)\n* [Missing](missing.md)\n',
  "docs/guide/README.md":
    '# A heading that differs\nNo empty line before this.\n\n<figure><img src="../.gitbook/assets/dot.png" alt=""><figcaption></figcaption></figure>\n',
  "docs/guide/setup.md":
    '---\r\nhidden: true\r\n---\r\n\r\n# Set up\r\n\r\n## First steps\r\n\r\n{% file src="../.gitbook/assets/a b.pdf" %}\r\n',
  "docs/last.md": "Without a heading, and without a line feed at the end.",
  "docs/.gitbook/assets/dot.png": pixelImage(1),
  "docs/.gitbook/assets/copy of dot.png": pixelImage(1),
  "docs/.gitbook/assets/a b.pdf": "%PDF",
  "docs/.gitbook/includes/note.md": '---\ntitle: "A note"\n---\n\n# Not a title\n\n[Back](../../START.md)\n',
  "docs/.gitbook/vars.yaml": "version: 2\n"
}

describe("an import of a repository", () => {
  for (const { name, make } of ruleStores) {
    it(`has its configuration, table of contents, front matter, assets and includes, on ${name}`, async () => {
      const opened = await startImportWorkspace(await make())
      const { importFiles, exportFiles } = await repositoriesOf(opened)
      const { space, pages, page, files, call } = opened
      expect(await importFiles(repository)).toMatchObject({ importedResources: 8, totalResources: 8 })
      const tree = await pages()
      expect(titleTree(tree)).toEqual([
        "Welcome",
        "The source",
        ["Use it", [["Guide, named here", ["Set up", "First steps"]], "Reference"]],
        "Last"
      ])
      expect(tree[1]).toMatchObject({ type: "link", href: "https://example.com/source" })
      expect(tree[2]).toMatchObject({ type: "group", slug: "using" })
      const guide = tree[2]!.pages[0]!
      const [setup, link] = guide.pages as [Page, Page]
      expect([guide.path, setup.path]).toEqual(["using/guide", "using/guide/setup"])
      expect(link).toMatchObject({
        type: "link",
        target: { kind: "anchor", page: setup.id, anchor: "first-steps" }
      })
      expect(tree[2]!.pages[1]).toMatchObject({ type: "computed" })
      const stored = await files()
      expect(stored.map(({ name, contentType }) => [name, contentType]).sort()).toEqual([
        ["a b.pdf", "application/pdf"],
        ["copy of dot.png", "image/png"],
        ["dot.png", "image/png"]
      ])
      const dot = stored.find((file) => file.name === "dot.png")!.id
      const welcome = await page("welcome")
      expect(welcome).toMatchObject({
        description: "What this is, at length.",
        icon: "house",
        cover: { ref: { kind: "file", file: dot }, yPos: -12.5 },
        layout: { width: "wide", cover: true, coverSize: "hero", title: false },
        git: { path: "docs/START.md" }
      })
      expect(welcome.markdown).toContain(
        `To [setup](/pages/${setup.id}#first-steps "Title"), [the guide](/pages/${guide.id}), [nothing](none.md).`
      )
      expect(welcome.markdown).toContain(`{% content-ref url="/pages/${setup.id}" %}`)
      // Markdown is read with its inclusions expanded.
      expect(welcome.markdown).toContain(`# Not a title\n\n[Back](/pages/${welcome.id})`)
      expect(await page("using/guide/setup")).toMatchObject({ hidden: true })
      expect((await page("using/guide")).markdown).toContain(`<img src="/files/${dot}" alt="">`)
      // A former path redirects.
      expect(await page("old/path")).toMatchObject({ id: setup.id, path: "using/guide/setup" })

      expect(comparable(await exportFiles(`/spaces/${space}/content`))).toEqual(comparable(repository))
      const again = await importFiles(repository)
      const changes = await call<{ changes: unknown }>(
        "GET",
        `/spaces/${space}/revisions/${again.revision}/changes`
      )
      expect(changes).toEqual({ changes: [] })
    })
  }

  it("changes only the edited parts in its export", async () => {
    const opened = await startImportWorkspace(await memory.make())
    const { importFiles, exportFiles } = await repositoriesOf(opened)
    const { space, pages, call } = opened
    await importFiles(repository)
    const [welcome, , group] = await pages()
    const guide = group!.pages[0]!
    const body = await call<Page>("GET", `/spaces/${space}/content/page/${welcome!.id}?format=document`)
    expect(body).toHaveProperty("document")
    await call("POST", `/spaces/${space}/content`, {
      changes: [
        { operation: "update_page", page: welcome!.id, icon: "star" },
        { operation: "update_page", page: guide.id, title: "Renamed" },
        {
          operation: "update_page",
          page: guide.pages[0]!.id,
          document: { markdown: `## First steps\n\nNew, with [a link](/pages/${welcome!.id}).\n` }
        },
        { operation: "insert_page", title: "New page", into: guide.id, document: { markdown: "Text.\n" } }
      ]
    })
    const exported = comparable(await exportFiles(`/spaces/${space}/content`))
    const original = comparable(repository)
    const changed = Object.keys(exported).filter((path) => exported[path] !== original[path])
    expect(changed).toEqual([
      "docs/START.md",
      "docs/TOC.md",
      "docs/guide/README.md",
      "docs/guide/new-page.md",
      "docs/guide/setup.md"
    ])
    expect(exported["docs/START.md"]).toBe(original["docs/START.md"]!.replace("icon: house", "icon: star"))
    expect(exported["docs/guide/README.md"]).toMatch(/^# Renamed\n\nNo empty line/)
    expect(exported["docs/guide/setup.md"]).toBe(
      "---\nhidden: true\n---\n\n# Set up\n\n## First steps\n\nNew, with [a link](../START.md).\n"
    )
    expect(exported["docs/guide/new-page.md"]).toBe("# New page\n\nText.\n")
    expect(exported["docs/TOC.md"]).toContain("* [Renamed](guide/README.md)\n  * [Set up](guide/setup.md)\n")
    expect(exported["docs/TOC.md"]).toContain("  * [New page](guide/new-page.md)\n")
  })
})

const word = fc.constantFrom("intro", "guide", "a b", "Ünïcode", "c++", "x_y", "[z]", "100%", "q?", "#1")
const title = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" "))

const lineOf = (targets: ReadonlyArray<string>) =>
  fc.oneof(
    fc.constantFrom(
      "Text.",
      "## Heading",
      "- item",
      "",
      "",
      "    code",
      "> quote",
      "---",
      "| a |\n| - |",
      "$$x$$"
    ),
    fc
      .tuple(fc.constantFrom(...targets), title)
      .map(([to, label]) => `[${label.replaceAll(/[[\]]/g, "")}](${to})`),
    fc.constantFrom(...targets).map((to) => `![](${to})`),
    fc.constantFrom(...targets).map((to) => `{% content-ref url="${to}" %}\nx\n{% endcontent-ref %}`)
  )

/** A page of a random repository. */
const pageFile = (targets: ReadonlyArray<string>) =>
  fc
    .record({
      front: fc.constantFrom(
        "",
        "---\ndescription: D\n---\n\n",
        "---\nicon: 'star'\n# comment\nunknown: [1,2]\n---\n",
        "---\nhidden: true\ntitle: T\n---\n\n\n",
        "---\nif: visitor.claims.beta\n---\n\n",
        "---\nif: is it beta?\nnoIndex: true\n---\n",
        "---\n: bad\n---\n"
      ),
      heading: fc.oneof(
        fc.constant(""),
        title.map((text) => `# ${text.replaceAll(/[#[\]_]/g, "")}\n`)
      ),
      gap: fc.constantFrom("", "\n", "\n\n"),
      lines: fc.array(lineOf(targets), { maxLength: 6 }),
      end: fc.constantFrom("", "\n", "\n\n"),
      isDos: fc.boolean()
    })
    .map(({ front, heading, gap, lines, end, isDos }) => {
      const text = `${front}${heading}${gap}${lines.join("\n")}${end}`
      return isDos ? text.replaceAll("\n", "\r\n") : text
    })

const pagePaths = ["README.md", "a.md", "b/README.md", "b/c.md", "b/d/e.md", "f/g h.md", "100%.md"]
const linkTargets = [
  ...pagePaths.map((path) => encodeURI(path)),
  "../a.md#x",
  "b/c",
  "b/",
  "missing.md",
  "https://example.com/",
  ".gitbook/assets/i.png",
  "../.gitbook/assets/i.png",
  "<a.md>",
  "/b/c.md"
]

/** A random repository: any subset of pages, and a table of contents that has some of them. */
const repositories: fc.Arbitrary<Files> = fc
  .record({
    pages: fc.subarray(pagePaths, { minLength: 1 }),
    texts: fc.array(pageFile(linkTargets), { minLength: pagePaths.length, maxLength: pagePaths.length }),
    summary: fc.option(
      fc.array(
        fc.oneof(
          fc
            .tuple(title, fc.constantFrom(...linkTargets), fc.nat(2))
            .map(([text, to, depth]) => `${"  ".repeat(depth)}* [${text.replaceAll(/[[\]]/g, "")}](${to})`),
          title.map((text) => `\n## ${text}\n`),
          fc.constantFrom("\n***\n", "* plain text", "\nProse.\n")
        ),
        { maxLength: 10 }
      ),
      { nil: undefined }
    )
  })
  .map(({ pages, texts, summary }) => ({
    ...Object.fromEntries(pages.map((path, index) => [path, texts[index]!])),
    ...(summary === undefined ? {} : { "SUMMARY.md": `# Summary\n\n${summary.join("\n")}\n` }),
    ".gitbook/assets/i.png": pixelImage(1)
  }))

it("keeps the bytes of images that cannot be resolved when another part of their page is edited", async () => {
  const opened = await startImportWorkspace(await memory.make())
  const { importFiles, exportFiles } = await repositoriesOf(opened)
  const { space, call, page } = opened
  const images =
    '![](<a (1).gif>) ![b](b%20c.gif "Title") ![c](missing\\_d.gif) [l](<no file.md>) <img src="e &amp; f.gif">\n\n| a |\n| - |\n| ![](<x y.png>) |\n'
  const markdown = `# Start\n\nFirst.\n\n${images}\nLast.\n`
  await importFiles({ "README.md": markdown })
  const { id } = await page("start")
  const exported = async () => comparable(await exportFiles(`/spaces/${space}/content`))["README.md"]
  const update = (document: unknown) =>
    call("POST", `/spaces/${space}/content`, {
      changes: [{ operation: "update_page", page: id, document }]
    })
  const stored = (await page("start")).markdown!
  await update({ markdown: stored.replace("First.", "Changed.") })
  expect(await exported()).toBe(markdown.replace("First.", "Changed."))
  type Document = { nodes: Array<{ nodes: Array<{ leaves: Array<{ text: string }> }> }> }
  const { document } = await call<{ document: Document }>(
    "GET",
    `/spaces/${space}/content/page/${id}?format=document`
  )
  document.nodes[0]!.nodes[0]!.leaves[0]!.text = "Edited."
  await update({ document })
  expect(await exported()).toBe(markdown.replace("First.", "Edited."))
})

describe("an import followed by an export", () => {
  it("returns every file of a repository byte for byte", { timeout: 300_000 }, async () => {
    const opened = await startImportWorkspace(await memory.make())
    const { importFiles, exportFiles, createSpace } = await repositoriesOf(opened)
    await fc.assert(
      fc.asyncProperty(repositories, async (files) => {
        const space = await createSpace()
        await importFiles(files, space)
        expect(comparable(await exportFiles(`/spaces/${space}/content`))).toEqual(comparable(files))
      }),
      runs(60)
    )
  })
})

/** A random page, whose parent is an earlier page or the root. */
const newPage = fc.record({
  type: fc.constantFrom("document", "document", "document", "group", "link"),
  title: fc.oneof(title, fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" })),
  into: fc.nat(20),
  icon: fc.constantFrom(undefined, "star"),
  emoji: fc.constantFrom(undefined, "1f600"),
  hidden: fc.boolean(),
  condition: fc.constantFrom(
    undefined,
    "visitor.claims.a",
    `visitor.claims.plan == "pro" && !visitor.claims['b: <c>']`
  ),
  description: fc.oneof(fc.constant(undefined), fc.string({ maxLength: 40, unit: "grapheme" })),
  slug: fc.constantFrom(undefined, undefined, "readme", "summary", ".hidden", "a.md", "same"),
  layout: fc.constantFrom(undefined, { width: "wide", cover: false, coverSize: "full" }, { outline: false }),
  lines: fc.array(
    fc.oneof(
      fc.constantFrom(
        "Text.",
        "",
        "# Heading",
        "---",
        "- item",
        "```js\ncode\n```",
        "{% hint %}\nx\n{% endhint %}"
      ),
      fc.record({ link: fc.nat(20), anchor: fc.constantFrom("", "#x") }),
      fc.constant("file" as const)
    ),
    { maxLength: 5 }
  )
})
type NewPage = typeof newPage extends fc.Arbitrary<infer A> ? A : never

const titleSchema = (text: string): string => text.replaceAll(/[\s\0]+/g, " ").trim() || "x"

/** Creates random content: first its pages, then their bodies, which can link to any page. */
const createContent = async (
  call: <A>(method: string, path: string, body?: unknown) => Promise<A>,
  space: string,
  pages: ReadonlyArray<NewPage>
) => {
  const created: Array<{ readonly id: string; readonly type: string }> = []
  const edit = (changes: ReadonlyArray<unknown>) =>
    call<{ changes: ReadonlyArray<{ page: { id: string } }>; insertedFiles: ReadonlyArray<{ id: string }> }>(
      "POST",
      `/spaces/${space}/content`,
      { changes }
    )
  const { insertedFiles } = await edit([
    {
      operation: "insert_files",
      files: [
        { name: "dot.png", contentType: "image/png", base64: Buffer.from(pixelImage(1)).toString("base64") }
      ]
    }
  ])
  const file = insertedFiles[0]!.id
  for (const { type, into, lines: _, description, layout, slug, ...page } of pages) {
    const parents = created.filter((one) => one.type !== "link")
    const parent = type === "group" ? undefined : parents[into % (parents.length + 1)]?.id
    const { changes } = await edit([
      {
        operation: "insert_page",
        type,
        ...page,
        title: titleSchema(page.title),
        ...(parent === undefined ? {} : { into: parent }),
        ...(type === "link" ? { target: { kind: "url", url: "https://example.com/" } } : {}),
        ...(type === "document" && description !== undefined ? { description } : {}),
        ...(type === "document" && layout !== undefined ? { layout } : {}),
        ...(type === "link" || slug === undefined ? {} : { slug })
      }
    ])
    created.push({ id: changes[0]!.page.id, type })
  }
  const targets = created.filter(({ type }) => type === "document")
  for (const [index, { lines, type }] of pages.entries()) {
    if (type !== "document" || lines.length === 0) continue
    // A rule at the start could begin front matter that is malformed.
    const markdown = (lines[0] === "---" ? ["Text.", "", ...lines] : lines)
      .map((line) =>
        typeof line === "string"
          ? line === "file"
            ? `![](/files/${file})`
            : line
          : `[x](/pages/${targets[line.link % targets.length]!.id}${line.anchor})`
      )
      .join("\n")
    // An update stores front matter as fields, and the body as it is.
    await edit([{ operation: "update_page", page: created[index]!.id, document: { markdown } }])
  }
}

/** Describes content without its ids: links refer to pages by their paths. */
const describeContent = async (
  call: <A>(method: string, path: string, body?: unknown) => Promise<A>,
  space: string
) => {
  const { pages } = await call<{ pages: ReadonlyArray<Page> }>("GET", `/spaces/${space}/content/pages`)
  const paths = new Map<string, string>()
  const collect = (page: Page): void => {
    paths.set(page.id, page.path)
    for (const child of page.pages ?? []) collect(child)
  }
  pages.forEach(collect)
  const describePage = async (page: Page): Promise<unknown> => {
    const {
      id,
      createdAt: _,
      updatedAt: __,
      urls: ___,
      git: ____,
      documentId: _____,
      pages: children,
      ...rest
    } = page as Page & Record<string, unknown>
    const { markdown = "" } =
      page.type === "document"
        ? await call<Page>("GET", `/spaces/${space}/content/page/${id}?format=markdown`)
        : {}
    return {
      ...rest,
      body: markdown
        .replaceAll(/\/pages\/(\w+)/g, (_, target: string) => `/pages/<${paths.get(target)}>`)
        .replaceAll(/\/files\/\w+/g, "/files/<file>"),
      pages: await Promise.all((children ?? []).map(describePage))
    }
  }
  return Promise.all(pages.map(describePage))
}

describe("an export followed by an import", () => {
  it("returns equal content, whose export has equal bytes", { timeout: 300_000 }, async () => {
    const opened = await startImportWorkspace(await memory.make())
    const { importFiles, exportFiles, createSpace } = await repositoriesOf(opened)
    const { call } = opened
    await fc.assert(
      fc.asyncProperty(fc.array(newPage, { minLength: 1, maxLength: 10 }), async (pages) => {
        fc.pre(pages.some(({ type }) => type === "document"))
        const [original, copy] = [await createSpace(), await createSpace()]
        await createContent(call, original, pages)
        const exported = await exportFiles(`/spaces/${original}/content`)
        await importFiles(exported, copy)
        expect(await describeContent(call, copy)).toEqual(await describeContent(call, original))
        expect(comparable(await exportFiles(`/spaces/${copy}/content`))).toEqual(comparable(exported))
      }),
      runs(40)
    )
  })
})

/** The spaces of a random site: their content, and the section that each is in. */
const siteContent = fc.record({
  sections: fc.integer({ min: 0, max: 2 }),
  spaces: fc.array(
    fc.record({ section: fc.nat(1), pages: fc.array(newPage, { minLength: 1, maxLength: 4 }) }),
    { minLength: 2, maxLength: 4 }
  )
})

describe("an export of a site", () => {
  it("has each space in its folder, whose import returns equal content", { timeout: 300_000 }, async () => {
    const opened = await startImportWorkspace(await memory.make())
    const { importFiles, createSpace, downloadFiles } = await repositoriesOf(opened)
    const { call, organization } = opened
    const at = `/orgs/${organization}/sites`
    await fc.assert(
      fc.asyncProperty(siteContent, async ({ sections, spaces }) => {
        fc.pre(spaces.every(({ pages }) => pages.some(({ type }) => type === "document")))
        const ids: Array<string> = []
        for (const { pages } of spaces) {
          const id = await createSpace()
          await createContent(call, id, pages)
          ids.push(id)
        }
        const flat = sections === 0 ? ids : ids.slice(0, 1)
        const site = await call<{ id: string }>("POST", at, { title: "Site", spaces: flat })
        const sectionIds: Array<string> = []
        for (const [index, space] of ids.slice(flat.length).entries()) {
          if (index < sections) {
            const body = { spaceId: space, title: `Section ${index}` }
            sectionIds.push((await call<{ id: string }>("POST", `${at}/${site.id}/sections`, body)).id)
          } else {
            const sectionId = sectionIds[spaces[index]!.section % sectionIds.length]!
            await call("POST", `${at}/${site.id}/site-spaces`, { spaceId: space, sectionId })
          }
        }
        const files = await downloadFiles(`${at}/${site.id}/export`)
        const { spaces: described } = JSON.parse(Buffer.from(files["site.json"]!).toString()) as {
          spaces: ReadonlyArray<{ folder: string }>
        }
        const { items } = await call<{ items: ReadonlyArray<{ space: { id: string } }> }>(
          "GET",
          `${at}/${site.id}/site-spaces`
        )
        expect(described).toHaveLength(ids.length)
        const folders = described.map(({ folder }) => `${folder}/`)
        expect(
          Object.keys(files).filter((path) => !folders.some((folder) => path.startsWith(folder)))
        ).toEqual(["site.json"])
        const contents = await Promise.all(items.map(({ space }) => describeContent(call, space.id)))
        const imported = []
        for (const folder of folders) {
          const repository = Object.fromEntries(
            Object.entries(files)
              .filter(([path]) => path.startsWith(folder))
              .map(([path, bytes]) => [path.slice(folder.length), bytes])
          )
          const copy = await createSpace()
          await importFiles(repository, copy)
          imported.push(await describeContent(call, copy))
        }
        const sorted = (all: ReadonlyArray<unknown>) => all.map((one) => JSON.stringify(one)).sort()
        expect(sorted(imported)).toEqual(sorted(contents))
      }),
      runs(8)
    )
  })

  it("expires when the spaces of the site change, and requires the permission to read each of them", async () => {
    const opened = await startImportWorkspace(await memory.make())
    const { createSpace } = await repositoriesOf(opened)
    const { call, organization, server } = opened
    const at = `/orgs/${organization}/sites`
    const [first, second] = [await createSpace(), await createSpace()]
    const site = await call<{ id: string }>("POST", at, { title: "Site", spaces: [first] })
    const download = async () => {
      const { url } = await call<{ url: string }>("GET", `${at}/${site.id}/export`)
      const { pathname, search } = new URL(url)
      return async (query = search) => (await server.fetch(pathname + query)).status
    }
    const before = await download()
    expect(await before()).toBe(200)
    await call("POST", `${at}/${site.id}/site-spaces`, { spaceId: second })
    expect(await before()).toBe(410)
    const after = await download()
    expect([await after(), await after("?spaces=x&expires=1&signature=y")]).toEqual([200, 404])

    const editor = await server.core.createUser("editor@example.com")
    await server.core.setMember(organization, editor, "create")
    const token = await server.tokenOf(editor)
    const statusFor = async () => (await server.fetch(`/v1${at}/${site.id}/export`, { token })).status
    expect(await statusFor()).toBe(200)
    await call("PATCH", `/spaces/${second}`, { defaultLevel: null })
    expect(await statusFor()).toBe(403)
  })
})
