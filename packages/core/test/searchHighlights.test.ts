/** The words of queries, and their matches in text. */

import { makeHighlighter, parseSearchTerms } from "@lectern/content"
import { partsOfIdentifier, wordsOf } from "@lectern/markdown/text"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const highlight = (text: string, query: string) =>
  makeHighlighter(parseSearchTerms(query))(text).map(({ start, end }) => text.slice(start, end))

const word = fc.constantFrom(
  "alpha",
  "alphas",
  "beta",
  "readFile",
  "café",
  "CAFÉ",
  "検索",
  "🚀",
  "happy",
  "happily"
)
const gap = fc.constantFrom(" ", ", ", "-", "\n", " (", "_")
const text = fc.array(fc.tuple(word, gap), { maxLength: 20 }).map((pairs) => pairs.flat().join(""))

describe("makeHighlighter", () => {
  it("returns ranges in order that do not overlap, each of which matches the query", () => {
    fc.assert(
      fc.property(text, fc.array(word, { minLength: 1, maxLength: 3 }), (content, words) => {
        const query = words.map((one) => `"${one}"`).join(" ")
        const matches = makeHighlighter(parseSearchTerms(query))(content)
        let last = 0
        for (const { start, end } of matches) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          last = end
          expect(highlight(content.slice(start, end), query)).not.toEqual([])
        }
        expect(last).toBeLessThanOrEqual(content.length)
      })
    )
  })

  it("returns every occurrence of a word, in any case, form and script", () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 20 }), word, (words, searched) => {
        const found = highlight(words.join(" "), `"${searched}"`)
        expect(found.filter((one) => one === searched)).toHaveLength(
          words.filter((one) => one === searched).length
        )
      })
    )
  })

  it("matches parts of identifiers, adjacent words of phrases, and prefixes", () => {
    expect(highlight("call readFile or readDir", "read")).toEqual(["readFile", "readDir"])
    expect(highlight("call createReadStream", '"read"')).toEqual(["Read"])
    expect(highlight("pull a request, or a pull request", '"pull request"')).toEqual(["pull request"])
    expect(highlight("configuration of options", "option configur")).toEqual(["configuration", "options"])
  })
})

describe("partsOfIdentifier", () => {
  it("splits at changes of case, but not names", () => {
    expect(
      ["readFile", "HTMLElement", "base64Encode", "GitHub", "plain", "UPPER"].map(partsOfIdentifier)
    ).toEqual([["read", "File"], ["HTML", "Element"], ["base64", "Encode"], [], [], []])
  })

  it("keeps the words of text, and adds parts", () => {
    expect(wordsOf("Use fs.readFile now")).toEqual(["use", "fs", "readfile", "read", "file", "now"])
  })
})

describe("parseSearchTerms", () => {
  it("adds synonyms in both directions, and joins the words of a synonym of several words", () => {
    const synonyms = [["SSO", "single sign-on"]]
    expect(parseSearchTerms("sso", synonyms)).toMatchObject([
      { phrase: ["sso"], prefix: "sso", alternatives: [["singl", "sign", "on"]] }
    ])
    expect(parseSearchTerms("single sign-on setup", synonyms)).toMatchObject([
      { phrase: ["singl", "sign", "on"], alternatives: [["sso"]] },
      { phrase: ["setup"] }
    ])
  })

  it("splits text without spaces to words of a dictionary", () => {
    expect(parseSearchTerms("検索機能").map(({ phrase }) => phrase.join(""))).toEqual(["検索", "機能"])
  })
})
