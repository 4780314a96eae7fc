/** Selects the passages of a matching page that results show, and shortens them to excerpts. */
import type { SearchTerm } from "../../kernel/storage/index.ts"
import type { Passage } from "../../model/search/SearchPage.ts"
import { isAscii, stemOf, wordsOf } from "./words.ts"

/** The maximum number of excerpts per page. */
const maximumExcerpts = 3

/** The approximate length of an excerpt, in UTF-16 code units. */
const excerptLength = 200

/** The approximate length of the text before the match. */
const leadLength = 60

/** Counts the terms that occur in a passage. `words` are its stems, separated by spaces. */
const countMatches = (words: string, terms: ReadonlyArray<SearchTerm>): number => {
  const line = ` ${words} `
  return terms.filter(
    ({ phrase, prefix, alternatives = [] }) =>
      [phrase.join(" "), ...alternatives].some((words) => line.includes(` ${words} `)) ||
      (prefix !== undefined && line.includes(` ${stemOf(prefix)}`))
  ).length
}

/** Returns the part of `text` around an offset, cut at spaces, with ellipses. */
const excerptAround = (text: string, at: number): string => {
  if (text.length <= excerptLength) return text
  const start = Math.max(0, Math.min(at - leadLength, text.length - excerptLength))
  const space = start === 0 ? -1 : text.indexOf(" ", start)
  const from = start === 0 ? 0 : space === -1 || space > at ? start : space + 1
  const last = text.lastIndexOf(" ", from + excerptLength)
  const isAtEnd = from + excerptLength >= text.length
  const to = isAtEnd ? text.length : last > from ? last : from + excerptLength
  return `${from > 0 ? "…" : ""}${text.slice(from, to).toWellFormed().trim()}${isAtEnd ? "" : "…"}`
}

/** Returns the offset of the word with a zero-based index; 0 if the text has fewer words. */
const offsetOfWord = (text: string, word: number): number => {
  let left = word
  // Folding preserves the offsets of ASCII text. Other text is scanned by runs between spaces, which is precise enough.
  const isPlain = isAscii(text)
  for (const { 0: run, index } of text.matchAll(isPlain ? /[a-z0-9]+/gi : /\S+/gu)) {
    left -= isPlain ? 1 : wordsOf(run).length
    if (left < 0) return index
  }
  return 0
}

/** Returns the offset of the first match in the text of a passage. */
const offsetOfMatch = (
  { passage: { title, text }, words }: Candidate,
  terms: ReadonlyArray<SearchTerm>
): number => {
  const stems = words.split(" ")
  const matchers = terms.map(({ phrase, prefix, alternatives = [] }) => {
    const prefixStem = prefix === undefined ? undefined : stemOf(prefix)
    return (at: number) =>
      phrase.every((stem, index) => stems[at + index] === stem) ||
      alternatives.includes(stems[at]!) ||
      (prefixStem !== undefined && stems[at]!.startsWith(prefixStem))
  })
  const titleLength = wordsOf(title).length
  const found = stems.findIndex((_, at) => at >= titleLength && matchers.some((matches) => matches(at)))
  return found === -1 ? 0 : offsetOfWord(text, found - titleLength)
}

/** An excerpt of a passage, for results. */
export interface Excerpt {
  readonly title: string
  readonly anchor: string
  readonly body: string
}

/** A passage with its words as in the index: stems, separated by spaces. */
export interface Candidate {
  readonly passage: Passage
  readonly words: string
}

/** Returns excerpts of at most 3 passages, one per section, by descending number of terms, then in page order. */
export const excerptsOf = (
  candidates: ReadonlyArray<Candidate>,
  terms: ReadonlyArray<SearchTerm>
): ReadonlyArray<Excerpt> => {
  const best = new Map<string, { readonly candidate: Candidate; readonly count: number }>()
  for (const candidate of candidates) {
    const { anchor } = candidate.passage
    const count = countMatches(candidate.words, terms)
    if (count > (best.get(anchor)?.count ?? 0)) best.set(anchor, { candidate, count })
  }
  return [...best.values()]
    .sort((a, b) => b.count - a.count)
    .slice(0, maximumExcerpts)
    .map(({ candidate }) => {
      const { title, anchor, text } = candidate.passage
      return {
        title,
        anchor,
        body: excerptAround(text.replaceAll("\n", " "), offsetOfMatch(candidate, terms))
      }
    })
}
