/** Finds the words of the vocabulary that a misspelled word may represent. */

import type { GrantedReader } from "@lectern/access"
import type { QueryTerm } from "@lectern/content"
import type { StorageUnavailable } from "@lectern/kernel"
import type { SearchedSpaces } from "@lectern/kernel/tables"
import { editDistance, stemOf } from "@lectern/markdown/text"
import { Effect } from "effect"
import { findCompounds } from "./compounds.ts"
import { findWords, reverseText } from "./vocabulary.ts"

/** The maximum number of words that a misspelled word is replaced by. */
const maximumCorrections = 6

/** The maximum number of misspelled words per query. Further words are not corrected. */
const maximumCorrectedWords = 8

/** Returns the number of edits that are tolerated in a word of this length: one from 5 characters, two from 9. */
export const toleratedEdits = (length: number): number => (length < 5 ? 0 : length < 9 ? 1 : 2)

/** Words that are corrected. The right word of the shortest one has 5 characters. */
const correctablePattern = /^\p{L}{4,32}$/u

/** Returns the maximum number of edits between a word and the right one, which may be longer. */
const maximumEdits = (word: string): number => (toleratedEdits(word.length + 2) === 2 ? 2 : 1)

/**
 * Returns the beginning of a word that it shares with the right one unless an edit is in it. With one edit, either the
 * beginning or the end is unchanged, also if the edit swaps the two characters in the middle. With two edits, one of the
 * outer characters is unchanged in nearly all cases.
 */
const sharedPrefix = (word: string): string => {
  const characters = Array.from(word)
  const length = maximumEdits(word) === 1 ? Math.floor((characters.length - 1) / 2) : 1
  return characters.slice(0, length).join("")
}

/** Finds the words that are closest to a misspelled word. */
const findClosestWords = Effect.fnUntraced(function* (
  records: GrantedReader,
  searched: SearchedSpaces,
  word: string
): Effect.fn.Return<ReadonlyArray<string>, StorageUnavailable> {
  const edits = maximumEdits(word)
  const candidates = yield* findWords(records, searched, {
    starts: [sharedPrefix(word)],
    ends: [reverseText(sharedPrefix(reverseText(word)))]
  })
  const distances = [...candidates]
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate, edits) }))
    .filter(({ candidate, distance }) => distance <= toleratedEdits(Math.max(word.length, candidate.length)))
  const closest = Math.min(...distances.map(({ distance }) => distance))
  return distances
    .filter(({ distance }) => distance === closest)
    .map(({ candidate }) => candidate)
    .sort()
    .slice(0, maximumCorrections)
})

/** Returns the words of terms that may be misspelled and that the vocabulary does not contain. */
const findUnknownWords = Effect.fnUntraced(function* (
  records: GrantedReader,
  searched: SearchedSpaces,
  terms: ReadonlyArray<QueryTerm>
): Effect.fn.Return<ReadonlySet<string>, StorageUnavailable> {
  const words = terms.flatMap(({ word = "" }) => (correctablePattern.test(word) ? [word] : []))
  if (words.length === 0) return new Set()
  const knownWords = yield* findWords(records, searched, { words: [...words, ...words.map(stemOf)] })
  const unknown = words.filter((word) => !knownWords.has(word) && !knownWords.has(stemOf(word)))
  return new Set(unknown.slice(0, maximumCorrectedWords))
})

/** The minimum length of an incomplete word that may be longer than the stem of the complete one. */
const minimumStemmedPrefix = 4

/** The maximum number of words that a word which is being typed is completed to. */
const maximumCompletions = 20

/**
 * Adds the stems of the words that start with the last word to its term: the stem of a complete word can be shorter than
 * the incomplete one.
 */
export const expandPrefix = Effect.fnUntraced(function* (
  records: GrantedReader,
  searched: SearchedSpaces,
  terms: ReadonlyArray<QueryTerm>
): Effect.fn.Return<ReadonlyArray<QueryTerm>, StorageUnavailable> {
  const typed = terms.find(({ prefix = "" }) => prefix.length >= minimumStemmedPrefix)
  if (typed === undefined) return terms
  const words = yield* findWords(records, searched, { starts: [typed.prefix!] })
  const completions = [...words].sort().slice(0, maximumCompletions)
  const stems = new Set(completions.map(stemOf).filter((stem) => !stem.startsWith(typed.prefix!)))
  if (stems.size === 0) return terms
  const alternatives = [...(typed.alternatives ?? []), ...[...stems].map((stem) => [stem])]
  return terms.map((term) => (term === typed ? { ...term, alternatives } : term))
})

/** A query with corrected words. */
export interface Correction {
  readonly terms: ReadonlyArray<QueryTerm>
  /** The words that are closest to each misspelled word. */
  readonly words: ReadonlyMap<string, ReadonlyArray<string>>
}

/** Finds the closest words of the vocabulary, by each word that it does not contain. */
const findCorrections = Effect.fnUntraced(function* (
  records: GrantedReader,
  searched: SearchedSpaces,
  terms: ReadonlyArray<QueryTerm>
): Effect.fn.Return<ReadonlyMap<string, ReadonlyArray<string>>, StorageUnavailable> {
  const closestByWord = new Map<string, ReadonlyArray<string>>()
  for (const word of yield* findUnknownWords(records, searched, terms)) {
    const closest = yield* findClosestWords(records, searched, word)
    const others = closest.filter((candidate) => stemOf(candidate) !== stemOf(word))
    if (others.length > 0) closestByWord.set(word, others)
  }
  return closestByWord
})

/**
 * Adds alternatives to terms: the words of the vocabulary that two of them are together, or that one of them consists of,
 * and with `corrects` the closest words of the vocabulary for a word that it does not contain. Returns `undefined` without
 * any.
 */
export const correctTerms = Effect.fnUntraced(function* (
  records: GrantedReader,
  searched: SearchedSpaces,
  terms: ReadonlyArray<QueryTerm>,
  corrects: boolean
): Effect.fn.Return<Correction | undefined, StorageUnavailable> {
  const compounds = yield* findCompounds(records, searched, terms)
  const words = corrects ? yield* findCorrections(records, searched, terms) : new Map()
  if (words.size === 0 && compounds.size === 0) return undefined
  return {
    words,
    terms: terms.map((term) => {
      const closest: ReadonlyArray<string> = words.get(term.word ?? "") ?? []
      const added = [
        ...[...new Set(closest.map(stemOf))].map((stem) => [stem]),
        ...(compounds.get(term) ?? [])
      ]
      return added.length === 0 ? term : { ...term, alternatives: [...(term.alternatives ?? []), ...added] }
    })
  }
})
