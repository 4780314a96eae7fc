/** Parses search queries to terms that every store supports. */
import type { SearchTerm } from "@lectern/kernel"
import { partsOfIdentifier, queryWordsOf, stemOf, stopWords, wordsOf } from "@lectern/markdown/text"
import { expandSynonyms, type Synonyms } from "./synonyms.ts"

/** The maximum number of terms per query. Further terms are ignored. */
const maximumTerms = 32

/** A term of a query. */
export interface QueryTerm extends SearchTerm {
  /** The folded word as in the query, which may be misspelled. Absent for phrases and quoted words. */
  readonly word?: string
  /** Whether it is quoted, so that a page without it never matches. */
  readonly isRequired?: true
}

const keyOf = ({ phrase, prefix }: SearchTerm): string => JSON.stringify([phrase, prefix])

/** Splits a query into quoted and unquoted parts. An unterminated quote extends to the end. */
const partsOf = (query: string): ReadonlyArray<{ readonly text: string; readonly isQuoted: boolean }> =>
  query
    .split(/["“”„«»]/u)
    .map((text, index) => ({ text, isQuoted: index % 2 === 1 }))
    .filter(({ text }) => text.trim() !== "")

/** Matches an identifier that consists of several words. */
const identifierPattern = /[\p{L}\p{N}]+(?:[._\-/:@#]+[\p{L}\p{N}]+)+/gu

/**
 * Returns the stems of the words of each identifier of a query: `fs.readFile`, `--dry-run` or `readFile`. Pages that contain
 * them as a whole are better than pages with the same words elsewhere.
 */
export const identifiersOf = (query: string): ReadonlyArray<ReadonlyArray<string>> => [
  ...Array.from(query.matchAll(identifierPattern), ([identifier]) => wordsOf(identifier).map(stemOf)),
  ...query
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((word) => (partsOfIdentifier(word).length > 1 ? [[stemOf(word.toLowerCase())]] : []))
]

/** Returns the words of unquoted text. The words of an identifier are significant, also `to` in `to_char`. */
const significantWordsOf = (text: string) =>
  text.split(/\s+/u).flatMap((chunk) => {
    const isIdentifier = chunk.search(identifierPattern) !== -1
    return queryWordsOf(chunk).map((word) => ({
      ...word,
      isStopWord: !isIdentifier && word.words.length === 1 && stopWords.has(word.words[0]!)
    }))
  })

/**
 * Parses a query to terms, all of which a page must contain. Unquoted words match in any order and are compared by
 * stem; a quoted phrase matches adjacent words, also by stem. An identifier in camel case also matches its adjacent
 * parts, and a synonym the words that mean the same. The last unquoted word also matches as a prefix, for
 * search as you type. Every query is valid; a query without words has no terms.
 */
export const parseSearchTerms = (query: string, synonyms: Synonyms = []): ReadonlyArray<QueryTerm> => {
  const parts = partsOf(query)
  const terms: Array<QueryTerm> = []
  const stopWordTerms: Array<QueryTerm> = []
  parts.forEach(({ text, isQuoted }, partIndex) => {
    if (isQuoted) {
      const phrase = wordsOf(text).map(stemOf)
      if (phrase.length > 0) terms.push({ phrase, isRequired: true })
      return
    }
    const queryWords = significantWordsOf(text)
    queryWords.forEach(({ words, parts: identifierParts, isStopWord }, index) => {
      const isLast = partIndex === parts.length - 1 && index === queryWords.length - 1
      const [first] = words
      const isSingle = words.length === 1
      const term: QueryTerm = {
        phrase: words.map(stemOf),
        ...(isSingle ? { word: first! } : {}),
        ...(isSingle && isLast ? { prefix: first! } : {}),
        ...(identifierParts.length > 1 ? { alternatives: [identifierParts.map(stemOf)] } : {})
      }
      if (isStopWord) stopWordTerms.push(term)
      else terms.push(term)
    })
  })
  const effectiveTerms = expandSynonyms(terms.length > 0 ? terms : stopWordTerms, synonyms)
  return [...new Map(effectiveTerms.map((term) => [keyOf(term), term])).values()].slice(0, maximumTerms)
}
