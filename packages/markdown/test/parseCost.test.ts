/** Properties of the bounds of Markdown and documents: the estimated cost of parsing, and the number of nodes. */

import { runs } from "@lectern/harness"
import {
  boundedFromMarkdown,
  estimateParseCost,
  isVerbatim,
  maximumParseCost,
  parse
} from "@lectern/markdown/document"
import { JsonDocument, maximumNodes, maximumSpecialCharacters } from "@lectern/model/document"
import { fieldsOf } from "@lectern/model/schema"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { randomMarkers, randomTables } from "./support/markdown.ts"

const decode = Schema.decodeUnknownResult(JsonDocument)

const countNodes = (node: object): number =>
  1 +
  ("children" in node ? (node.children as ReadonlyArray<object>) : []).reduce(
    (sum, child) => sum + countNodes(child),
    0
  )

/** Constructs, each of which creates nodes from a few characters. */
const units = [
  ..."a|[]!*_~`<&$#->\n ",
  ...[
    "\n\n",
    "- a\n",
    "1. a\n",
    "> a\n",
    "# a\n",
    "|a|b|\n",
    "|-|-|\n",
    "[a](b) ",
    "![a](b) ",
    "[^a]",
    "\n[^a]: b\n"
  ],
  ...[
    "*a* ",
    "`a` ",
    "$$a$$ ",
    "a@b.c ",
    "www.a.b ",
    "https://a.b ",
    "<b>a</b>",
    "a  \n",
    "a\\\n",
    ":smile: ",
    "---\n"
  ],
  ...[
    "[a]: b\n",
    "{% hint %}\n",
    "{% endhint %}\n",
    "<div>\n\n",
    "$$\na\n$$\n",
    "```\na\n```\n",
    "\t\n",
    "a\n=\n"
  ]
]

/** Markdown that repeats sequences of constructs. */
const repeated = fc
  .array(
    fc
      .tuple(
        fc.array(fc.constantFrom(...units), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 60 })
      )
      .map(([parts, count]) => parts.join("").repeat(count)),
    { maxLength: 4 }
  )
  .map((parts) => parts.join(""))

describe("the estimated cost of Markdown", () => {
  it("is at least one per node of its syntax tree", () => {
    fc.assert(
      fc.property(fc.oneof(repeated, randomMarkers, randomTables), (markdown) => {
        const root = parse(markdown)
        fc.pre(!isVerbatim(root))
        expect(countNodes(root)).toBeLessThanOrEqual(
          estimateParseCost(markdown, Number.POSITIVE_INFINITY) + 10
        )
      }),
      runs(1000)
    )
  })

  it("is at most 70 per character, so that short Markdown is parsed without an estimate", () => {
    const marks = fc.string({ unit: fc.constantFrom(..."[^]:|-`~$@<&*_1. a\n"), maxLength: 60 })
    fc.assert(
      fc.property(fc.oneof(repeated, randomMarkers, randomTables, marks), (markdown) => {
        expect(estimateParseCost(markdown, Number.POSITIVE_INFINITY)).toBeLessThanOrEqual(
          70 * markdown.length
        )
      }),
      runs(1000)
    )
  })

  it("grows with the number of repetitions, so that every construct is rejected from some size on", () => {
    for (const unit of units.filter(({ length }) => length > 1)) {
      expect(isVerbatim(parse(unit.repeat(300_000))), unit).toBe(true)
    }
  }, 120_000)

  it("permits long prose", () => {
    const prose = "The quick brown fox jumps over the *lazy* dog, as a [link](https://example.com) shows.\n\n"
    expect(isVerbatim(parse(prose.repeat(3_000)))).toBe(false)
  })
})

describe("the document of Markdown", () => {
  it("has so few nodes that it is accepted in a request", () => {
    const long = fc
      .tuple(fc.constantFrom(...units), fc.constantFrom(...units), fc.integer({ min: 1_000, max: 4_500 }))
      .map(([first, second, count]) => (first + second).repeat(count))
    fc.assert(
      fc.property(long, (markdown) => {
        const document = boundedFromMarkdown(markdown)
        const decoded = decode(JSON.parse(JSON.stringify(document)))
        expect(Result.isFailure(decoded) ? fieldsOf(decoded.failure.issue) : []).toEqual([])
      }),
      runs(30)
    )
  }, 120_000)

  it(`is rejected in a request if it has more than ${maximumNodes} nodes`, () => {
    const paragraph = {
      object: "block",
      type: "paragraph",
      nodes: [{ object: "text", leaves: [{ object: "leaf", text: "a", marks: [] }] }]
    }
    const documentOf = (paragraphs: number) => ({
      object: "document",
      data: {},
      nodes: Array.from({ length: paragraphs }, () => paragraph)
    })
    const most = Math.floor((maximumNodes - 1) / 3)
    expect(Result.isSuccess(decode(documentOf(most)))).toBe(true)
    expect(Result.isFailure(decode(documentOf(most + 1)))).toBe(true)
  })

  it("is accepted in a request for any special characters that the parser accepts", () => {
    const unit = fc.constantFrom(
      ..."|[]*_~`<&\\${@:!",
      "&lt;",
      "&#124;",
      "www.a ",
      "https://a ",
      "\\*",
      "\n\n"
    )
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 5 }), (units) => {
        const line = `${units.join("")} a`
        const cost = Math.max(1, estimateParseCost(line, maximumParseCost))
        const markdown = line.repeat(Math.min(20_000, Math.floor(maximumParseCost / cost)))
        const decoded = decode(JSON.parse(JSON.stringify(boundedFromMarkdown(markdown))))
        expect(Result.isFailure(decoded) ? fieldsOf(decoded.failure.issue) : []).toEqual([])
      }),
      runs(10)
    )
  }, 120_000)

  it(`is rejected in a request if its text has more than ${maximumSpecialCharacters} special characters`, () => {
    const documentOf = (count: number, marks: ReadonlyArray<object> = []) => ({
      object: "document",
      data: {},
      nodes: [
        {
          object: "block",
          type: "paragraph",
          nodes: [{ object: "text", leaves: [{ object: "leaf", text: "a*".repeat(count), marks }] }]
        }
      ]
    })
    expect(Result.isSuccess(decode(documentOf(maximumSpecialCharacters)))).toBe(true)
    expect(Result.isFailure(decode(documentOf(maximumSpecialCharacters + 1)))).toBe(true)
    const code = [{ object: "mark", type: "code" }]
    expect(Result.isSuccess(decode(documentOf(maximumSpecialCharacters + 1, code)))).toBe(true)
  })
})
