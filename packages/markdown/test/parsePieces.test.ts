/** Properties of the parser's cache of pieces: every version of Markdown has the tree of parsing it as a whole. */

import { runs } from "@lectern/harness"
import { isVerbatim, newLengthOf, parse, parseText, stringify, wellFormed } from "@lectern/markdown/document"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { corpus, randomMarkers, randomTables, tree } from "./support/markdown.ts"

/** Parses Markdown as a whole. */
const parseWhole = (markdown: string): unknown => {
  try {
    return parseText(wellFormed(markdown)).root
  } catch {
    return "verbatim"
  }
}

const expectSameTree = (markdown: string): void => {
  const root = parse(markdown)
  const whole = parseWhole(markdown)
  if (whole === "verbatim") expect(isVerbatim(root)).toBe(true)
  else expect(root).toEqual(whole)
}

/** Blocks that can contain empty lines, and their possible neighbors. */
const constructs = fc.constantFrom(
  "```ts",
  "```",
  "~~~~",
  "  ```\n  a",
  "<!-- a",
  "b -->",
  "<!-- a -->",
  "<pre>",
  "a </pre> b",
  "<script>",
  "</script>",
  "<?php",
  "?>",
  "<![CDATA[",
  "]]>",
  "<!A",
  "<div>",
  "</div>",
  "<details>\n<summary>a</summary>",
  "</details>",
  "$$",
  "$$\na\n$$",
  "a $$b$$ c",
  "> $$",
  '{% hint style="info" %}',
  "{% endhint %}",
  '{% a b="c',
  'd" %}',
  "{% endif %} a",
  "- a",
  "- b\n\n  c",
  "1. a",
  "2. b",
  "* * *",
  "---",
  "===",
  "a\n---",
  "> a",
  "> - a",
  "    code",
  "\tcode",
  "| a | b |\n| - | - |\n| [c] | d |",
  "[a]: /b",
  "[ẞ]: /c 'd'",
  "[a]: /c 'd",
  "e'",
  "> [c]: /d",
  "[^1]: a",
  "[^1]: a\n\n    b",
  "[^2]: [a] [^1]",
  "[a] [c] [ss] ![a] [a][c] [^1] [^2] [x]: y",
  "a [^1]",
  "```\n[a]: /b\n```",
  "# [a]",
  "\\[a]: b",
  "a@b.c https://d.e"
)

const fragment = fc.oneof(
  { weight: 4, arbitrary: constructs },
  { weight: 1, arbitrary: randomMarkers },
  { weight: 1, arbitrary: randomTables },
  { weight: 1, arbitrary: tree.map((root) => stringify(root)) },
  { weight: 1, arbitrary: fc.string({ maxLength: 30 }) }
)

const separator = fc.oneof(
  { weight: 8, arbitrary: fc.constant("\n\n") },
  { weight: 2, arbitrary: fc.constantFrom("\n", "\n\n\n", "\n \n", "\n\n ", "\n\n  \n", "\r\n\r\n") }
)

const part = fc.tuple(fragment, separator).map(([text, end]) => text + end)

/** Text of such a length that a document with it is split. */
const filler = `${"Words of a paragraph. ".repeat(20)}\n\n`

/** A document, and edits that insert, replace or remove some of its parts. */
const versions = fc
  .record({
    parts: fc.array(part, { minLength: 2, maxLength: 12 }),
    fillerAt: fc.nat(12),
    edits: fc.array(fc.tuple(fc.nat(12), fc.nat(2), fc.array(part, { maxLength: 2 })), { maxLength: 4 }),
    ending: fc.constantFrom("", "\n", "a")
  })
  .map(({ parts, fillerAt, edits, ending }) => {
    const current = [...parts.slice(0, fillerAt), filler, ...parts.slice(fillerAt)]
    const all = [current.join("") + ending]
    for (const [at, removed, inserted] of edits) {
      current.splice(at, removed, ...inserted)
      all.push(current.join("") + ending)
    }
    return all
  })

describe("Markdown of cached pieces", () => {
  it("has the tree of the whole text, in every version", () => {
    fc.assert(
      fc.property(versions, (all) => all.forEach(expectSameTree)),
      runs(300)
    )
  })

  it("has the tree of the whole text for the documents of packages, with edits of a paragraph", () => {
    for (const { text } of corpus(200)) {
      expectSameTree(text)
      expectSameTree(text)
      for (const share of [0.2, 0.5, 0.9]) {
        const at = text.indexOf("\n\n", Math.floor(text.length * share))
        if (at >= 0) expectSameTree(`${text.slice(0, at)} edited${text.slice(at)}`)
        if (at >= 0) expectSameTree(`${text.slice(0, at)}\n\nInserted [a].${text.slice(at)}`)
      }
    }
  })

  it("is not changed by changes of the trees that are returned", () => {
    const text = `${filler}| a |\n| :-: |\n| b |\n\n{% hint %}\n\n- [x] a\n\nend`
    const spoil = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return
      for (const inner of Object.values(value)) spoil(inner)
      for (const name of Object.keys(value)) (value as Record<string, unknown>)[name] = "spoiled"
    }
    const whole = parseWhole(text)
    for (let round = 0; round < 3; round++) {
      const root = parse(text)
      expect(root).toEqual(whole)
      spoil(root)
    }
  })

  it("exceeds the parse budget exactly if the whole text does", () => {
    const quotes = (count: number) => "> a\n\nb\n\n".repeat(count)
    expect(isVerbatim(parse(quotes(300)))).toBe(false)
    for (const count of [600, 700]) expectSameTree(quotes(count))
    // Cached pieces must not lower the cost.
    for (const count of [1_500, 1_600]) {
      expect(parseWhole(quotes(count))).toBe("verbatim")
      expect(isVerbatim(parse(quotes(count)))).toBe(true)
    }
    expect(isVerbatim(parse(`${quotes(900)}end\n\n${quotes(900)}`))).toBe(true)
  })

  it("has a new length of the pieces that no version before has", () => {
    const before = `${filler}[a] and [^1].\n\n[a]: /b\n\n[^1]: c\n\n${filler}`
    const after = before.replace("\n\n[a]:", "\n\nNew words.\n\n[a]:")
    expect(newLengthOf(before)).toBe(before.length)
    parse(before)
    expect(newLengthOf(before)).toBe(0)
    expect(newLengthOf(after)).toBe("New words.\n\n".length)
    // Another label can change what brackets mean in every piece.
    expect(newLengthOf(`${after}[d]: /e\n`)).toBe(`${after}[d]: /e\n`.length)
  })
})
