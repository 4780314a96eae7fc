/** The content of PDFs: writing systems, includes, images, and adversarial content. */
import { performance } from "node:perf_hooks"
import { BackgroundWork } from "@lectern/core"
import { isFastRun } from "@lectern/harness"
import { Clock, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { titlesOf } from "../../../testing/pdfReader.ts"
import { images, png, startSpace, textOf } from "./support/pdf.ts"

describe("a PDF", () => {
  it("has the characters of many languages", async () => {
    const { at, write, readExportedPdf } = await startSpace()
    const texts = {
      Polish: "Zażółć gęślą jaźń",
      Vietnamese: "Trăm năm trong cõi người ta",
      Greek: "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
      Cyrillic: "Съешь же ещё этих мягких французских булок",
      Georgian: "ქართული ენა",
      Armenian: "Հայերեն լեզու",
      Chinese: "中文文档，你好世界。",
      Japanese: "いろはにほへと、カタカナ。",
      Hebrew: "שלום עולם",
      Arabic: "مرحبا بالعالم",
      Symbols: "→ ∑ ∞ ≠ ☑ €",
      Emoji: "🚀 ✅"
    }
    await write(
      "Ἀρχή и конец",
      Object.values(texts)
        .map((text) => `${text}\n\n## ${text}\n\n\`${text}\`\n\n*${text}*`)
        .join("\n\n")
    )
    const pdf = await readExportedPdf(`${at}/pdf`)
    expect(pdf.pages[1]!.text).toContain("Ἀρχή и конец 3")
    const lines = pdf.pages.slice(2).flatMap(({ text }) => text.split("\n"))
    for (const [language, text] of Object.entries(texts)) {
      // As a paragraph, a heading, code and emphasis. The PDF reader omits spaces between right-to-left words.
      const isRightToLeft = language === "Hebrew" || language === "Arabic"
      const expected = isRightToLeft ? text.replaceAll(" ", "") : text
      expect([language, lines.filter((line) => line === expected).length]).toEqual([language, 4])
    }
    expect(titlesOf(pdf.outline).map((title) => title.trim().replace(/ \d+$/, ""))).toEqual([
      "Ἀρχή и конец",
      ...Object.values(texts)
    ])
  })

  it("expands includes and computed pages, in the order of the tree", async () => {
    const { server, organization, call, at, edit, write, readExportedPdf } = await startSpace()
    const document = {
      openapi: "3.1.0",
      info: { title: "Pets", version: "1" },
      paths: { "/pets": { get: { tags: ["Animals"], summary: "List the pets", responses: {} } } }
    }
    await call("POST", `/orgs/${organization}/openapi`, {
      slug: "pets",
      source: { text: JSON.stringify(document) }
    })
    await server.core.runtime.runPromise(
      Effect.provideService(
        Effect.flatMap(BackgroundWork, ({ drain }) => drain),
        Clock.Clock,
        server.core.clock
      )
    )
    const spec = await call<{ id: string }>("GET", `/orgs/${organization}/openapi/pets`)
    await edit({
      operation: "insert_reusable_content",
      title: "Note",
      document: { markdown: "Shared words." }
    })
    const { reusableContents } = await call<{ reusableContents: ReadonlyArray<{ id: string }> }>(
      "GET",
      `${at}/content`
    )
    await write("First", `{% include "/reusable-contents/${reusableContents[0]!.id}" %}`)
    const source = {
      type: "builtin:openapi",
      dependencies: { spec: { ref: { kind: "openapi", spec: spec.id } } },
      props: { models: false }
    }
    const computed = (
      await edit({ operation: "insert_page", type: "computed", title: "API", computed: source })
    ).changes[0]!.page.id
    await write("Last", "The end.")
    const pdf = await readExportedPdf(`${at}/pdf`)
    expect(pdf.outline.map(({ title, page }) => `${title} ${page}`)).toEqual([
      "First 3",
      "Animals 4",
      "Last 5"
    ])
    expect(textOf(pdf, 3)).toBe("First Shared words. Handbook 3")
    expect(textOf(pdf, 4)).toContain("List the pets")
    expect((await readExportedPdf(`${at}/pdf?page=${computed}`)).outline.map(({ title }) => title)).toEqual([
      "Animals"
    ])
  })

  it.skipIf(isFastRun)("has correct page numbers over hundreds of pages", async () => {
    const { at, edit, readExportedPdf } = await startSpace()
    const count = 120
    for (let from = 0; from < count; from += 40) {
      const pages = Array.from({ length: 40 }, (_, index) => from + index)
      await edit(
        ...pages.map((number) => ({
          operation: "insert_page",
          title: `Chapter ${number}`,
          document: {
            markdown: `${"Words. ".repeat(1 + number * 15)}\n\n# Heading ${number}\n\n[back](/pages/none) [there](#nowhere)`
          }
        }))
      )
    }
    const pdf = await readExportedPdf(`${at}/pdf`)
    const contents = pdf.pages.filter(({ text }) => /^(Contents\n)?Chapter \d+ \d+\nChapter/.test(text))
    expect(contents.length).toBeGreaterThan(2)
    const entries = contents.flatMap(({ links }) => links)
    expect(entries.length).toBe(count)
    for (const [index, { text, page }] of entries.entries()) {
      expect(text).toBe(`Chapter ${index} ${page}`)
      expect(pdf.pages[page! - 1]!.text).toMatch(new RegExp(`^Chapter ${index}\n`))
    }
    expect(pdf.outline.map(({ title, page }) => `${title} ${page}`)).toEqual(entries.map(({ text }) => text))
    for (const [index, { items }] of pdf.outline.entries()) {
      const [heading] = items
      expect(heading!.title).toBe(`Heading ${index}`)
      expect(pdf.pages[heading!.page - 1]!.text).toContain(`Heading ${index}\n`)
    }
    // The footer of each page has its number.
    for (const [index, { text }] of pdf.pages.entries()) {
      if (index > 0) expect(text).toMatch(new RegExp(`\nHandbook ${index + 1}$`))
    }
    expect(pdf.text.split("Words.").length - 1).toBe(count + (15 * count * (count - 1)) / 2)
  })
})

describe("images in a PDF", () => {
  it("are shown in every format, also in HTML and tables, and are clickable inside links", async () => {
    const { at, edit, write, readExportedPdf } = await startSpace()
    const { insertedFiles } = await edit({
      operation: "insert_files",
      files: Object.entries(images).map(([name, bytes]) => ({
        name,
        contentType: `image/${name.split(".").at(-1)!.replace("jpg", "jpeg")}`,
        base64: bytes.toString("base64")
      }))
    })
    const files = insertedFiles!.map(({ id }) => id)
    const names = Object.keys(images)
    for (const [index, name] of names.entries()) await write(name, `![it](/files/${files[index]})`)
    await write("HTML", `<figure><img alt="a" src="/files/${files[0]}"></figure>`)
    await write("Table", `| a |\n| - |\n| [![b](/files/${files[1]})](https://example.com/b) |`)
    const pdf = await readExportedPdf(`${at}/pdf`)
    const shown = pdf.pages.slice(2).map(({ pictures, text }) => [text.split("\n")[0], pictures])
    expect(shown).toEqual([...names, "HTML", "Table"].map((name) => [name, 1]))
    expect(pdf.pages.at(-1)!.links.map(({ url }) => url)).toEqual(["https://example.com/b"])
  })
})

describe("conditional content in a PDF", () => {
  it("is omitted unless a visitor without claims can see it", async () => {
    const { at, write, readExportedPdf } = await startSpace()
    await write(
      "Plans",
      "Before\n\n{% if visitor.claims.beta %}\nSecret\n{% endif %}\n\n{% if true %}\nPublic\n{% endif %}\n\n`{% if %}`"
    )
    const { text } = await readExportedPdf(`${at}/pdf`)
    expect(text).toMatch(/Before\nPublic\n\{% if %\}/)
    expect(text).not.toContain("Secret")
  })
})

describe("adversarial content", () => {
  it("is printed as text, without images that cannot be decoded or links that are not HTTP", async () => {
    const { at, edit, insert, write, readExportedPdf } = await startSpace()
    const { insertedFiles } = await edit({
      operation: "insert_files",
      files: [
        ["cut.png", png(50, 50).subarray(0, 60)],
        ["text.png", Buffer.from("This is no picture at all, whatever it says.")],
        // The header declares 100,000 × 100,000 pixels.
        ["huge.png", Buffer.from(png(1, 1)).fill(Buffer.from([0, 1, 0x86, 0xa0, 0, 1, 0x86, 0xa0]), 16, 24)],
        ["fine.png", png(3000, 10)]
      ].map(([name, bytes]) => ({
        name,
        contentType: "image/png",
        base64: (bytes as Buffer).toString("base64")
      }))
    })
    const pictures = insertedFiles!.map(({ id }, index) => `![picture ${index}](/files/${id})`)
    await write(
      "Broken",
      [
        ...pictures,
        "![gone](/files/nothing) [bad](javascript:alert(1)) [worse](https://[) [odd](/pages/%E0%A4%A)",
        `e${"\u0301\u0323".repeat(50_000)}`,
        "x".repeat(50_000),
        `|${"a|".repeat(40)}\n|${"-|".repeat(40)}\n|${"b|".repeat(40)}`,
        `| tall |\n| - |\n| ${"cell ".repeat(5000)} |`,
        "<div <script>never</script><!-- nor this",
        "[^a] [^a]: text\n\n[^a]: note [^a]"
      ].join("\n\n")
    )
    await write("Deep", `${">".repeat(500)} deep`)
    await write("Deeper", `${"- ".repeat(60)}deeper`)
    await write("Marked", "*a _b ".repeat(20_000))
    const target = { kind: "url", url: "javascript:alert(1)" }
    const group = await insert({ type: "group", title: "Of links alone" })
    await insert({ type: "link", title: "Worst", target, into: group })
    const broken = await readExportedPdf(`${at}/pdf`)
    expect(broken.text.split("cell").length - 1).toBe(5000)
    expect(broken.outline.map(({ title }) => title)).toEqual(["Broken", "Deep", "Deeper", "Marked"])
    for (const words of ["[picture 0]", "[picture 1]", "[picture 2]", "[gone]", "bad"]) {
      expect([words, broken.text.includes(words)]).toEqual([words, true])
    }
    expect(broken.text.includes("never")).toBe(false)
    expect(broken.pages[1]!.text).toContain("Of links alone\nWorst\n")
    expect(broken.pages[1]!.links.length).toBe(4)
    expect(broken.pages.reduce((sum, page) => sum + page.pictures, 0)).toBe(1)
    const addresses = broken.pages.flatMap(({ links }) => links.flatMap(({ url }) => url ?? []))
    expect(addresses.filter((url) => !/^http:/.test(url))).toEqual([])
  })

  it.skipIf(isFastRun)(
    "of 10 MB is rendered in another thread, while the server responds",
    async () => {
      const { server, at, token, write } = await startSpace()
      const prose = "The quick brown fox jumps over a lazy dog. ".repeat(100_000)
      await write("Long", prose)
      await write("Longer", prose)
      let isDone = false
      const pendingResponse = server.fetch(`/v1${at}/pdf`, { token }).finally(() => {
        isDone = true
      })
      let healthy = 0
      const before = performance.eventLoopUtilization()
      while (!isDone) {
        await server.fetch("/healthz")
        healthy++
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      const { utilization } = performance.eventLoopUtilization(before)
      const response = await pendingResponse
      const body = await response.json()
      expect([200, 409]).toContain(response.status)
      expect(response.status === 200 ? body.url : body.error.message).toMatch(
        /\/pdf\/|(Export|ask for) a part of it/
      )
      expect(healthy).toBeGreaterThan(20)
      // The event loop is idle for more than half of the time, as another thread renders the PDF.
      expect(utilization).toBeLessThan(0.5)
    },
    240_000
  )
})
