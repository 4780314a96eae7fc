/** Exports and projects of other documentation tools are converted to repositories: trees, links, files, blocks, and a report. */
import { convertArchive, NotReadable, type ReadImport, recognizeSource } from "@lectern/formats"
import { isFastRun, runs } from "@lectern/harness"
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
import { type OtherSource, otherSources } from "@lectern/model/imports"
import { Effect } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readers } from "../src/imports/readers.ts"

const encoder = new TextEncoder()

/** Reads on this thread, as threads do. */
const readOnThread: ReadImport = (kind, input) =>
  Effect.suspend(() => {
    try {
      return Effect.succeed((readers[kind] as (value: typeof input) => never)(input))
    } catch (error) {
      return error instanceof NotReadable ? Effect.fail(error) : Effect.die(error)
    }
  })

/** Converts files, and returns all files of the repository, and the problems as text. */
const convert = async (source: OtherSource, files: SourceFiles) => {
  const archive = {
    files: Object.entries(files).map(([path, content]) => [path, content.length] as const),
    skipped: [],
    load: (path: string) =>
      Object.hasOwn(files, path) ? Effect.succeed(encoder.encode(files[path])) : Effect.die(`No file ${path}`)
  }
  return Effect.runPromise(
    Effect.gen(function* () {
      const converted = yield* convertArchive(archive, source, {
        read: readOnThread,
        mark: "0",
        onUnreadable: (error) => error
      })
      const written: Record<string, string> = {}
      for (const [path] of converted.files) {
        written[path] = new TextDecoder().decode(yield* converted.load(path))
      }
      const problems = converted.problems().map(({ resource, reason }) => `${resource}: ${reason}`)
      return { files: written, summary: written["SUMMARY.md"]!, problems }
    })
  )
}

/** The lines of a file that are not blank. */
const linesOf = (text: string | undefined): ReadonlyArray<string> =>
  (text ?? "").split("\n").filter((line) => line.trim() !== "")

const examples: ReadonlyArray<readonly [source: OtherSource, files: SourceFiles]> = [
  ["docusaurus", docusaurusProject],
  ["mkdocs", mkdocsProject],
  ["mintlify", mintlifyProject],
  ["notion", notionMarkdownExport],
  ["notion", notionHtmlExport],
  ["outline", outlineExport],
  ["confluence", confluenceHtmlExport],
  ["confluence", confluenceXmlExport]
]

describe("a project of Docusaurus", () => {
  it("has the tree of the literals in its sidebars", async () => {
    const { summary } = await convert("docusaurus", docusaurusProject)
    expect(linesOf(summary)).toEqual([
      "# Table of contents",
      "- [Introduction](README.md)",
      "- [Basics](basics.md)",
      "  - [Install it](basics/install.md)",
      "  - [First](basics/more/first.md)",
      "  - [Second](basics/more/second.md)",
      "## Short form",
      "- [Reference](reference.md)",
      "---",
      "- [Website](https://acme.example/)",
      "- [Orphan](orphan.md)"
    ])
  })

  it("keeps tabs, admonitions, titles of code, partials, anchors and files", async () => {
    const { files } = await convert("docusaurus", docusaurusProject)
    expect(linesOf(files["README.md"])).toEqual([
      "---",
      "description: What Acme is.",
      "---",
      "# Introduction",
      '{% hint style="success" %}',
      "**Read this**",
      "First `:::note`.",
      "{% endhint %}",
      "See [install](basics/install.md#linux), [the basics](basics.md) and ![Logo](static/img/logo.png)."
    ])
    expect(linesOf(files["basics/install.md"])).toEqual([
      "# Installation",
      "{% tabs %}",
      '{% tab title="npm" %}',
      '{% code title="terminal" lineNumbers="true" %}',
      "```bash",
      "npm install acme",
      "```",
      "{% endcode %}",
      "{% endtab %}",
      '{% tab title="yarn" %}',
      "yarn add acme",
      "{% endtab %}",
      "{% endtabs %}",
      '{% include "../.gitbook/includes/docs-_shared.md" %}',
      "A chart",
      '## On Linux <a href="#linux" id="linux"></a>',
      '{% hint style="warning" %}',
      "Careful.",
      '{% hint style="danger" %}',
      "**Deep**",
      "Nested.",
      "{% endhint %}",
      "{% endhint %}",
      '<img src="../docs/basics/pixel.png" alt="Pixel" />'
    ])
    expect(files[".gitbook/includes/docs-_shared.md"]).toBe("Shared text with a [link](../../README.md).\n")
  })

  it("redirects its URLs, hides pages that no sidebar lists, and reports its losses", async () => {
    const { files, problems } = await convert("docusaurus", docusaurusProject)
    expect(files[".gitbook.yaml"]).toContain("  docs/basics/install: basics/install.md\n")
    expect(files["orphan.md"]).toBe("---\nhidden: true\n---\n\n# Orphan\n\n")
    expect(problems).toEqual([
      "docs/draft.md: The page is a draft, which is not imported.",
      "sidebars.js: The sidebars contain 1 computed values, and code is not executed: these items are omitted.",
      "blog/: The blog is not imported.",
      "docs/orphan.md: No sidebar lists the page: it is imported as a hidden page.",
      "docs/basics/01-install.mdx: Code that the page exports is omitted.",
      "docs/basics/01-install.mdx: The component <Chart> has no equivalent: only its content is imported."
    ])
  })

  it("links to pages whose names have a colon", async () => {
    const { summary, files } = await convert("docusaurus", {
      "docusaurus.config.js": "",
      "docs/a:b.md": "# A\n\n[C](./c:d/e.md)\n",
      "docs/c:d/e.md": "# E\n\n[A](../a:b.md)\n"
    })
    expect(linesOf(summary).slice(1)).toEqual(["- [A](./a:b.md)", "## c:d", "- [E](./c:d/e.md)"])
    expect(linesOf(files["c:d/e.md"]).at(-1)).toBe("[A](../a:b.md)")
  })

  it("follows the folders if its sidebars are computed", async () => {
    const { summary, problems } = await convert("docusaurus", {
      ...docusaurusProject,
      "sidebars.js": "module.exports = makeSidebars()"
    })
    expect(linesOf(summary).slice(1, 6)).toEqual([
      "- [Basics](basics.md)",
      "  - [Install it](basics/install.md)",
      "  - [More things](basics/more-things.md)",
      "    - [First](basics/more/first.md)",
      "    - [Second](basics/more/second.md)"
    ])
    expect(problems).toContain(
      "sidebars.js: The sidebars are computed, and code is not executed: the tree follows the folders."
    )
  })
})

describe("a project of MkDocs", () => {
  it("has the tree of its navigation, and its redirects", async () => {
    const { summary, files, problems } = await convert("mkdocs", mkdocsProject)
    expect(linesOf(summary)).toEqual([
      "# Table of contents",
      "- [Home](README.md)",
      "- [Getting started](start.md)",
      "- [Guides](guides.md)",
      "  - [Advanced](guides/advanced.md)",
      "    - [Deep](guides/deep.md)",
      "- [Website](https://acme.example/)",
      "- [Unlisted](unlisted.md)"
    ])
    expect(files[".gitbook.yaml"]).toBe("redirects:\n  old/start: start.md\n")
    expect(problems).toEqual([
      "missing.md: The navigation lists a page that does not exist.",
      "docs/unlisted.md: The navigation does not list the page: it is imported as a hidden page.",
      "docs/index.md: Icons of the theme in the text are omitted.",
      "docs/index.md: Definitions of abbreviations are omitted."
    ])
  })

  it.each(["mkdocs", "docusaurus", "mintlify"] as const)(
    "of %s has paragraphs on one line",
    async (source) => {
      const markdown =
        "One line\nand **another\none** with\n`code`.\n\n- An item\n  on two lines\n\n> A quote\n> of two\n\nA break  \nhere\n\n```\na\nb\n```\n"
      const config = {
        mkdocs: { "mkdocs.yml": "nav:\n  - a.md\n" },
        docusaurus: { "docusaurus.config.js": "" },
        mintlify: { "docs.json": '{"navigation":{"groups":[{"group":"G","pages":["docs/a"]}]}}' }
      }[source]
      const { files } = await convert(source, {
        ...config,
        [`docs/a.${source === "mintlify" ? "mdx" : "md"}`]: markdown
      })
      const page = Object.values(files).find((text) => text.includes("One line"))
      expect(page).toContain(
        "One line and **another one** with `code`.\n\n- An item on two lines\n\n> A quote of two\n\nA break  \nhere\n\n```\na\nb\n```"
      )
    }
  )

  it("has the pages of a folder that its navigation names, in the order of the links of the index", async () => {
    const { summary, problems } = await convert("mkdocs", {
      "mkdocs.yml": "nav:\n  - index.md\n  - User guide: guide/\n  - api/*\n  - gone/\n",
      "docs/index.md": "# Home\n",
      "docs/guide/README.md": "# Guide\n\n- [Zoo](zoo.md)\n- [Deep](deep/page.md)\n",
      "docs/guide/a.md": "# A\n",
      "docs/guide/zoo.md": "# Zoo\n",
      "docs/guide/deep/page.md": "# Page\n",
      "docs/api/one.md": "# One\n"
    })
    expect(linesOf(summary)).toEqual([
      "# Table of contents",
      "- [Home](README.md)",
      "- [User guide](guide.md)",
      "  - [Zoo](guide/zoo.md)",
      "  - [Deep](guide/deep.md)",
      "    - [Page](guide/deep/page.md)",
      "  - [A](guide/a.md)",
      "## Api",
      "- [One](api/one.md)"
    ])
    expect(problems).toEqual(["gone/: The navigation lists a page that does not exist."])
  })

  it("keeps admonitions, tabs, titles of code, keys, snippets and anchors", async () => {
    const { files } = await convert("mkdocs", mkdocsProject)
    expect(linesOf(files["README.md"])).toEqual([
      "# Welcome",
      '{% hint style="info" %}',
      "**A *title***",
      "Text of the note.",
      '{% code title="app.py" lineNumbers="true" %}',
      "```py",
      'print("a")',
      "```",
      "{% endcode %}",
      "{% endhint %}",
      "<details>",
      "<summary>Question</summary>",
      "Hidden text.",
      "</details>",
      "{% tabs %}",
      '{% tab title="C" %}',
      "```c",
      "int main(void);",
      "```",
      "{% endtab %}",
      '{% tab title="C++" %}',
      "Text",
      "{% endtab %}",
      "{% endtabs %}",
      "Press <kbd>Ctrl</kbd>+<kbd>Alt</kbd>+<kbd>Del</kbd>  and read [the guide](guides/deep.md).",
      '{% include ".gitbook/includes/includes-notice.md" %}',
      "- A card"
    ])
    expect(files["start.md"]).toBe(
      '# Getting started\n\n## Section <a href="#own-id" id="own-id"></a>\n\n[Home](README.md) ![](docs/img/a.png)\n'
    )
  })
})

describe("a project of Mintlify", () => {
  it("has the tree of its navigation, its redirects, and reports operations without pages", async () => {
    const { summary, files, problems } = await convert("mintlify", mintlifyProject)
    expect(linesOf(summary)).toEqual([
      "# Table of contents",
      "## Guides",
      "- [Start](start.md)",
      "  - [Introduction](README.md)",
      "  - [Quick](quickstart.md)",
      "  - [Nested](start/nested.md)",
      "    - [Nested page](nested/page.md)",
      "- [API](api.md)",
      "  - [List pets](api/list.md)",
      "---",
      "- [Community](https://acme.example/)",
      "- [Hidden](hidden.md)"
    ])
    expect(files[".gitbook.yaml"]).toBe("redirects:\n  index: README.md\n  old: quickstart.md\n")
    expect(Object.keys(files)).not.toContain("README-2.md")
    expect(problems).toEqual([
      "API: The section contains the operations of an API: register the specification, and add its pages.",
      "GET /pets: The navigation lists an operation of an API without a page: register the specification, and add its pages.",
      "/a/:slug: The redirect has a pattern, or refers to no page; it is not imported.",
      "hidden.mdx: The navigation does not list the page: it is imported as a hidden page.",
      "index.mdx: The component <Unknown> has no equivalent: only its content is imported."
    ])
  })

  it("reads a navigation in several files, and leaves the URLs of the source to their pages", async () => {
    const { summary, files } = await convert("mintlify", {
      "docs.json": JSON.stringify({
        navigation: {
          languages: [
            { language: "en", groups: [{ group: "Start", pages: ["quickstart"] }] },
            { $ref: "./es.json" },
            { $ref: "./missing.json" },
            // Not percent-encoded: the name of a file that does not exist, too.
            { $ref: "./100%.json" }
          ]
        }
      }),
      "es.json": JSON.stringify({ language: "es", groups: [{ group: "Home", pages: ["es/quickstart"] }] }),
      "quickstart.mdx": "---\ntitle: Quickstart\n---\n",
      "es/quickstart.mdx": "---\ntitle: Home\n---\n",
      "fr/quickstart.mdx": "---\ntitle: Start\n---\n"
    })
    expect(linesOf(summary)).toEqual([
      "# Table of contents",
      "## en",
      "- [Start](start.md)",
      "  - [Quickstart](quickstart.md)",
      "## es",
      "- [Home](home.md)",
      "  - [Home](es/quickstart.md)",
      "---",
      "- [Start](fr/quickstart.md)"
    ])
    expect(files["fr/quickstart.md"]).toContain("slug: fr-quickstart")
    expect(files["quickstart.md"]).not.toContain("slug:")
  })

  it("keeps callouts, cards, steps, groups of code, snippets and operations", async () => {
    const { files } = await convert("mintlify", mintlifyProject)
    const head =
      '<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody>'
    expect(linesOf(files["README.md"])).toEqual([
      "---",
      "description: What Acme is",
      "icon: house",
      "---",
      "# Introduction",
      '{% hint style="info" %}',
      "A note with reasons.",
      "{% endhint %}",
      `${head}<tr><td><strong>Quickstart</strong></td><td>Begin here.</td><td><a href="quickstart.md">Quickstart</a></td></tr><tr><td><strong>API</strong></td><td>The API</td><td><a href="api/list.md">API</a></td></tr></tbody></table>`,
      "{% stepper %}",
      "{% step %}",
      "### One",
      "Do it.",
      "{% tabs %}",
      '{% tab title="index.js" %}',
      "```js",
      "one()",
      "```",
      "{% endtab %}",
      '{% tab title="bash" %}',
      "```bash",
      "two",
      "```",
      "{% endtab %}",
      "{% endtabs %}",
      "{% endstep %}",
      "{% endstepper %}",
      "Text"
    ])
    expect(linesOf(files["nested/page.md"])).toEqual([
      "# Nested page",
      "**`id`** (string, required)",
      "The id."
    ])
    expect(linesOf(files["api/list.md"])[1]).toBe(
      '{% openapi src="../openapi.json" path="/pets" method="get" %}'
    )
  })
})

describe("an export of Notion", () => {
  it("in Markdown keeps the order of links, databases, callouts and links by ids", async () => {
    const { summary, files } = await convert("notion", notionMarkdownExport)
    expect(linesOf(summary).slice(1)).toEqual([
      '- [Handbook: "all" of it](handbook.md)',
      "  - [Tasks](handbook/tasks.md)",
      "    - [Write, it](handbook/tasks/write-it.md)",
      "  - [Second](handbook/second.md)"
    ])
    expect(linesOf(files["handbook.md"]).slice(1)).toEqual([
      "[Tasks](handbook/tasks.md)",
      "[Second](handbook/second.md) and [the same](handbook/second.md)",
      '{% hint style="info" %}',
      "💡 A callout",
      "{% endhint %}",
      "![Picture](Handbook/picture.png)"
    ])
    expect(linesOf(files["handbook/tasks.md"]).slice(3)).toEqual([
      '| Write, "it" | Done |',
      "| Hidden | Open |"
    ])
    expect(linesOf(files["handbook/tasks/write-it.md"]).slice(1)).toEqual([
      "* **Status:** Done",
      "* **Owner:** Ada",
      "Text"
    ])
  })

  it("in HTML keeps callouts, toggles, code, tasks and links", async () => {
    const { summary, files } = await convert("notion", notionHtmlExport)
    expect(linesOf(summary).slice(1)).toEqual([
      "- [Handbook & rules](handbook.md)",
      "  - [Second](handbook/second.md)"
    ])
    expect(linesOf(files["handbook.md"]).slice(1)).toEqual([
      "Text with **bold**.",
      '{% hint style="info" %}',
      "A callout",
      "{% endhint %}",
      "<details>",
      "<summary>A toggle</summary>",
      "Hidden",
      "</details>",
      "```python",
      'print("a")',
      "```",
      "[Second](handbook/second.md)",
      "- ☑ Done",
      "![](Handbook/picture.png)"
    ])
    expect(linesOf(files["handbook/second.md"]).at(-1)).toBe("[Back](../handbook.md)")
  })
})

describe("an export of Outline", () => {
  it("has a group for each collection, and keeps notices, toggles, files and links", async () => {
    const { summary, files } = await convert("outline", outlineExport)
    expect(linesOf(summary).slice(1)).toEqual([
      "## Engineering",
      "- [Getting started](getting-started.md)",
      "  - [Deploy it](getting-started/deploy-it.md)",
      "## People",
      "- [Holidays](holidays.md)"
    ])
    expect(linesOf(files["getting-started.md"]).slice(1)).toEqual([
      '{% hint style="warning" %}',
      "Careful.",
      "{% endhint %}",
      "<details>",
      "<summary>More</summary>",
      "Hidden text.",
      "</details>",
      "![Diagram](Engineering/uploads/11111111-1111-4111-8111-111111111111/22222222-2222-4222-8222-222222222222/diagram.png)",
      "[Deploy](getting-started/deploy-it.md)"
    ])
  })
})

describe("an export of Confluence", () => {
  it("in HTML keeps the tree of its index, macros, files and links", async () => {
    const { summary, files, problems } = await convert("confluence", confluenceHtmlExport)
    expect(linesOf(summary).slice(1)).toEqual([
      "- [Acme Home](README.md)",
      "- [Setup](setup.md)",
      "  - [第一](setup/第一.md)",
      "- [Notes](notes.md)"
    ])
    expect(linesOf(files["README.md"]).slice(1)).toEqual([
      "Read [the setup](setup.md#OnLinux). ✅",
      '{% hint style="warning" %}',
      "**Watch out**",
      "Careful.",
      "{% endhint %}",
      '{% code title="app.js" %}',
      "```js",
      "run()",
      "stop()",
      "```",
      "{% endcode %}",
      "<details>",
      "<summary>More</summary>",
      "Hidden",
      "</details>",
      "![](attachments/100001/1.png)",
      "- ☑ Done",
      "ACME-1"
    ])
    expect(linesOf(files["setup/第一.md"]).at(-1)).toBe("[Home](../README.md)")
    expect(problems).toContain("Acme-Home_100001.html: Issues of Jira are imported as text.")
  })

  it("in XML keeps the order of pages, macros, the newest files, and links by titles", async () => {
    const { summary, files, problems } = await convert("confluence", confluenceXmlExport)
    expect(linesOf(summary).slice(1)).toEqual([
      "- [Home](README.md)",
      "- [Set up / install?](set-up--install.md)",
      "- [Second](second.md)"
    ])
    expect(linesOf(files["README.md"]).slice(1)).toEqual([
      "See [the setup](set-up--install.md) and [plan & more.pdf](attachments/1/plan%20%26%20more.pdf).\u{a0}",
      '{% hint style="success" %}',
      "**Good**",
      "A tip",
      "{% endhint %}",
      '{% code title="A.java" %}',
      "```java",
      "if (a < b) { List<String> x; }",
      "```",
      "{% endcode %}",
      "<details>",
      "<summary>More</summary>",
      "Hidden",
      "</details>",
      "Plan",
      "![Pixel](attachments/1/pixel.png)",
      "- ☑ Done"
    ])
    expect(files["attachments/1/pixel.png"]).toBe("image")
    expect(problems).toEqual([
      "comments: Comments, labels, versions and restrictions of pages are not imported.",
      "Home: Lists of pages that Confluence computes are not imported.",
      "Home: The macro roadmap has no equivalent: only its text is imported."
    ])
  })

  it("in XML keeps images of other websites", async () => {
    const { files } = await convert("confluence", {
      "entities.xml": confluenceXmlExport["entities.xml"]!.replace(
        '<ri:attachment ri:filename="pixel.png" />',
        '<ri:url ri:value="https://acme.example/pixel.png" />'
      )
    })
    expect(linesOf(files["README.md"])).toContain("![Pixel](https://acme.example/pixel.png)")
  })

  it("reports pages and files that it lacks", async () => {
    const { problems } = await convert("confluence", {
      "entities.xml": confluenceXmlExport["entities.xml"]!.replace(
        "Set up / install?]]></property>",
        "Renamed]]></property>"
      )
    })
    expect(problems).toContain(
      "Home: The source does not contain Set up / install?, which the page refers to."
    )
    expect(problems).toContain("pixel.png: The export does not contain the file.")
  })
})

describe("conversions", () => {
  it.each(examples)("recognize %s by its files, and no repository of GitBook", (source, files) => {
    expect(recognizeSource(Object.keys(files))).toBe(source)
    expect(recognizeSource([...Object.keys(files), "SUMMARY.md"])).toBeUndefined()
    expect(recognizeSource(["docs/a.md", "docs/b.md", "docs.json"])).toBeUndefined()
  })

  const fragments = fc.oneof(
    fc.constantFrom(
      ":::note",
      ":::",
      "::::tip[a]",
      "+++ A",
      "+++",
      "!!! note",
      '??? q "a',
      '=== "A"',
      "    text",
      "<Tabs>",
      "</Tabs>",
      '<Tab title="a">',
      "</Tab>",
      "<Card title={`a`} href='/x'>",
      "</Card>",
      "```js title='a' {1}",
      "```",
      "~~~~",
      "{/*",
      "*/}",
      "import A from './a.mdx'",
      "export const a = {",
      "<aside>",
      "</aside>",
      "# Title {#a}",
      "---",
      "a: b: c",
      "- item",
      "  <Note>",
      '--8<-- "a.md"',
      "`<Note>`",
      "<A b={{c: '}'}} />",
      "{% hint %}",
      '[a](b.md "c")',
      "![a](<b c.png>)",
      "\t",
      ""
    ),
    fc.string({ maxLength: 12 })
  )
  const pages = fc.array(fragments, { maxLength: 40 }).map((lines) => lines.join("\n"))
  const markdownSources = ["docusaurus", "mkdocs", "mintlify", "notion", "outline"] as const

  it("accept any text, and keep blocks of code as they are", () => {
    const code = "```\n:::note\n<Tabs>\n!!! note\n    {/* a */} import A from 'a'\n```"
    fc.assert(
      fc.property(fc.constantFrom(...markdownSources), pages, (source, text) => {
        const input = (value: string) => ({
          source,
          bytes: encoder.encode(value),
          path: "docs/a.md",
          mark: "0"
        })
        readers.sourcePage(input(text))
        expect(readers.sourcePage(input(`---\na: 1\n---\n\n${code}\n\n${text}`)).markdown).toContain(code)
      }),
      runs(300)
    )
  })

  it("accept any configuration, and place every page exactly once", async () => {
    const names = fc.constantFrom("a", "b/c", "01-d", "e/index", "e/e", "_f", "g/h/i/j")
    const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        names,
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(
          fc.constantFrom("type", "items", "label", "nav", "group", "pages", "tabs", "id", "dirName", "A"),
          tie("value")
        ),
        fc.constantFrom("category", "autogenerated", "doc", null, 1)
      )
    })).value
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...otherSources),
        fc.uniqueArray(names, { minLength: 1 }),
        value,
        async (source, stems, config) => {
          const json = JSON.stringify(config) ?? "null"
          const isHtml = source === "confluence"
          const { files, summary } = await convert(source, {
            ...Object.fromEntries(
              stems.map((stem) => [
                `${source === "mintlify" || isHtml ? "" : "docs/"}${stem}.${isHtml ? "html" : "md"}`,
                `# ${stem}\n`
              ])
            ),
            "index.html": `<ul>${json}</ul>`,
            "docusaurus.config.js": "",
            "sidebars.js": `module.exports = { main: ${json} }`,
            "mkdocs.yml": `nav: ${json}`,
            "docs.json": JSON.stringify({ navigation: config ?? null })
          })
          const listed = [...summary.matchAll(/\]\(([^)]+\.md)\)/g)].map(([, path]) =>
            decodeURIComponent(path!)
          )
          const written = Object.keys(files).filter(
            (path) => path.endsWith(".md") && path !== "SUMMARY.md" && !path.startsWith(".")
          )
          expect(new Set(listed)).toEqual(new Set(written))
        }
      ),
      runs(200)
    )
  })

  it.skipIf(isFastRun).each(markdownSources)("take time in proportion to the text of %s", (source) => {
    const repeated = [
      ":::note\n",
      "<Tabs>",
      "<A b={",
      "</Tabs>",
      "`",
      "{/*",
      '=== "A"\n',
      "!!! note\n    ",
      "import a\n",
      "+++ a\n",
      "[a](",
      "<aside>\n",
      "# a {#",
      "- ",
      "> "
    ]
    for (const part of repeated) {
      const bytes = encoder.encode(part.repeat(Math.ceil(20_000 / part.length)))
      const start = process.cpuUsage()
      try {
        readers.sourcePage({ source, bytes, path: "docs/a.md", mark: "0" })
      } catch (error) {
        expect(error).toBeInstanceOf(NotReadable)
      }
      const { user } = process.cpuUsage(start)
      expect([part, user < 1_500_000]).toEqual([part, true])
    }
  })
})
