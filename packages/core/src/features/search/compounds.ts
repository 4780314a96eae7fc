/** Finds words that are written as one word in a query and as two in the text, or the other way around. */

import type { GrantedReader } from "@lectern/access"
import type { QueryTerm } from "@lectern/content"
import type { StorageUnavailable } from "@lectern/kernel"
import type { SearchedSpaces } from "@lectern/kernel/tables"
import { stemOf } from "@lectern/markdown/text"
import { Effect } from "effect"
import { findWords } from "./vocabulary.ts"

/** The minimum and maximum length of the words of the vocabulary. */
const [minimumLength, maximumLength] = [4, 32] as const

/** The maximum number of words per query that are split or joined. */
const maximumWords = 8

const isLong = (word: string): boolean => word.length >= minimumLength

/** Returns the ways to split a word into two words that the vocabulary can contain. One of them can be short. */
const splitsOf = (word: string): ReadonlyArray<readonly [string, string]> =>
  word.length > maximumLength
    ? []
    : Array.from({ length: Math.max(0, word.length - 5) }, (_, index): readonly [string, string] => [
        word.slice(0, index + 3),
        word.slice(index + 3)
      ]).filter((pair) => pair.some(isLong))

/**
 * Returns the alternatives of terms that the vocabulary contains: `webpage` is also `web page`, and `file` next to
 * `system` is also `filesystem`.
 */
export const findCompounds = Effect.fnUntraced(function* (
  records: GrantedReader,
  searched: SearchedSpaces,
  terms: ReadonlyArray<QueryTerm>
): Effect.fn.Return<ReadonlyMap<QueryTerm, ReadonlyArray<ReadonlyArray<string>>>, StorageUnavailable> {
  const candidates = terms.slice(0, maximumWords).flatMap((term, index) => {
    const { word } = term
    if (word === undefined || !/^\p{L}+$/u.test(word)) return []
    const next = terms[index + 1]?.word ?? ""
    const joined = `${word}${next}`
    return [
      ...splitsOf(word).map((words) => ({ terms: [term], words })),
      ...(next !== "" && /^\p{L}+$/u.test(next) && isLong(joined) && joined.length <= maximumLength
        ? [{ terms: [term, terms[index + 1]!], words: [joined] }]
        : [])
    ]
  })
  const compounds = new Map<QueryTerm, ReadonlyArray<ReadonlyArray<string>>>()
  if (candidates.length === 0) return compounds
  const names = new Set(candidates.flatMap(({ words }) => words.filter(isLong)))
  const known = yield* findWords(records, searched, { words: [...names] })
  for (const { terms: some, words } of candidates) {
    if (!words.every((word) => !isLong(word) || known.has(word))) continue
    for (const term of some) compounds.set(term, [...(compounds.get(term) ?? []), words.map(stemOf)])
  }
  return compounds
})
