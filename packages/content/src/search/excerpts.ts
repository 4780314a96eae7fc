/** Selects the passages of a matching page that results show, and shortens them to excerpts. */
import type { SearchTerm } from "@lectern/kernel"
import type { Passage } from "@lectern/kernel/tables"
import { stemOf } from "@lectern/markdown/text"
import type { Highlight, Highlighter } from "./highlights.ts"

/** The maximum number of excerpts per page. */
const maximumExcerpts = 3

/** The approximate length of an excerpt, in UTF-16 code units. */
const excerptLength = 200

/** The approximate length of the text before the match. */
const leadLength = 60

/** Returns the function that counts the terms that occur in stems, which are separated by spaces. */
const termCounter = (terms: ReadonlyArray<SearchTerm>) => {
  const patterns = terms.map(({ phrase, prefix, alternatives = [] }) => [
    ...[phrase, ...alternatives].map((words) => ` ${words.join(" ")} `),
    ...(prefix === undefined ? [] : [` ${stemOf(prefix)}`])
  ])
  return (words: string): number => {
    const line = ` ${words} `
    return patterns.filter((some) => some.some((pattern) => line.includes(pattern))).length
  }
}

/** A range of text, in UTF-16 code units. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Returns the offset around which matches of the most terms occur; 0 without matches. */
const focusOf = (matches: ReadonlyArray<Highlight>): number => {
  let [focus, most] = [0, 0]
  for (const [index, { start }] of matches.entries()) {
    const terms = new Set<number>()
    for (let at = index; at < matches.length; at++) {
      if (matches[at]!.end > start + excerptLength - leadLength) break
      terms.add(matches[at]!.term)
    }
    if (terms.size > most) [focus, most] = [start, terms.size]
  }
  return focus
}

/** Returns the range of `text` around an offset, cut at spaces. */
const rangeAround = (text: string, at: number): Range => {
  if (text.length <= excerptLength) return { start: 0, end: text.length }
  const from = Math.max(0, Math.min(at - leadLength, text.length - excerptLength))
  const space = from === 0 ? -1 : text.indexOf(" ", from)
  const start = from === 0 ? 0 : space === -1 || space > at ? from : space + 1
  const last = text.lastIndexOf(" ", start + excerptLength)
  const isAtEnd = start + excerptLength >= text.length
  return { start, end: isAtEnd ? text.length : last > start ? last : start + excerptLength }
}

/** Returns the part of a passage around its matches, with ellipses, and these matches. */
const excerptOf = (
  passage: string,
  highlighter: Highlighter
): { readonly body: string; readonly bodyHighlights: ReadonlyArray<Range> } => {
  const text = passage.replaceAll("\n", " ").toWellFormed()
  const matches = highlighter(text)
  const { start, end } = rangeAround(text, focusOf(matches))
  const raw = text.slice(start, end)
  const excerpt = raw.trim()
  const offset = start + raw.length - raw.trimStart().length
  const before = start > 0 ? "…" : ""
  const shift = before.length - offset
  return {
    body: `${before}${excerpt}${end < text.length ? "…" : ""}`.toWellFormed(),
    bodyHighlights: matches
      .filter((match) => match.start >= offset && match.end <= offset + excerpt.length)
      .map((match) => ({ start: match.start + shift, end: match.end + shift }))
  }
}

/** An excerpt of a passage, for results. */
export interface Excerpt {
  readonly title: string
  readonly anchor: string
  readonly titleHighlights: ReadonlyArray<Range>
  readonly body: string
  readonly bodyHighlights: ReadonlyArray<Range>
}

/** A passage with its words as in the index: stems, separated by spaces. */
export interface Candidate {
  readonly passage: Passage
  readonly words: string
}

/** Returns the ranges of matches. */
export const rangesOf = (matches: ReadonlyArray<Highlight>): ReadonlyArray<Range> =>
  matches.map(({ start, end }) => ({ start, end }))

/** Returns excerpts of at most 3 passages, one per section, by descending number of terms, then in page order. */
export const excerptsOf = (
  candidates: ReadonlyArray<Candidate>,
  terms: ReadonlyArray<SearchTerm>,
  highlighter: Highlighter
): ReadonlyArray<Excerpt> => {
  const countTerms = termCounter(terms)
  const best = new Map<string, { readonly candidate: Candidate; readonly count: number }>()
  for (const candidate of candidates) {
    const { anchor } = candidate.passage
    const count = countTerms(candidate.words)
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
        titleHighlights: rangesOf(highlighter(title)),
        ...excerptOf(text, highlighter)
      }
    })
}
