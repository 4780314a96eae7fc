/** Attacks by files that the server fetches and parses: HTML, sitemaps, archives, documents and OpenAPI specs. */
import { deflateRawSync } from "node:zlib"
import { zipSync } from "fflate"
import { type Attack, fill, fillWith } from "../Attack.ts"
import type { Scene } from "../scene.ts"

const importAttack = (
  parser: string,
  source: string,
  name: string,
  contentType: string,
  file: () => string | Uint8Array
): Attack => ({
  parser,
  name,
  prepare: ({ publish, space }) => {
    const extension = source === "docx" ? ".docx" : source === "zip" ? ".zip" : ""
    const url = publish(`${encodeURIComponent(name)}${extension}`, contentType, file())
    return { requests: [{ method: "POST", path: `${space}/content/import`, body: { url, source } }] }
  }
})

const html = (name: string, file: () => string) => importAttack("HTML", "html", name, "text/html", file)
const zip = (name: string, file: () => Uint8Array) =>
  importAttack("zip", "zip", name, "application/zip", file)
const docx = (name: string, file: () => Uint8Array) =>
  importAttack(
    "docx",
    "docx",
    name,
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    file
  )

/** Declares the CPU time of an attack: its elements take a time that is linear, and longer than that of other parsers. */
const withCpu = (cpuMs: number, attack: Attack): Attack => ({ ...attack, costs: { cpuMs } })

let specCount = 0

/** Creates a spec, and waits until it is processed. */
const spec = (parser: string, name: string, text: () => string): Attack => ({
  parser,
  name,
  prepare: ({ organization, call }: Scene) => {
    const slug = `hostile-${specCount++}`
    return {
      requests: [
        { method: "POST", path: `${organization}/openapi`, body: { slug, source: { text: text() } } }
      ],
      settle: async ([response]) => {
        if (response!.status >= 300) return
        for (;;) {
          const { processingState } = await call<{ processingState: string }>(
            "GET",
            `${organization}/openapi/${slug}`
          )
          if (processingState === "complete") return
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
      }
    }
  }
})

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A document whose main part is this XML. */
const wordFile = (document: string): Uint8Array =>
  zipSync({
    "[Content_Types].xml": bytes(
      `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`
    ),
    "_rels/.rels": bytes(
      `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`
    ),
    "word/document.xml": bytes(
      `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${document}</w:body></w:document>`
    )
  })

/** The maximum size of a spec whose quotes are escaped in the request. */
const specBytes = 650_000

const openApi = (paths: string) => `{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{${paths}}}`

/** Attacks by files. */
export const fileAttacks: ReadonlyArray<Attack> = [
  html("nested elements", () => fill("<div>")),
  html("unclosed formatting", () => fill("<b><i><a href=x>")),
  html("nested tables", () => fill("<table><tr><td>")),
  html("a wide table in HTML", () => `<table><tr>${fill("<td>a")}</tr></table>`),
  html("attributes", () => `<p ${fillWith((i) => `a${i}=1`, " ")}>a</p>`),
  html("entities in HTML", () => fill("&amp;&lt;&#x41;")),
  html("paragraphs in HTML", () => fill("<p>a")),
  html("lists in HTML", () => fill("<ul><li>a")),
  html("unclosed comments in HTML", () => fill("<!--")),
  html("menus in menus", () => `${"<nav><ul><li>".repeat(90)}${fill("<a href=a>b</a>", 600_000)}`),
  html(
    "entries of a menu",
    () => `<nav><ul>${fillWith((i) => `<li><a href=p${i}>P</a>`, "", 450_000)}</ul></nav><p>a`
  ),
  withCpu(
    4000,
    html("hints in hints", () => `${'<div class="note admonition">'.repeat(280)}${fill("<p>a", 180_000)}`)
  ),
  withCpu(
    4000,
    html("hints with titles", () => fill("<div class=note><p class=title>A</p>b</div>", 700_000))
  ),
  withCpu(
    4000,
    html(
      "tabs in tabs",
      () =>
        `${"<div><div role=tablist><a role=tab>a</a></div><div role=tabpanel>".repeat(140)}${fill("<p>a", 180_000)}`
    )
  ),
  html(
    "radio buttons",
    () =>
      `<div>${fillWith((i) => `<input type=radio id=r${i}><label for=r${i}>a</label><div>b</div>`, "", 700_000)}</div>`
  ),
  withCpu(
    6000,
    html("footnotes that refer to each other", () =>
      fillWith((i) => `<p id=a${i}><a href="#a${i + 1}">1</a><a href="#a${i - 1}">2</a></p>`, "", 900_000)
    )
  ),
  html(
    "links to one footnote",
    () => `<ol><li id=a>${fillWith((i) => `<a href="#b${i}">1</a><a id=b${i} href="#a">2</a>`, "", 900_000)}`
  ),
  html("formulas", () => fill('<span class="math">\\(a\\)</span>')),
  html("lists of sections", () => fill('<ul><li><a href="#a">b</a></li></ul>')),
  html("text of markers", () => `<p>${fill("*_[]`")}</p>`),
  importAttack(
    "XML",
    "website",
    "a sitemap of addresses",
    "application/xml",
    () =>
      `<?xml version="1.0"?><urlset>${fillWith((i) => `<url><loc>http://127.0.0.1/${i}</loc></url>`)}</urlset>`
  ),
  zip("a bomb", () => zipSync({ "a.md": new Uint8Array(300_000_000) }, { level: 9 })),
  // The import writes 8,000 pages in one revision, which take 4 ms each. The heap of the server grows to several times
  // the size of the revision before V8 collects it. Repositories have as many pages.
  {
    ...zip("many entries", () =>
      zipSync(Object.fromEntries(Array.from({ length: 8_000 }, (_, i) => [`${i}.md`, bytes("a")])))
    ),
    costs: { cpuMs: 32_000, memoryMb: 500 }
  },
  zip("nested folders", () => zipSync({ [`${"a/".repeat(30_000)}a.md`]: bytes("a") })),
  zip("no archive", () => deflateRawSync(new Uint8Array(1000))),
  zip("signatures of entries", () => bytes(fill("PK\u0003\u0004PK\u0001\u0002"))),
  zip("a page of 45 kB of tables", () => zipSync({ "a.md": bytes(`|a|\n|-|\n${fill("|a|\n", 45_000)}`) })),
  zip("20 pages of tables of 12 kB", () =>
    zipSync(
      Object.fromEntries(
        Array.from({ length: 20 }, (_, i) => [`${i}.md`, bytes(`|a|\n|-|\n${fill("|a|\n", 12_000)}${i}\n`)])
      )
    )
  ),
  docx("paragraphs of a document", () => wordFile(fill("<w:p><w:r><w:t>a</w:t></w:r></w:p>", 20_000_000))),
  docx("nested tables of a document", () => wordFile(fill("<w:tbl><w:tr><w:tc>", 900_000))),
  withCpu(
    4000,
    docx("formulas of a document", () =>
      wordFile(fill("<w:p><m:oMath><m:r><m:t>a</m:t></m:r></m:oMath></w:p>", 1_500_000))
    )
  ),
  docx("nested formulas", () => wordFile(`<w:p><m:oMath>${fill("<m:rad><m:e>", 900_000)}`)),
  withCpu(
    5000,
    docx("unclosed formulas", () => wordFile(fill("<m:oMath>", 7_000_000)))
  ),
  docx("deep formulas", () =>
    wordFile(`<w:p><m:oMath>${"<m:rad><m:e>".repeat(5000)}${"</m:e></m:rad>".repeat(5000)}</m:oMath></w:p>`)
  ),
  withCpu(
    4000,
    docx("bookmarks and links of a document", () =>
      wordFile(
        fillWith(
          (i) =>
            `<w:p><w:bookmarkStart w:id="${i}" w:name="b${i}"/><w:hyperlink w:anchor="b${i}"><w:r><w:t>a</w:t></w:r></w:hyperlink></w:p>`,
          "",
          1_500_000
        )
      )
    )
  ),
  docx("entities of a document", () =>
    wordFile(`<w:p><w:r><w:t>${fill("&lt;", 8_000_000)}</w:t></w:r></w:p>`)
  ),
  docx("the most entities of a document", () =>
    wordFile(`<w:p><w:r><w:t>${fill("&lt;", 1_999_000)}</w:t></w:r></w:p>`)
  ),
  {
    ...docx("words of a document", () =>
      wordFile(`<w:p><w:r><w:t>${fill("a ", 8_000_000)}</w:t></w:r></w:p>`)
    ),
    costs: { cpuMs: 4000, memoryMb: 400 }
  },
  importAttack("Markdown", "markdown", "an import of lists", "text/markdown", () => fill("- a\n  - b\n")),
  spec(
    "YAML",
    "aliases of aliases in a spec",
    () =>
      `openapi: 3.1.0\na0: &a0 [x]\n${Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i},`.repeat(9)}]`).join("\n")}`
  ),
  spec("YAML", "nested lists in a spec", () => `openapi: 3.1.0\npaths: ${fill("[")}`),
  spec("YAML", "nested block lists in a spec", () => `openapi: 3.1.0\npaths:\n  ${fill("- ")}a`),
  spec("YAML", "nested explicit keys in a spec", () => `openapi: 3.1.0\npaths:\n  ${fill("? ")}a`),
  spec(
    "YAML",
    "keys nested by indentation in a spec",
    () => `openapi: 3.1.0\n${Array.from({ length: 1300 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")}`
  ),
  spec("YAML", "nested maps in a spec of 15 kB", () => `openapi: 3.1.0\npaths: ${fill("{a: ", 15_000)}`),
  spec("YAML", "keys in a spec", () => `openapi: 3.1.0\n${fillWith((i) => `k${i}: 1`, "\n", 850_000)}`),
  spec(
    "YAML",
    "keys in a spec of 15 kB",
    () => `openapi: 3.1.0\n${fillWith((i) => `k${i}: 1`, "\n", 15_000)}`
  ),
  spec("YAML", "a long scalar in a spec", () => `openapi: 3.1.0\nx: >\n${fill("  a\n\n", 700_000)}`),
  spec("OpenAPI", "paths", () =>
    openApi(fillWith((i) => `"/p${i}":{"get":{"responses":{}}}`, ",", specBytes))
  ),
  spec("OpenAPI", "tags of one operation", () =>
    openApi(`"/p":{"get":{"tags":[${fillWith((i) => `"t${i}"`, ",", specBytes)}],"responses":{}}}`)
  ),
  spec(
    "OpenAPI",
    "references to references",
    () =>
      `{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{"/":{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":{"$ref":"#/components/schemas/S0"}}}}}}}},"components":{"schemas":{${Array.from(
        { length: 60 },
        (_, i) =>
          `"S${i}":{"allOf":[${Array(8)
            .fill(`{"$ref":"#/components/schemas/S${i + 1}"}`)
            .join(",")}]}`
      ).join(",")},"S60":{"type":"string"}}}}`
  ),
  spec("OpenAPI", "nested schemas", () =>
    openApi(
      `"/p":{"get":{"responses":{"200":{"description":"","content":{"application/json":{"schema":${fill(`{"items":`, specBytes)}1${"}".repeat(100_000)}}}}}}}`
    )
  )
]
