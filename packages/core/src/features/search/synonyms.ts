/** Expands the terms of a query by the synonyms of a site. */
import type { QueryTerm } from "./searchTerms.ts"
import { stemOf, wordsOf } from "./words.ts"

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
    .map((group) => group.map((text) => wordsOf(text).map(stemOf)).filter((words) => words.length > 0))
    .flatMap((group) => group.map((phrase) => ({ phrase, others: group.filter((one) => one !== phrase) })))
    .sort((one, other) => other.phrase.length - one.phrase.length)
  const expanded: Array<QueryTerm> = []
  for (let at = 0; at < terms.length; ) {
    const term = terms[at]!
    const matching = phrases.filter(({ phrase }) => startsWithPhrase(terms, at, phrase))
    const length = matching[0]?.phrase.length ?? 1
    const others = matching.filter(({ phrase }) => phrase.length === length).flatMap(({ others }) => others)
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
