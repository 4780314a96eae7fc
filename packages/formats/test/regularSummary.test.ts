/** Tables of contents are read line by line if that has the result of the parser, and with any number of entries. */
import { readSummary } from "@lectern/formats/threads"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readMarkdownSummary } from "../src/repository/readSummary.ts"
import { readRegularSummary } from "../src/repository/regularSummary.ts"

/** Titles and destinations: common ones, and ones that Markdown changes. */
const title = fc.oneof(
  fc.constantFrom(
    "Page",
    "A page",
    "Überblick (2)",
    "Q&A",
    "*Bold*",
    "`code`",
    "www.example.com",
    "a@b.example"
  ),
  fc.stringMatching(/^[\w .,;:'"()/?!&<>[\]*~$@–—-]{1,12}$/u)
)
const destination = fc.oneof(
  fc.constantFrom("a.md", "a/b.md#c", "https://example.com/?a=b&c=d", "../a%20b.md", "<a b.md>", "a(b).md"),
  fc.stringMatching(/^[\w./#?%=:~+,@()&\\-]{1,12}$/)
)

/** A line: an item at an indentation, a heading, a rule, or something else. */
const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.nat(9), fc.constantFrom("* ", "- ", "+ ", "*  ", "*    ", "*     "), title, destination)
      .map(([spaces, marker, text, url]) => `${" ".repeat(spaces)}${marker}[${text}](${url})`)
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 7 }), title)
      .map(([depth, text]) => `${"#".repeat(depth)} ${text}`)
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "---",
      "***",
      "___",
      "text",
      "1. [a](b.md)",
      "* a",
      "  ",
      "> a",
      "\t* [a](b.md)"
    )
  },
  { weight: 2, arbitrary: fc.constant("") }
)

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

describe("a table of contents with lines of the common forms", () => {
  it("has the entries of the parser of Markdown", () => {
    let regular = 0
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const text = lines.join("\n")
        const entries = readRegularSummary(text)
        if (entries === undefined) return
        regular += lines.length > 1 ? 1 : 0
        expect(entries).toEqual(readMarkdownSummary(text))
      }),
      runs(1_500)
    )
    expect(regular).toBeGreaterThan(0)
  })

  it("is read without the parser, with all of its entries, in its first forms", () => {
    const text = Array.from(
      { length: 5_000 },
      (_, index) => `## G\n\n* [A ${index}](https://example.com/${index})\n`
    )
    expect(readRegularSummary(text.join("\n"))).toHaveLength(10_000)
  })
})

describe("a table of contents whose titles have markup", () => {
  it("is read for any number of sections", () => {
    for (const count of [500, 1_200]) {
      const text = Array.from(
        { length: count },
        (_, index) => `## *Group* ${index}\n\n* [\`A\` ${index}](p/${index}.md)\n`
      )
      expect([count, readSummary(bytesOf(text.join("\n"))).length]).toEqual([count, 2 * count])
    }
  })
})
