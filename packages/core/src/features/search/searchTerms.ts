/** Parses search queries to terms that every store supports. */
import type { SearchTerm } from "../../kernel/storage/index.ts"
import { runsOf, stemOf } from "./words.ts"

/** The maximum number of terms per query. Further terms are ignored. */
const maximumTerms = 32

/** Stop words. They are ignored unless they are quoted, or the query has no other words. */
const stopWords = new Set(
  "a am an and are as at be been by can could do does for from has have how i if in is it its me my of on or our should so that the their then there they this to was we what when where whether which who why will with would you your".split(
    " "
  )
)

/** A term of a query. */
export interface QueryTerm extends SearchTerm {
  /** The folded word as in the query, which may be misspelled. Absent for phrases and quoted words. */
  readonly word?: string
}

const keyOf = ({ phrase, prefix }: SearchTerm): string => JSON.stringify([phrase, prefix])

const termOf = (run: ReadonlyArray<string>): SearchTerm => ({ phrase: run.map(stemOf) })

/** Splits a query into quoted and unquoted parts. An unterminated quote extends to the end. */
const partsOf = (query: string): ReadonlyArray<{ readonly text: string; readonly isQuoted: boolean }> =>
  query
    .split(/["“”„«»]/u)
    .map((text, index) => ({ text, isQuoted: index % 2 === 1 }))
    .filter(({ text }) => text.trim() !== "")

/**
 * Parses a query to terms, all of which a page must contain. Unquoted words match in any order and are compared by
 * stem; a quoted phrase matches adjacent words, also by stem. The last unquoted word also matches as a prefix, for
 * search as you type. Every query is valid; a query without words has no terms.
 */
export const parseSearchTerms = (query: string): ReadonlyArray<QueryTerm> => {
  const parts = partsOf(query)
  const terms: Array<QueryTerm> = []
  const stopWordTerms: Array<QueryTerm> = []
  parts.forEach(({ text, isQuoted }, partIndex) => {
    const runs = runsOf(text)
    if (isQuoted) {
      if (runs.length > 0) terms.push(termOf(runs.flat()))
      return
    }
    runs.forEach((run, index) => {
      const isLast = partIndex === parts.length - 1 && index === runs.length - 1
      const single = run.length === 1 ? { ...termOf(run), word: run[0]! } : termOf(run)
      const term = isLast && run.length === 1 ? { ...single, prefix: run[0]! } : single
      if (run.length === 1 && stopWords.has(run[0]!)) stopWordTerms.push(term)
      else terms.push(term)
    })
  })
  const effectiveTerms = terms.length > 0 ? terms : stopWordTerms
  return [...new Map(effectiveTerms.map((term) => [keyOf(term), term])).values()].slice(0, maximumTerms)
}
