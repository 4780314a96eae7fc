/** Which passages of a page are shown where it is found, and what of them. */
import type { SearchTerm } from "../../kernel/storage/index.ts"
import type { Passage } from "../../model/search/SearchPage.ts"
import { isAscii, stemOf, wordsOf } from "./words.ts"

/** The most passages that are shown of a page. */
const mostPassages = 3

/** How many characters are shown of a passage, about. */
const excerptLength = 200

/** How many of them come before what was found. */
const lead = 60

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
  const wanted = Math.max(0, Math.min(at - lead, text.length - excerptLength))
  const space = wanted === 0 ? -1 : text.indexOf(" ", wanted)
  const from = wanted === 0 ? 0 : space === -1 || space > at ? wanted : space + 1
  const last = text.lastIndexOf(" ", from + excerptLength)
  const rest = from + excerptLength >= text.length
  const to = rest ? text.length : last > from ? last : from + excerptLength
  return `${from > 0 ? "…" : ""}${text.slice(from, to).toWellFormed().trim()}${rest ? "" : "…"}`
}

/** Where the word with this number is in a text, from 0; where there are not as many, at its beginning. */
const placeOf = (text: string, word: number): number => {
  let left = word
  // Folding takes nothing out of ASCII, so that words are where they were. Of other texts it is told to the space.
  const isPlain = isAscii(text)
  for (const { 0: run, index } of text.matchAll(isPlain ? /[a-z0-9]+/gi : /\S+/gu)) {
    left -= isPlain ? 1 : wordsOf(run).length
    if (left < 0) return index
  }
  return 0
}

/** Where the first of the terms is in the text of a passage. */
const placeIn = (
  { passage: { title, text }, words }: Candidate,
  terms: ReadonlyArray<SearchTerm>
): number => {
  const stems = words.split(" ")
  const fits = terms.map(({ phrase, prefix }) => {
    const beginning = prefix === undefined ? undefined : stemOf(prefix)
    return (at: number) =>
      phrase.every((stem, index) => stems[at + index] === stem) ||
      (beginning !== undefined && stems[at]!.startsWith(beginning))
  })
  const before = wordsOf(title).length
  const found = stems.findIndex((_, at) => at >= before && fits.some((fit) => fit(at)))
  return found === -1 ? 0 : placeOf(text, found - before)
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
  const best = new Map<string, { readonly candidate: Candidate; readonly count: number }>()
  for (const candidate of candidates) {
    const { anchor } = candidate.passage
    const count = countIn(candidate.words, terms)
    if (count > (best.get(anchor)?.count ?? 0)) best.set(anchor, { candidate, count })
  }
  return [...best.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, mostPassages)
    .map(({ candidate }) => {
      const { title, anchor, text } = candidate.passage
      return { title, anchor, body: around(text.replaceAll("\n", " "), placeIn(candidate, terms)) }
    })
}
