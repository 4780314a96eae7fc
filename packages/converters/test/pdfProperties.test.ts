/** Properties of the PDF of any book: it contains every word once, in order, and the table of contents is correct. */
import { renderPdf } from "@lectern/converters/pdf"
import type { Book, PageId } from "@lectern/core"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { readPdf } from "../../../testing/pdfReader.ts"

/** Generates the Markdown of a block, with words from a counter. */
type Write = (word: () => string) => string

const wordCount = fc.integer({ min: 1, max: 60 })
const repeatWord = (count: number, word: () => string, separator = " ") =>
  Array.from({ length: count }, word).join(separator)
const indented = (text: string, by: string) => text.replace(/^(?=.)/gm, by)

const leaf: fc.Arbitrary<Write> = fc.oneof(
  wordCount.map(
    (count): Write =>
      (word) =>
        repeatWord(count, word)
  ),
  wordCount.map(
    (count): Write =>
      (word) =>
        `*${repeatWord(count, word)}* **${word()}** \`${word()}\` ~~${word()}~~`
  ),
  fc.integer({ min: 1, max: 6 }).map(
    (level): Write =>
      (word) =>
        `${"#".repeat(level)} ${word()}`
  ),
  wordCount.map(
    (count): Write =>
      (word) =>
        `\`\`\`\n${repeatWord(count, word, "\n")}\n\`\`\``
  ),
  fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 30 })).map(
    ([columns, rows]): Write =>
      (word) => {
        const row = () => `| ${repeatWord(columns, word, " | ")} |`
        return [row(), `|${" - |".repeat(columns)}`, ...Array.from({ length: rows }, row)].join("\n")
      }
  ),
  fc.constant<Write>((word) => `[${word()}](https://example.com/a)`),
  fc.constant<Write>((word) => `<p>${word()}<br>${word()}</p>`)
)

const { block } = fc.letrec<{ block: Write }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie("block"), { minLength: 1, maxLength: 3 }).map(
      (inner): Write =>
        (word) =>
          indented(inner.map((write) => write(word)).join("\n\n"), "> ").replace(/^$/gm, ">")
    ),
    fc.array(tie("block"), { minLength: 1, maxLength: 3 }).map(
      (inner): Write =>
        (word) =>
          inner.map((write) => `- ${indented(write(word), "  ").trimStart()}`).join("\n")
    )
  )
}))

const text: fc.Arbitrary<Write> = fc
  .array(block, { maxLength: 8 })
  .map((blocks) => (word) => blocks.map((write) => write(word)).join("\n\n"))

it("contains every word once and in order, and its contents link to the page of each title", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 2, maxLength: 6 }), async (texts) => {
      let last = 0
      const word = () => `w${last++}x`
      const titles: Array<string> = []
      const pages = texts.map((write, index) => {
        const title = word()
        titles.push(title)
        return {
          id: `p${index}` as PageId,
          depth: index % 3 === 0 ? 0 : 1,
          type: "document" as const,
          title,
          path: title,
          markdown: write(word)
        }
      })
      const book: Book = {
        title: "Book",
        date: "2026-01-01T00:00:00.000Z",
        hasContents: true,
        pages,
        addresses: new Map(),
        paths: new Map(),
        files: new Map()
      }
      const bytes = await renderPdf(book)
      expect(Buffer.from(await renderPdf(book)).equals(bytes)).toBe(true)
      const pdf = await readPdf(bytes)
      // The head of a table is repeated on each page of the table.
      const read = [...new Set(pdf.pages.slice(2).flatMap(({ text }) => text.match(/w\d+x/g) ?? []))]
      expect(read).toEqual(Array.from({ length: last }, (_, index) => `w${index}x`))
      const contents = pdf.pages[1]!.links.map(({ page }) => pdf.pages[page! - 1]!.text.split("\n")[0])
      expect(contents).toEqual(titles)
    }),
    runs(12)
  )
})
