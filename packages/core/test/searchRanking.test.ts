/** The ranking of search results and the correction of misspelled words. */

import {
  parseSearchTerms,
  pinnedPages,
  type RankedRow,
  rankedQueryOf,
  rankPages,
  weightOf
} from "@lectern/content"
import { editDistance, stemOf, wordsOf } from "@lectern/markdown/text"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { toleratedEdits } from "../src/features/search/corrections.ts"
import { reverseText } from "../src/features/search/vocabulary.ts"

const stems = (text: string) => wordsOf(text).map(stemOf).join(" ")

const pageOf = (name: string, heading: string, text: string): RankedRow => ({
  nameWords: wordsOf(name).join(" "),
  title: stems(name),
  headings: `${stems(heading)}\npage`,
  body: stems(text),
  kinds: "t"
})

const scoresOf = (query: string, pages: ReadonlyArray<RankedRow>) =>
  rankPages(
    rankedQueryOf(query, parseSearchTerms(query)),
    pages.map((page) => [page])
  )

/** Pages for the query "window functions", from the best class to the worst. */
const classes = [
  pageOf("Window Functions", "", "Text."),
  pageOf("Window functions of aggregates", "", "Text."),
  pageOf("Functions that have a window", "", "Text."),
  pageOf("Expressions", "Window functions", "Text."),
  pageOf("Expressions", "Calls of window functions", "Text."),
  pageOf("Expressions", "", "All window functions are expressions."),
  pageOf("Expressions", "", `A window. ${"Filler ".repeat(200)} functions.`),
  pageOf("Expressions", "", "A window.")
]

const filler = fc
  .array(fc.constantFrom("alpha", "beta", "gamma", "delta"), { maxLength: 300 })
  .map((words) => words.join(" "))

describe("rankPages", () => {
  it("ranks titles above headings, headings above text, and close words above distant ones", () => {
    const scores = scoresOf("window functions", classes)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(new Set(scores).size).toBe(scores.length)
  })

  it.each([
    ["how to install elsa server", "Elsa Server", "External Authentication"],
    ["upgrade from v2 to v3", "V2 to V3 Migration Guide", "Packages"],
    ["workflow variables", "Variables", "Designer"]
  ])("ranks the title with the rare words of a question first: %s", (query, best, other) => {
    const text = `${query}. ${"Filler text. ".repeat(50)}`
    const distant = query.split(" ").join(` ${"filler ".repeat(60)}`)
    const pages = [
      pageOf(other, "Steps", `${text} ${text} ${text}`),
      pageOf(best, "Overview", `Filler text. ${distant}`),
      ...["Activity", "Activities of a workflow", "Activity log"].map((title) => pageOf(title, "", text))
    ]
    const scores = scoresOf(query, pages)
    expect(Math.max(...scores)).toBe(scores[1])
  })

  it("ranks a page whose title is the query first, regardless of the other pages", () => {
    fc.assert(
      fc.property(filler, filler, fc.nat(30), (one, other, repetitions) => {
        const query = "window functions"
        const repeated = pageOf("Functions", query, `${`${query} `.repeat(repetitions)} ${other}`)
        const [exact, best] = scoresOf(query, [pageOf("Window functions", "", one), repeated])
        expect(exact).toBeGreaterThan(best!)
      })
    )
  })

  it("matches the last word of a query as a prefix of a title", () => {
    const [complete, other] = scoresOf("window func", [classes[0]!, classes[5]!])
    expect(complete).toBeGreaterThan(other!)
  })

  it("scores are positive, and independent of the order of the pages", () => {
    fc.assert(
      fc.property(
        fc.shuffledSubarray(classes, { minLength: classes.length }),
        fc.constantFrom("window", "expressions alpha", "w"),
        (pages, query) => {
          const byPage = new Map(classes.map((page, index) => [page, scoresOf(query, classes)[index]!]))
          scoresOf(query, pages).forEach((score, index) => {
            expect(score).toBeGreaterThan(0)
            expect(score).toBeCloseTo(byPage.get(pages[index]!)!, 9)
          })
        }
      )
    )
  })
})

const letter = fc.constantFrom(..."abcdefghij")
const wordArbitrary = fc.array(letter, { minLength: 5, maxLength: 12 }).map((letters) => letters.join(""))
const editArbitrary = fc.record({
  at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  kind: fc.constantFrom("insert", "delete", "replace", "swap"),
  letter
})

const applyEdit = (word: string, edit: typeof editArbitrary extends fc.Arbitrary<infer A> ? A : never) => {
  const at = Math.floor(edit.at * word.length)
  switch (edit.kind) {
    case "insert":
      return word.slice(0, at) + edit.letter + word.slice(at)
    case "delete":
      return word.slice(0, at) + word.slice(at + 1)
    case "replace":
      return word.slice(0, at) + edit.letter + word.slice(at + 1)
    default:
      return (
        word.slice(0, at) +
        word
          .slice(at, at + 2)
          .split("")
          .reverse()
          .join("") +
        word.slice(at + 2)
      )
  }
}

describe("editDistance", () => {
  it("is at most 1 after any one edit, is symmetric, and is the same for reversed words", () => {
    fc.assert(
      fc.property(wordArbitrary, editArbitrary, (word, edit) => {
        const edited = applyEdit(word, edit)
        const distance = editDistance(word, edited, 2)
        expect(distance).toBe(word === edited ? 0 : 1)
        expect(editDistance(edited, word, 2)).toBe(distance)
        expect(editDistance(reverseText(word), reverseText(edited), 2)).toBe(distance)
      })
    )
  })

  it("returns one more than the maximum for words that differ more", () => {
    expect(editDistance("access", "pointer", 2)).toBe(3)
    expect(editDistance("access", "acc", 2)).toBe(3)
  })

  it("tolerates one edit from 5 characters, and two from 9", () => {
    expect([4, 5, 8, 9, 32].map(toleratedEdits)).toEqual([0, 1, 1, 2, 2])
  })
})

describe("the settings of the search of a site", () => {
  const pin = (page: string, ...queries: ReadonlyArray<string>) => ({ space: "s", page, queries })

  it("pins pages to equal queries, each at its first place", () => {
    const settings = {
      synonyms: [],
      pins: [pin("a", "Set up!"), pin("b", "set-up", "other"), pin("a", "set up")]
    }
    const pinned = (query: string) => pinnedPages(query, settings).map(({ page }) => page)
    expect([pinned("SET  úp"), pinned("other"), pinned("set up it"), pinned("?")]).toEqual([
      ["a", "b"],
      ["b"],
      [],
      []
    ])
  })

  it("weights a page by its last boost, or else by that of its space", () => {
    const boosts = [
      { space: "s", weight: 2 },
      { space: "s", page: "a", weight: 3 },
      { space: "s", page: "a", weight: 0.5 }
    ]
    const weight = (space: string, page: string) => weightOf({ synonyms: [], boosts }, space, page)
    expect([weight("s", "a"), weight("s", "b"), weight("t", "a")]).toEqual([0.5, 2, 1])
  })
})
