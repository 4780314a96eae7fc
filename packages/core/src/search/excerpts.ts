/** Which passages of a page are shown where it is found, and what of them. */
import type { SearchTerm } from "../storage/index.ts"
import type { Passage } from "./SearchPage.ts"
import { isAscii, stemOf, wordsOf } from "./words.ts"

/** The most passages that are shown of a page. */
const mostPassages = 3

/** How many characters are shown of a passage, about. */
const excerptLength = 200

/** How many of them come before what was found. */
const before = 60

type Fits = (word: string) => boolean

/** A test for each of the words that are looked for. */
const testsOf = (terms: ReadonlyArray<SearchTerm>): ReadonlyArray<Fits> =>
  terms.flatMap(({ phrase, prefix }) =>
    phrase.map(
      (stem): Fits =>
        (word) =>
          stemOf(word) === stem || (prefix !== undefined && word.startsWith(prefix))
    )
  )

/** How many of the terms are among the words of a passage, which are stems with spaces between. */
const countIn = (words: string, terms: ReadonlyArray<SearchTerm>): number => {
  const line = ` ${words} `
  return terms.filter(
    ({ phrase, prefix }) =>
      line.includes(` ${phrase.join(" ")} `) || (prefix !== undefined && line.includes(` ${stemOf(prefix)}`))
  ).length
}

/** A part of a text around a place in it, from word to word. */
const around = (text: string, at: number): string => {
  if (text.length <= excerptLength) return text
  const wanted = Math.max(0, Math.min(at - before, text.length - excerptLength))
  const space = wanted === 0 ? -1 : text.indexOf(" ", wanted)
  const from = wanted === 0 ? 0 : space === -1 || space > at ? wanted : space + 1
  const last = text.lastIndexOf(" ", from + excerptLength)
  const rest = from + excerptLength >= text.length
  const to = rest ? text.length : last > from ? last : from + excerptLength
  return `${from > 0 ? "…" : ""}${text.slice(from, to).toWellFormed().trim()}${rest ? "" : "…"}`
}

/** The first word of a text that begins as a stem does: most words that fit do. Only where folding keeps places. */
const quickPlaceOf = (text: string, terms: ReadonlyArray<SearchTerm>): number | undefined => {
  if (!isAscii(text)) return undefined
  const folded = text.toLowerCase()
  const places = terms.flatMap(({ phrase: [stem] }) => {
    for (let at = folded.indexOf(stem!); at !== -1; at = folded.indexOf(stem!, at + 1)) {
      if (at === 0 || !/[a-z0-9]/.test(folded[at - 1]!)) return [at]
    }
    return []
  })
  return places.length === 0 ? undefined : Math.min(...places)
}

/** Where the first word that fits is in a text, about: its place among the runs between spaces is what is known. */
const placeOf = (text: string, tests: ReadonlyArray<Fits>): number => {
  for (const { 0: part, index } of text.matchAll(/\S+/gu)) {
    if (wordsOf(part).some((word) => tests.some((fits) => fits(word)))) return index
  }
  return 0
}

/** A passage as it is shown. */
export interface Excerpt {
  readonly title: string
  readonly anchor: string
  readonly body: string
}

/** A passage of a page, with its words as they are looked for. */
export interface Candidate {
  readonly passage: Passage
  readonly words: string
}

/** The passages of a page that have most of the terms, in the order of the page where they have as many. */
export const excerptsOf = (
  candidates: ReadonlyArray<Candidate>,
  terms: ReadonlyArray<SearchTerm>
): ReadonlyArray<Excerpt> => {
  const best = new Map<string, { readonly passage: Passage; readonly count: number }>()
  for (const { passage, words } of candidates) {
    const count = countIn(words, terms)
    if (count > (best.get(passage.anchor)?.count ?? 0)) best.set(passage.anchor, { passage, count })
  }
  const tests = testsOf(terms)
  return [...best.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, mostPassages)
    .map(({ passage: { title, anchor, text } }) => {
      const plain = text.replaceAll("\n", " ")
      return { title, anchor, body: around(plain, quickPlaceOf(plain, terms) ?? placeOf(plain, tests)) }
    })
}
