/** The rules about phrasings, against the fixtures: each rule rejects its cases, and accepts their rewrites. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { Allowances } from "../Allowances.ts"
import { findPhrases, matchPhrases } from "../findPhrases.ts"
import { hideCode, lineFinder } from "../Passage.ts"
import { phraseRules } from "../vocabulary.ts"

const cases = readFileSync(new URL("../fixtures/phrases.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => line.split(" | ") as [rule: string, rejected: string, accepted: string])

const rulesIn = (text: string) => matchPhrases(hideCode(text), "doc").map(({ rule }) => rule.id)

const find = (text: string, allowances: Allowances) =>
  findPhrases(
    { file: "a.ts", kind: "doc", isPublic: true, prose: text, start: 0 },
    text,
    lineFinder(text),
    allowances
  )

describe("the vocabulary", () => {
  it.each(cases)("%s: rejects “%s”", (rule, rejected) => {
    expect(rulesIn(rejected)).toContain(rule)
  })

  it.each(cases)("%s: accepts the rewrite of “%s”", (_rule, _rejected, accepted) => {
    expect(rulesIn(accepted)).toEqual([])
  })

  it("has a case for every rule, and no case for another", () => {
    expect(new Set(cases.map(([rule]) => rule))).toEqual(new Set(phraseRules.map(({ id }) => id)))
  })

  it("has one rule per id", () => {
    expect(phraseRules.length).toBe(new Set(phraseRules.map(({ id }) => id)).size)
  })

  it("matches across the lines of a comment", () => {
    expect(rulesIn("The position in\n     the way.")).toEqual(["in-the-way"])
  })

  it("matches whole words only", () => {
    expect(rulesIn("samlAnswers, unanswered-requests, bookkeeps, essays")).toEqual([])
  })

  it("reports the longest of several overlapping phrasings", () => {
    expect(rulesIn("It stands in the place of the block.")).toEqual(["stand", "place-of"])
    expect(rulesIn("It puts the row right.")).toEqual(["put-right"])
  })
})

describe("an allowed phrase", () => {
  const allowances = new Allowances([
    { rule: "law", text: "The laws of addition", why: "They are equations." },
    { rule: "law", text: "The laws of a store", why: "Nothing has this phrase." }
  ])

  it("accepts a match inside it, also across lines", () => {
    expect(find("The laws\n  of addition.", allowances)).toEqual([])
  })

  it("accepts no match outside of it, and of no other rule", () => {
    expect(find("The laws of multiplication.", allowances)).toHaveLength(1)
    expect(find("The laws of addition are kept.", allowances)).toMatchObject([{ rule: "keep" }])
  })

  it("is reported if nothing needs it", () => {
    expect(allowances.unneeded().map(({ text }) => text)).toEqual(["The laws of a store"])
  })
})

describe("a finding", () => {
  it("has the line of the phrasing, its context and the replacement", () => {
    expect(find("One line.\n * Values that are kept\n * by their key.", new Allowances([]))).toMatchObject([
      { line: 2, rule: "keep", measure: "public", found: "One line. Values that are «kept» by their key." }
    ])
  })
})
