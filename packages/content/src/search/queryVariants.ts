/** Variants of the terms of a query, and the pages that they describe. */
import type { RankedRow } from "./ranking.ts"
import { identifiersOf, type QueryTerm } from "./searchTerms.ts"

/**
 * The number of terms from which a query is a question: few pages have all words of it, and a page whose title has the rare ones can be better
 * than these.
 */
export const questionLength = 3

/** Whether a query is a question: pages with only some of its terms compete with the others. A quoted phrase is required. */
export const isQuestion = (terms: ReadonlyArray<QueryTerm>): boolean =>
  terms.length >= questionLength && terms.every(({ isRequired }) => isRequired !== true)

/** Whether padded text contains a term. */
const contains = (text: string, { phrase, prefix, alternatives = [] }: QueryTerm): boolean =>
  [phrase, ...alternatives].some((words) => text.includes(` ${words.join(" ")} `)) ||
  (prefix !== undefined && text.includes(` ${prefix}`))

/** Whether a title contains each of the terms. */
export const isTitleOfTerms = (title: string, terms: ReadonlyArray<QueryTerm>): boolean =>
  terms.every((term) => contains(` ${title} `, term))

/** Whether the rows of a page together contain each of the terms. */
export const hasTerms = (
  rows: ReadonlyArray<Pick<RankedRow, "title" | "headings" | "body">>,
  terms: ReadonlyArray<QueryTerm>
): boolean => {
  const lines = rows.flatMap(({ title, headings, body }) => [
    title,
    ...headings.split("\n"),
    ...body.split("\n")
  ])
  const text = ` ${lines.join("  ")} `
  return terms.every((term) => contains(text, term))
}

/**
 * Replaces the words of identifiers of several words by phrases. Returns `undefined` for a query without such identifiers, and with
 * synonyms, whose words are one term.
 */
export const withIdentifiers = (
  query: string,
  hasSynonyms: boolean,
  terms: ReadonlyArray<QueryTerm>
): ReadonlyArray<QueryTerm> | undefined => {
  const identifiers = identifiersOf(query).filter(({ length }) => length > 1)
  if (identifiers.length === 0 || hasSynonyms) return undefined
  const words = new Set(identifiers.flat())
  const others = terms.filter(({ phrase }) => phrase.length > 1 || !words.has(phrase[0]!))
  return [...others, ...identifiers.map((phrase) => ({ phrase }))]
}

/** Adds the identifiers of a query that are one word as terms. Returns `undefined` for a query without such identifiers. */
export const withCamelCase = (
  query: string,
  terms: ReadonlyArray<QueryTerm>
): ReadonlyArray<QueryTerm> | undefined => {
  const identifiers = identifiersOf(query).filter(({ length }) => length === 1)
  return identifiers.length === 0 ? undefined : [...terms, ...identifiers.map((phrase) => ({ phrase }))]
}
