/** Expands the terms of a query by the synonyms of a site. */

import { stemOf, stopWords, wordsOf } from "@lectern/markdown/text"
import type { QueryTerm } from "./searchTerms.ts"

/** Groups of words or phrases that mean the same. */
export type Synonyms = ReadonlyArray<ReadonlyArray<string>>

/** Whether the terms from an index on are the words of a phrase. */
const startsWithPhrase = (
  terms: ReadonlyArray<QueryTerm>,
  from: number,
  phrase: ReadonlyArray<string>
): boolean =>
  phrase.every((stem, index) => {
    const term = terms[from + index]
    return term?.word !== undefined && term.phrase[0] === stem
  })

/**
 * Adds the synonyms of terms as alternatives. The longest synonym at a term is used; the words of a synonym of several
 * words become one term. A word that is being typed matches the prefix as well.
 */
export const expandSynonyms = (
  terms: ReadonlyArray<QueryTerm>,
  synonyms: Synonyms
): ReadonlyArray<QueryTerm> => {
  if (synonyms.length === 0) return terms
  const phrases = synonyms
    .flatMap((group) => {
      const texts = group.map(wordsOf).filter((words) => words.length > 0)
      return texts.flatMap((words) => {
        const stems = words.map(stemOf)
        const others = texts.filter((other) => other !== words).map((other) => other.map(stemOf))
        // The terms of a query include stop words in identifiers only: `sign-on` has two terms, `sign on` has one.
        const significant = words.filter((word) => !stopWords.has(word)).map(stemOf)
        const variants = significant.length === stems.length ? [stems] : [stems, significant]
        return variants.map((searched) => ({ searched, phrase: stems, others }))
      })
    })
    .filter(({ searched }) => searched.length > 0)
    .sort((one, other) => other.searched.length - one.searched.length)
  const expanded: Array<QueryTerm> = []
  for (let at = 0; at < terms.length; ) {
    const term = terms[at]!
    const matching = phrases.filter(({ searched }) => startsWithPhrase(terms, at, searched))
    const length = matching[0]?.searched.length ?? 1
    const others = matching
      .filter(({ searched }) => searched.length === length)
      .flatMap(({ others }) => others)
    expanded.push(
      others.length === 0
        ? term
        : {
            ...(length === 1 ? term : { phrase: matching[0]!.phrase }),
            alternatives: [...(length === 1 ? (term.alternatives ?? []) : []), ...others]
          }
    )
    at += others.length === 0 ? 1 : length
  }
  return expanded
}
