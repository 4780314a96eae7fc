/** Blocks that GitBook writes as HTML: their documents, their round trip, and HTML that stays verbatim. */

import { runs } from "@lectern/harness"
import { fromMarkdown, toMarkdown } from "@lectern/markdown/document"
import { JsonDocument } from "@lectern/model/document"
import { fieldsOf } from "@lectern/model/schema"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { withCpuTime } from "./support/cpuTime.ts"
import { withoutKeys } from "./support/documents.ts"
import { anyInlines } from "./support/inlines.ts"

const decode = Schema.decodeUnknownResult(JsonDocument, { errors: "all" })

const cards =
  '<table data-card-size="large" data-card-wrap="false" data-view="cards"><thead><tr><th></th>' +
  '<th><select><option value="o1" label="Beta" color="blue"></option></select></th>' +
  '<th data-hidden data-card-target data-type="content-ref"></th>' +
  '<th data-hidden data-card-cover data-type="image">Cover</th></tr></thead>' +
  '<tbody><tr><td><h4><i class="fa-gear">:gear:</i></h4><p>Set up</p></td>' +
  '<td><span data-option="o1">Beta</span></td><td><a href="start/quick.md">quick.md</a></td>' +
  '<td data-object-fit="contain"><a href="/files/f1">Cover image</a></td></tr></tbody></table>'

const typed =
  '<table data-header-hidden data-full-width="true"><thead><tr><th width="120.5" valign="top">A</th>' +
  '<th data-type="rating" data-max="5">B</th><th data-type="checkbox">C</th><th data-type="number">D</th>' +
  '<th data-type="users" data-multiple>E</th><th data-type="files">F</th></tr></thead>' +
  '<tbody><tr><td valign="top">a &#x26; <code>b&#x3C;c</code></td><td>4</td><td>true</td><td>1.5</td>' +
  '<td><a href="/users/u1">u1</a></td><td><a href="/files/f1">f1</a><a href="a/b.pdf">b.pdf</a></td></tr>' +
  '<tr><td valign="top"></td><td></td><td>false</td><td></td><td></td><td></td></tr></tbody></table>'

/** Markdown that stays unchanged in a round trip. */
const blocks: ReadonlyArray<readonly [type: string, markdown: string, data: unknown]> = [
  ["expandable", "<details>\n\n<summary>A <code>b</code></summary>\n\nText\n\n- item\n\n</details>", {}],
  ["expandable", "<details open>\n\n<summary>A</summary>\n\n```\ncode\n```\n\n</details>", {}],
  [
    "images",
    '<figure><img src="a.png" alt="A" width="375"><figcaption><p>A <strong>b</strong></p></figcaption></figure>',
    {}
  ],
  [
    "images",
    '<div align="left" data-with-frame="true"><figure><picture><source srcset="d.png" media="(prefers-color-scheme: dark)"><img src="l.png" alt=""></picture><figcaption></figcaption></figure> <figure><img src="/files/f1" alt="" width="50%"><figcaption></figcaption></figure></div>',
    { align: "left", withFrame: true }
  ],
  ["drawing", '<img src="/files/f1" alt="A" class="gitbook-drawing">', { ref: { file: "f1" }, alt: "A" }],
  [
    "paragraph",
    '<p align="center">A <kbd>b</kbd> <a href="/pages/p1" class="button primary">c</a></p>',
    { align: "center" }
  ],
  ["heading-2", '<h2 align="center">Title</h2>', { align: "center", id: "title" }],
  ["heading-2", '## Title <a href="#own" id="own"></a>', { anchor: "own", id: "own" }],
  [
    "code",
    '<pre class="language-yaml" data-title="a.yaml" data-overflow="wrap" data-line-numbers><code class="lang-yaml"><strong>a: 1\n</strong>\n  b: &#x3C;2>\n<strong>c: 3</strong></code></pre>',
    { syntax: "yaml", title: "a.yaml", overflow: "wrap", lineNumbers: true }
  ],
  [
    "table",
    cards,
    {
      view: {
        type: "cards",
        cardSize: "large",
        wrap: false,
        columns: ["c0", "c1"],
        targetDefinition: "c2",
        coverDefinition: "c3"
      },
      records: {
        r0: {
          values: {
            c0: "r0c0",
            c1: ["o1"],
            c2: { kind: "url", url: "start/quick.md" },
            c3: { ref: { kind: "file", file: "f1" }, objectFit: "contain" }
          },
          labels: { c3: "Cover image" }
        }
      }
    }
  ],
  [
    "table",
    typed,
    {
      fullWidth: true,
      view: { type: "grid", hideHeader: true, columnWidths: { c0: 120.5 } },
      records: {
        r0: { values: { c1: 4, c2: true, c3: 1.5, c4: ["u1"], c5: ["f1", "a/b.pdf"] } },
        r1: { values: { c1: null, c2: false } }
      }
    }
  ],
  ["math", "$$\na \\\\ b * c * d\n\n\\frac{1}{2}\n$$", { formula: "a \\\\ b * c * d\n\n\\frac{1}{2}" }]
]

describe("a block that GitBook writes as HTML", () => {
  it.each(blocks)("is parsed, written and accepted: %s %s", (type, markdown, data) => {
    const document = fromMarkdown(`${markdown}\n`)
    expect(document.nodes).toMatchObject([{ type, data }])
    expect(toMarkdown(document)).toBe(`${markdown}\n`)
    const decoded = decode(JSON.parse(JSON.stringify(document)))
    expect(Result.isSuccess(decoded) ? decoded.success : fieldsOf(decoded.failure.issue)).toEqual(document)
  })

  it("is stable between other blocks, in lists, quotes and tags", () => {
    const block = fc.constantFrom(...blocks.map(([, markdown]) => markdown), "Text", "- a\n- b", "# T")
    const indent = (text: string, by: string) => text.replaceAll("\n", `\n${by}`)
    const nested = block.chain((markdown) =>
      fc.constantFrom(
        markdown,
        `- a\n\n  ${indent(markdown, "  ")}`,
        `> ${indent(markdown, "> ")}`,
        `{% hint style="info" %}\n${markdown}\n\nb\n{% endhint %}`,
        `<details>\n<summary>S</summary>\n\n${markdown}\n\n</details>`
      )
    )
    fc.assert(
      fc.property(fc.array(nested, { minLength: 1, maxLength: 4 }), (parts) => {
        const document = fromMarkdown(`${parts.join("\n\n")}\n`)
        expect(JSON.stringify(document)).not.toContain('"markdown":"html"')
        const written = toMarkdown(document)
        expect(withoutKeys(fromMarkdown(written).nodes)).toEqual(withoutKeys(document.nodes))
        expect(toMarkdown(fromMarkdown(written))).toBe(written)
      }),
      runs(300)
    )
  })

  it("preserves any inlines in cells, captions, summaries and aligned text", () => {
    fc.assert(
      fc.property(anyInlines, (nodes) => {
        const paragraph = { object: "block", type: "paragraph", isVoid: false, nodes } as const
        const fragment = (name: string) =>
          ({ object: "fragment", fragment: name, nodes: [paragraph] }) as const
        const image = {
          object: "block",
          type: "image",
          isVoid: true,
          data: { ref: { kind: "url", url: "a.png" }, width: 5 },
          fragments: [fragment("caption")]
        }
        const title = { ...fragment("expandable-title"), type: "expandable-title" }
        const body = { ...fragment("expandable-body"), type: "expandable-body" }
        const sent = {
          object: "document",
          data: {},
          nodes: [
            { ...paragraph, data: { align: "center" } },
            { object: "block", type: "images", isVoid: false, data: {}, nodes: [image] },
            { object: "block", type: "expandable", isVoid: true, data: {}, fragments: [title, body] },
            {
              object: "block",
              type: "table",
              isVoid: true,
              data: {
                view: { type: "grid", columns: ["c0"], hideHeader: true },
                records: { r0: { orderIndex: "a0", values: { c0: "r0c0" } } },
                definition: { c0: { id: "c0", title: "A", type: "text", textAlignment: "left" } }
              },
              fragments: [{ ...fragment("r0c0"), type: "table-cell" }]
            }
          ]
        }
        const decoded = decode(JSON.parse(JSON.stringify(sent)))
        if (Result.isFailure(decoded)) throw new Error(JSON.stringify(fieldsOf(decoded.failure.issue)))
        const document = fromMarkdown(toMarkdown(decoded.success))
        expect(withoutKeys(document.nodes)).toEqual(withoutKeys(JSON.parse(JSON.stringify(sent)).nodes))
      }),
      runs(300)
    )
  })

  it.each([
    '<table><tr><td colspan="2">a</td></tr></table>',
    "<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>a</td><td>b</td></tr></tbody></table>",
    '<figure onclick="x"><img src="a"></figure>',
    "<div><p>a</p></div>",
    "<!-- a -->",
    '<p align="center">a <b>b</p>',
    "<details>\n\nNo summary\n\n</details>",
    "<details>\n\n<summary>Not closed</summary>\n\na",
    "<pre><code>a <em>b</em></code></pre>",
    '<iframe src="a"></iframe>'
  ])("stays verbatim if it is not understood: %s", (markdown) => {
    const document = fromMarkdown(`${markdown}\n`)
    expect(document.nodes[0]).toMatchObject({ type: "code", data: { markdown: "html" } })
    expect(toMarkdown(document)).toBe(`${markdown}\n`)
  })

  it("preserves the text of links to files, which is the name of an imported file", () => {
    const link = fc.record({
      url: fc.constantFrom(
        "/files/f1",
        "/files/Ab_9",
        ".gitbook/assets/a%20b.png",
        "https://e.com/a.png?b=c"
      ),
      text: fc.oneof(
        fc.constantFrom("f1", "a b.png", "a%20b.png"),
        fc.stringMatching(/^\S[ \w&<>."*_-]{0,20}\S$/)
      )
    })
    const escape = (text: string) => text.replace(/[&<]/g, (one) => `&#x${one.charCodeAt(0).toString(16)};`)
    fc.assert(
      fc.property(fc.array(link, { minLength: 1, maxLength: 3 }), (links) => {
        const cell = links.map(({ url, text }) => `<a href="${url}">${escape(text)}</a>`).join("")
        const markdown =
          '<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-cover data-type="files"></th></tr></thead>' +
          `<tbody><tr><td>a</td><td>${cell}</td></tr></tbody></table>\n`
        const document = fromMarkdown(markdown)
        expect(document.nodes).toMatchObject([{ type: "table" }])
        const written = toMarkdown(document)
        expect(written).toContain(`<td>${cell}</td>`.replaceAll("&#x3c;", "&#x3C;"))
        expect(fromMarkdown(written)).toEqual(document)
      }),
      runs(100)
    )
  })

  it("is read without empty lines between expandables", () => {
    const markdown =
      "<details>\n<summary>A</summary>\n\na\n\n</details>\n<details>\n<summary>B</summary>\n\nb\n\n</details>\n"
    expect(fromMarkdown(markdown).nodes).toMatchObject([{ type: "expandable" }, { type: "expandable" }])
  })

  it.each([
    ["expandables", "<details>\n<summary>a</summary>\n\n".repeat(3000)],
    [
      "closed expandables",
      `${"<details>\n<summary>a</summary>\n\n".repeat(1000)}${"</details>\n\n".repeat(1000)}`
    ],
    ["closing tags", "</details>\n\n".repeat(5000)],
    ["unclosed elements", `<div>${"<b>".repeat(20_000)}`],
    [
      "a long table",
      `<table><thead><tr><th>A</th></tr></thead><tbody>${"<tr><td>a</td></tr>".repeat(5000)}</tbody></table>`
    ],
    ["groups", '<div align="left">\n\n<figure><img src="a"></figure>\n\n'.repeat(2000)],
    ["formulas", "$$\n".repeat(20_000)]
  ])("is read in bounded CPU time: %s", (_, text) => {
    const { cpuMillis } = withCpuTime(() => toMarkdown(fromMarkdown(text)))
    // The bound is loose, for slow machines: superlinear work takes minutes.
    expect(cpuMillis).toBeLessThan(20_000)
  })
})
