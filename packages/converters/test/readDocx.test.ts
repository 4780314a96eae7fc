/** Tests of reading docx documents: documents that the test writes, and one that Pandoc 2.17 has written. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { readers } from "@lectern/converters/imports"
import { importBounds } from "@lectern/formats/threads"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { strToU8, zipSync } from "fflate"
import { describe, expect, it } from "vitest"

const namespaces =
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

/** The parts of a document: the XML of its body, its styles and its footnotes. */
interface Parts {
  readonly styles?: string
  readonly footnotes?: string
}

const archiveOf = (body: string, { styles = "", footnotes = "" }: Parts = {}): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries({
        "[Content_Types].xml": `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
        "_rels/.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${relations}/officeDocument" Target="word/document.xml"/></Relationships>`,
        "word/_rels/document.xml.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r2" Type="${relations}/styles" Target="styles.xml"/><Relationship Id="r3" Type="${relations}/footnotes" Target="footnotes.xml"/></Relationships>`,
        "word/styles.xml": `<?xml version="1.0"?><w:styles ${namespaces}>${styles}</w:styles>`,
        "word/footnotes.xml": `<?xml version="1.0"?><w:footnotes ${namespaces}>${footnotes}</w:footnotes>`,
        "word/document.xml": `<?xml version="1.0"?><w:document ${namespaces}><w:body>${body}</w:body></w:document>`
      }).map(([path, text]) => [path, strToU8(text)])
    )
  )

const readDocument = (bytes: Uint8Array) =>
  readers.docx({ bytes, url: "https://acme.example/report.docx", mark: "m" })

const markdownOf = async (body: string, parts?: Parts): Promise<string> =>
  (await readDocument(archiveOf(body, parts))).markdown

const run = (text: string, properties = "") =>
  `<w:r>${properties === "" ? "" : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`
const paragraph = (inner: string, style = "") =>
  `<w:p>${style === "" ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}${inner}</w:p>`
const style = (type: string, id: string, name: string, more = "") =>
  `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${name}"/>${more}</w:style>`
const courier = '<w:rFonts w:ascii="Courier New"/>'

describe("a docx document", () => {
  it("has code by the names, the fonts and the bases of styles", async () => {
    const styles = [
      style("paragraph", "Listing1", "Source Code"),
      style("paragraph", "Listing2", "My lines", '<w:basedOn w:val="Listing1"/>'),
      style("paragraph", "Listing3", "Typed", `<w:rPr>${courier}</w:rPr>`),
      style("character", "Verb", "Verbatim Char")
    ].join("")
    const body = [
      paragraph(
        `${run("Before ")}${run("a()", '<w:rStyle w:val="Verb"/>')}${run(" and ")}${run("b()", courier)}${run(".")}`
      ),
      paragraph(run("if x:"), "Listing1"),
      paragraph("", "Listing1"),
      paragraph(run("    run()"), "Listing2"),
      paragraph(run("Text."), ""),
      paragraph(`${run("one")}<w:r><w:br/></w:r>${run("  two")}`, "Listing3"),
      paragraph(run("Text.")),
      paragraph(run("$ ls *.md", courier))
    ].join("")
    expect(await markdownOf(body, { styles })).toBe(
      "Before `a()` and `b()`.\n\n```\nif x:\n\n    run()\n```\n\nText.\n\n```\none\n  two\n```\n\nText.\n\n```\n$ ls *.md\n```\n"
    )
  })

  it("has quotes, superscripts, links to its headings and footnotes", async () => {
    const styles = [
      style("paragraph", "Heading1", "heading 1"),
      style("paragraph", "Q", "Intense Quote")
    ].join("")
    const note = '<w:r><w:footnoteReference w:id="2"/></w:r>'
    const body = [
      paragraph(run("Title"), "Heading1"),
      paragraph(
        `${run("To ")}<w:hyperlink w:anchor="there">${run("the part")}</w:hyperlink>${run(", x")}${run("2", '<w:vertAlign w:val="superscript"/>')}${note}`
      ),
      paragraph(run("Said."), "Q"),
      paragraph(run("Again."), "Q"),
      paragraph(
        `<w:bookmarkStart w:id="1" w:name="there"/>${run("Part")}<w:bookmarkEnd w:id="1"/>`,
        "Heading1"
      )
    ].join("")
    const footnotes = `<w:footnote w:id="2">${paragraph(run("A note."))}</w:footnote>`
    expect(await markdownOf(body, { styles, footnotes })).toBe(
      "To [the part](#part), x<sup>2</sup>[^1]\n\n> Said.\n>\n> Again.\n\n# Part\n\n[^1]: A note.\n"
    )
  })

  it("is read like the source that Pandoc converted", async () => {
    const folder = join(import.meta.dirname, "documents")
    const { title, markdown } = await readDocument(new Uint8Array(readFileSync(join(folder, "pandoc.docx"))))
    expect(title).toBe("Report")
    expect(markdown).toBe(readFileSync(join(folder, "pandoc.imported.md"), "utf8"))
  })

  it("rejects footnotes and text that are larger than 8 MiB together", async () => {
    const text = paragraph(run("a".repeat(5 * 1024 * 1024)))
    const bytes = archiveOf(text, { footnotes: `<w:footnote w:id="2">${text}</w:footnote>` })
    expect(bytes.length).toBeLessThan(importBounds.archiveBytes)
    await expect(readDocument(bytes)).rejects.toThrow(/larger than 8 MiB/)
  })

  it("rejects more than 500,000 character references in footnotes and text together", async () => {
    const archive = (count: number) =>
      archiveOf(paragraph(run(`${"&amp;".repeat(count)} a`)), {
        footnotes: `<w:footnote w:id="2">${paragraph(run("&lt;"))}</w:footnote>`
      })
    const { markdown } = await readDocument(archive(499_999))
    expect(markdown.length).toBeGreaterThan(499_999)
    await expect(readDocument(archive(500_000))).rejects.toThrow(/more than 500,000 character references/)
  })
})

const mathRun = (text: string, properties = "") =>
  `<m:r>${properties}<m:t xml:space="preserve">${text}</m:t></m:r>`
const formula = (inner: string) => `<m:oMath>${inner}</m:oMath>`
const value = (name: string, text: string) => `<m:${name} m:val="${text}"/>`
const part = (name: string, inner: string) => `<m:${name}>${inner}</m:${name}>`

describe("a formula of a docx document", () => {
  const cases: ReadonlyArray<readonly [omml: string, tex: string]> = [
    [mathRun("α≤∞ℝ𝐱"), "\\alpha \\leq \\infty \\mathbb{R}\\mathbf{x}"],
    [mathRun("a_{b}%"), "a\\_\\{b\\}\\%"],
    [mathRun("if", "<m:rPr><m:nor/></m:rPr>"), "\\text{if}"],
    [part("f", part("num", mathRun("a")) + part("den", mathRun("b"))), "\\frac{a}{b}"],
    [
      part("f", part("fPr", value("type", "lin")) + part("num", mathRun("ab")) + part("den", mathRun("c"))),
      "{ab}/c"
    ],
    [
      part("sSubSup", part("e", mathRun("x")) + part("sub", mathRun("i")) + part("sup", mathRun("n+1"))),
      "x_{i}^{n+1}"
    ],
    [
      part("sPre", part("sub", mathRun("1")) + part("sup", mathRun("2")) + part("e", mathRun("A"))),
      "{}_{1}^{2}A"
    ],
    [part("rad", part("deg", mathRun("3")) + part("e", mathRun("x"))), "\\sqrt[{3}]{x}"],
    [
      part("nary", part("sub", mathRun("0")) + part("sup", mathRun("1")) + part("e", mathRun("f"))),
      "\\int_{0}^{1}f"
    ],
    [
      part(
        "nary",
        part("naryPr", value("chr", "∑") + value("supHide", "1")) +
          part("sub", mathRun("i")) +
          part("sup", "") +
          part("e", mathRun("x"))
      ),
      "\\sum_{i}x"
    ],
    [
      part(
        "d",
        part("dPr", value("begChr", "[") + value("endChr", ")")) +
          part("e", mathRun("a")) +
          part("e", mathRun("b"))
      ),
      "\\left[a | b\\right)"
    ],
    [
      part(
        "d",
        part("dPr", value("begChr", "{") + value("endChr", "")) +
          part("e", part("eqArr", part("e", mathRun("a&amp;=1")) + part("e", mathRun("b"))))
      ),
      "\\begin{cases} a&=1 \\\\ b \\end{cases}"
    ],
    [
      part("m", part("mr", part("e", mathRun("a")) + part("e", mathRun("b")))),
      "\\begin{matrix} a & b \\end{matrix}"
    ],
    [part("func", part("fName", mathRun("sin")) + part("e", mathRun("x"))), "\\sin x"],
    [
      part(
        "func",
        part("fName", part("limLow", part("e", mathRun("lim")) + part("lim", mathRun("n")))) +
          part("e", mathRun("a"))
      ),
      "\\lim_{n}a"
    ],
    [part("acc", part("accPr", value("chr", "\u20d7")) + part("e", mathRun("v"))), "\\vec{v}"],
    [part("bar", part("barPr", value("pos", "top")) + part("e", mathRun("v"))), "\\overline{v}"],
    [
      part("limLow", part("e", part("groupChr", part("e", mathRun("a+b")))) + part("lim", mathRun("c"))),
      "\\underbrace{a+b}_{c}"
    ],
    [part("borderBox", part("e", mathRun("x"))), "\\boxed{x}"]
  ]
  for (const [omml, tex] of cases) {
    it(`is TeX: ${tex}`, async () => {
      expect(await markdownOf(paragraph(`${run("a ")}${formula(omml)}${run(" b")}`))).toBe(`a $$${tex}$$ b\n`)
    })
  }

  it("is a block if it is a paragraph, also next to text", async () => {
    const block = `<m:oMathPara>${formula(mathRun("x"))}</m:oMathPara>`
    expect(await markdownOf(paragraph(block))).toBe("$$\nx\n$$\n")
    expect(await markdownOf(paragraph(`${run("One.")}${block}${run("Two.")}`))).toBe(
      "One.\n\n$$\nx\n$$\n\nTwo.\n"
    )
  })

  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 6, withCrossShrink: true },
      fc.constantFrom("a", "{", "}", "\\", "&amp;", "^", "_", "∑", "⟨", "# %").map((text) => mathRun(text)),
      fc
        .tuple(
          fc.constantFrom(
            ["f", "num", "den"],
            ["sSup", "e", "sup"],
            ["d", "e", "e"],
            ["nary", "sub", "e"],
            ["rad", "deg", "e"],
            ["eqArr", "e", "e"],
            ["limLow", "e", "lim"]
          ),
          tie("tree"),
          tie("tree")
        )
        .map(([[name, first, second], a, b]) => part(name!, part(first!, a) + part(second!, b)))
    )
  }))

  it("has balanced braces and delimiters for any content", async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (omml) => {
        const markdown = await markdownOf(paragraph(`${run("start ")}${formula(omml)}${run(" end")}`))
        const tex = /^start \$\$(.*)\$\$ end\n$/s.exec(markdown)?.[1]
        expect(tex, markdown).toBeDefined()
        const plain = tex!.replaceAll(/\\[\\{}]/g, "")
        let depth = 0
        for (const character of plain) {
          if (character === "{") depth++
          if (character === "}") depth--
          expect(depth).toBeGreaterThanOrEqual(0)
        }
        expect(depth).toBe(0)
        const count = (pattern: RegExp) => [...plain.matchAll(pattern)].length
        expect(count(/\\left(?![a-z])/g)).toBe(count(/\\right(?![a-z])/g))
        expect(count(/\\begin\{/g)).toBe(count(/\\end\{/g))
      }),
      runs(100)
    )
  })
})
