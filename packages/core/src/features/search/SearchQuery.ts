/** What callers look for: any text, taken apart into terms that every store understands. */
import type { SearchTerm } from "../../kernel/storage/index.ts"
import { runsOf, stemOf } from "./words.ts"

/** The most terms of a query: what comes behind is not looked for. */
const mostTerms = 32

/** Words that say nothing by themselves; they are only looked for where nothing else is, or in quotes. */
const common = new Set(
  "a an and are as at be by can do does for from how i if in is it its me my of on or our so that the their then there this to was we what when where which who why will with you your".split(
    " "
  )
)

const keyOf = ({ phrase, prefix }: SearchTerm): string => JSON.stringify([phrase, prefix])

const termOf = (run: ReadonlyArray<string>): SearchTerm => ({ phrase: run.map(stemOf) })

/** Quoted parts, and what is between them. A quote that does not end goes on to the end. */
const partsOf = (query: string): ReadonlyArray<{ readonly text: string; readonly isQuoted: boolean }> =>
  query
    .split(/["“”„«»]/u)
    .map((text, index) => ({ text, isQuoted: index % 2 === 1 }))
    .filter(({ text }) => text.trim() !== "")

/**
 * The terms of a query. Words all have to be there, in any order, whatever their endings; what stands in quotes has to
 * stand there as it is. The last word may go on: whoever types is not done with it. No text is an error: of one without
 * words, there are no terms.
 */
export const termsOf = (query: string): ReadonlyArray<SearchTerm> => {
  const parts = partsOf(query)
  const terms: Array<SearchTerm> = []
  const plain: Array<SearchTerm> = []
  parts.forEach(({ text, isQuoted }, at) => {
    const runs = runsOf(text)
    if (isQuoted) {
      if (runs.length > 0) terms.push(termOf(runs.flat()))
      return
    }
    runs.forEach((run, index) => {
      const isLast = at === parts.length - 1 && index === runs.length - 1
      const term = isLast && run.length === 1 ? { ...termOf(run), prefix: run[0]! } : termOf(run)
      if (run.length === 1 && common.has(run[0]!)) plain.push(term)
      else terms.push(term)
    })
  })
  const wanted = terms.length > 0 ? terms : plain
  return [...new Map(wanted.map((term) => [keyOf(term), term])).values()].slice(0, mostTerms)
}
