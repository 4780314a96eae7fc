/** The blocks of documents in PDFs: their text, their structure and the glyphs of each script. */
import { fileURLToPath } from "node:url"
import { renderPdf } from "@lectern/converters/pdf"
import type { Book, BookFile, FileId, PageId } from "@lectern/core"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readPdf } from "../../../testing/pdfReader.ts"
import { readStructure } from "../../../testing/pdfStructure.ts"

const svg = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="12"><rect width="30" height="12" fill="red"/></svg>'
)
const files = new Map<FileId, BookFile>([
  ["f1" as FileId, { name: "drawing.svg", url: "https://example.com/f1", image: svg }],
  ["f2" as FileId, { name: "report.txt", url: "https://example.com/f2" }]
])

const bookOf = (...texts: ReadonlyArray<string>): Book => ({
  title: "Book",
  date: "2026-01-01T00:00:00.000Z",
  hasContents: false,
  pages: texts.map((markdown, index) => ({
    id: `p${index}` as PageId,
    depth: 0,
    type: "document",
    title: `Title ${index}`,
    path: `title-${index}`,
    markdown
  })),
  addresses: new Map(),
  paths: new Map(),
  files
})

type Write = (word: () => string, inner: () => string) => string

const fence = "```"

/** One form of each block, with words from a counter and, in containers, inner blocks. */
const blocks: ReadonlyArray<Write> = [
  (word) => `${word()} **${word()}** *${word()}* <kbd>${word()}</kbd> x<sup>${word()}</sup>`,
  (word) =>
    `<mark style="color:red;">${word()}</mark> :smile: <i class="fa-gear">:gear:</i> $$a_1^2$$ ${word()}`,
  (word) => `### ${word()}`,
  (word) => `${fence}ts\nconst ${word()} = "${word()}" // ${word()}\n${fence}`,
  (word) => `{% code title="${word()}" lineNumbers="true" %}\n${fence}\n${word()}\n${fence}\n{% endcode %}`,
  (word) => `| ${word()} | ${word()} |\n| --- | --: |\n| ${word()} | ${word()} |`,
  (word) =>
    `<table><thead><tr><th>${word()}</th><th data-type="rating" data-max="5">${word()}</th></tr></thead><tbody><tr><td>${word()}</td><td>3</td></tr></tbody></table>`,
  (word) =>
    `<table data-view="cards"><thead><tr><th></th><th></th></tr></thead><tbody><tr><td>${word()}</td><td>${word()}</td></tr><tr><td>${word()}</td><td>${word()}</td></tr></tbody></table>`,
  (word) => `{% embed url="https://example.com/video" %}\n${word()}\n{% endembed %}`,
  (word) =>
    `{% content-ref url="https://example.com" %}\n[${word()}](https://example.com)\n{% endcontent-ref %}`,
  (word) => `{% file src="/files/f2" %}\n${word()}\n{% endfile %}`,
  (word) =>
    `{% openapi-operation spec="petstore" path="/${word()}" method="get" %}\n[OpenAPI](https://example.com/a.json)\n{% endopenapi-operation %}`,
  (word) => `{% @mermaid/diagram content="${word()}" %}`,
  (word) => `<a href="https://example.com" class="button primary">${word()}</a>`,
  (word) => `<figure><img src="/files/f1" alt=""><figcaption><p>${word()}</p></figcaption></figure>`,
  () => "$$\n\\frac{a}{b}\n$$",
  (word) => `$$\n\\frac{${word()}\n$$`,
  () => "---",
  (_, inner) => `{% hint style="warning" %}\n${inner()}\n{% endhint %}`,
  (word, inner) =>
    `{% tabs %}\n{% tab title="${word()}" %}\n${inner()}\n{% endtab %}\n{% tab title="${word()}" %}\n${inner()}\n{% endtab %}\n{% endtabs %}`,
  (_, inner) => `{% stepper %}\n{% step %}\n${inner()}\n{% endstep %}\n{% endstepper %}`,
  (_, inner) =>
    `{% columns %}\n{% column width="30%" %}\n${inner()}\n{% endcolumn %}\n{% column %}\n${inner()}\n{% endcolumn %}\n{% endcolumns %}`,
  (word, inner) => `<details>\n\n<summary>${word()}</summary>\n\n${inner()}\n\n</details>`,
  (_, inner) => `{% if visitor.claims.beta %}\n${inner()}\n{% endif %}`,
  (word, inner) =>
    `{% updates %}\n{% update date="${word()}" %}\n${inner()}\n{% endupdate %}\n{% endupdates %}`,
  (_, inner) => `> ${inner().replaceAll("\n", "\n> ")}`,
  (_, inner) => `- ${inner().replaceAll("\n", "\n  ")}`
]

/** Generates Markdown of nested blocks, with a function that returns words. */
const document = fc
  .array(fc.tuple(fc.nat(blocks.length - 1), fc.infiniteStream(fc.nat(blocks.length - 1))), { maxLength: 6 })
  .map((choices) => (word: () => string) => {
    let depth = 0
    const write = (index: number, stream: Iterator<number>): string =>
      blocks[index]!(word, () => {
        if (depth >= 3) return word()
        depth++
        const text = write(stream.next().value as number, stream)
        depth--
        return text
      })
    return choices.map(([index, stream]) => write(index, stream[Symbol.iterator]())).join("\n\n")
  })

describe("blocks in a PDF", () => {
  it("have all of their text", async () => {
    await fc.assert(
      fc.asyncProperty(document, async (write) => {
        let last = 0
        const markdown = write(() => `w${last++}x`)
        const { text } = await readPdf(await renderPdf(bookOf(markdown)))
        const found = new Set(text.match(/w\d+x/g) ?? [])
        const missing = Array.from({ length: last }, (_, index) => `w${index}x`).filter(
          (word) => !found.has(word)
        )
        expect({ markdown, missing }).toEqual({ markdown, missing: [] })
      }),
      runs(30)
    )
  })

  it("never fail, for any Markdown", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.string({ unit: "binary", maxLength: 30 }),
            fc.constantFrom(
              "\n\n",
              '{% hint style="info" %}\n',
              "{% endhint %}\n",
              "{% tabs %}\n",
              '{% tab title="a" %}\n',
              "{% columns %}\n",
              "{% column %}\n",
              "$$",
              "\\frac{",
              "<table>",
              "<details>\n\n",
              "![a](/files/f1)",
              "[^1]",
              "[^1]: ",
              "```js\n",
              "> ",
              "- "
            )
          ),
          { maxLength: 30 }
        ),
        async (parts) => {
          const { pages } = await readPdf(await renderPdf(bookOf(parts.join(""))))
          expect(pages.length).toBeGreaterThan(0)
        }
      ),
      runs(30)
    )
  })

  it("have types, alternative text and languages in the structure", async () => {
    const markdown = [
      "## Heading\n\nText with $$x^2$$.",
      "- item",
      "> quote",
      "| A |\n| - |\n| 1 |",
      "![The drawing](/files/f1)",
      "[link](https://example.com)",
      `${fence}\ncode\n${fence}`
    ].join("\n\n")
    const { language, elements } = await readStructure(
      await renderPdf(bookOf(markdown, "日本語のページです。"))
    )
    expect(language).toBe("en")
    const roles = new Set(elements.map(({ role }) => role))
    for (const role of [
      "H1",
      "H3",
      "P",
      "L",
      "LI",
      "Lbl",
      "LBody",
      "BlockQuote",
      "Table",
      "TR",
      "TH",
      "TD",
      "Link",
      "Code"
    ]) {
      expect(roles).toContain(role)
    }
    const alternatives = elements.flatMap(({ role, alt }) => (alt === undefined ? [] : [[role, alt]]))
    expect(alternatives).toEqual([
      ["Formula", "x^2"],
      ["Figure", "The drawing"]
    ])
    const japanese = await readStructure(await renderPdf(bookOf("日本語のページです。")))
    expect(japanese.language).toBe("ja")
  })

  it("keep the rows of a table and the items of a list on their pages", async () => {
    const items = Array.from({ length: 200 }, (_, index) => `- item${index}x`).join("\n")
    const long = `{% hint style="info" %}\n${items}\n{% endhint %}`
    const { pages } = await readPdf(await renderPdf(bookOf(long)))
    expect(pages.length).toBeGreaterThan(3)
    const found = pages.flatMap(({ text }) => text.match(/item\d+x/g) ?? [])
    expect(found).toEqual(Array.from({ length: 200 }, (_, index) => `item${index}x`))
  })
})

const scripts = {
  Thai: "ภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอน",
  Korean: "한국어는 대한민국의 공용어이다",
  Japanese: "日本語は日本国内で使われている言語カタカナ",
  Chinese: "中文是联合国官方语言之一",
  Arabic: "اللغة العربية هي أكثر اللغات السامية",
  Hebrew: "עברית היא שפה שמית",
  Greek: "Η ελληνική γλώσσα",
  Russian: "Русский язык",
  Vietnamese: "Tiếng Việt có nhiều dấu"
}

describe("text in a PDF", () => {
  it.each(Object.entries(scripts))("in %s is complete, and has no missing glyphs", async (_, sample) => {
    const bytes = await renderPdf(bookOf(`${sample}\n\n**${sample}**`))
    expect((await readStructure(bytes)).missingGlyphs).toBe(0)
    const { text } = await readPdf(bytes)
    // Words of right-to-left scripts are separate items, in the order of reading.
    const letters = (value: string) => value.normalize("NFKC").replace(/[^\p{L}\p{M}]/gu, "")
    expect(letters(text)).toBe(letters(`Title${sample}${sample}Book`))
  })

  it("has a glyph that reports missing characters, which the test of scripts detects", async () => {
    const bytes = await renderPdf(bookOf("\u{12000}"))
    expect((await readStructure(bytes)).missingGlyphs).toBe(1)
  })

  it("uses the fonts of the host before the default fonts", async () => {
    const font = fileURLToPath(new URL("../assets/fonts/NotoSansThai-Bold.ttf", import.meta.url))
    const own = await renderPdf(bookOf(scripts.Thai), { fonts: [font] })
    expect(Buffer.from(own).includes("NotoSansThai-Bold")).toBe(true)
    expect(Buffer.from(await renderPdf(bookOf(scripts.Thai))).includes("NotoSansThai-Bold")).toBe(false)
  })
})
