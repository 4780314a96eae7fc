/**
 * The vocabulary of spaces: the words of their pages, which prefixes are completed from and misspelled words are corrected to.
 *
 * A row of the table has many words, since most of the bytes of a row of one word are its key. An edit writes one row with the words
 * of the page, without reading others. A job merges the rows of pages: into rows of the words with the same first two characters,
 * and rows of the words with the same last two.
 */

import type { GrantedReader, GrantedRecords } from "@lectern/access"
import { type StorageUnavailable, Where } from "@lectern/kernel"
import { sha256Hex } from "@lectern/kernel/sha256"
import {
  inSpaces,
  type SearchedSpaces,
  type SearchVocabularyRow,
  searchVocabulary
} from "@lectern/kernel/tables"
import { Effect } from "effect"

/** The first character of the names of the rows of pages, of words with the same end, and of words with the same beginning. */
const [pageMark, endMark, startMark] = ["+", "<", ">"] as const

/** The number of characters that the words of a merged row have in common. */
const sharedCharacters = 2

/** The maximum number of rows that a search reads. Further words are ignored. */
const maximumRows = 5_000

/** The maximum number of rows of pages that one statement merges. */
const mergedPages = 500

/** One of this many edits of a page is followed by a merge, and every edit of more pages. */
const editsPerMerge = 32

const wordPattern = /^\p{L}{4,32}$/u

/** Returns text backwards, by code points. */
export const reverseText = (text: string): string => {
  let reversed = ""
  for (const character of text) reversed = character + reversed
  return reversed
}

const bucketOf = (mark: string, word: string): string =>
  mark + Array.from(word).slice(0, sharedCharacters).join("")

const namesOfBuckets = (word: string): ReadonlyArray<string> => [
  bucketOf(startMark, word),
  bucketOf(endMark, reverseText(word))
]

const wordsIn = ({ words }: Pick<SearchVocabularyRow, "words">): ReadonlyArray<string> =>
  words === "" ? [] : words.split(" ")

const joinWords = (words: Iterable<string>): string => [...words].sort().join(" ")

/** A space, with the columns that its rows have. */
export type VocabularySpace = Pick<SearchVocabularyRow, "space" | "organization">

/**
 * Returns the row of the words of a page. Its name is derived from the words, so that an edit neither reads nor removes the rows of
 * earlier versions of the page: all of them are merged.
 */
export const pageRowOf = (
  { space, organization }: VocabularySpace,
  pageWords: ReadonlySet<string>
): SearchVocabularyRow => {
  const words = joinWords([...pageWords].filter((word) => wordPattern.test(word)))
  return { space, organization, bucket: `${pageMark}${sha256Hex(words).slice(0, 24)}`, words }
}

/** Returns the merged rows of words. */
export const mergedRowsOf = (
  { space, organization }: VocabularySpace,
  words: Iterable<string>
): ReadonlyArray<SearchVocabularyRow> => {
  const buckets = new Map<string, Set<string>>()
  for (const word of words) {
    if (!wordPattern.test(word)) continue
    for (const name of namesOfBuckets(word)) {
      const bucket = buckets.get(name)
      if (bucket === undefined) buckets.set(name, new Set([word]))
      else bucket.add(word)
    }
  }
  return [...buckets].map(([bucket, some]) => ({ space, organization, bucket, words: joinWords(some) }))
}

/**
 * Whether an edit that wrote these rows of pages is followed by a merge. The words decide for one page, so that an edit needs
 * no query, and the number of rows that are not merged stays small.
 */
export const needsMerge = (rows: ReadonlyArray<SearchVocabularyRow>): boolean =>
  rows.length > editsPerMerge ||
  rows.some(({ bucket }) => Number.parseInt(bucket.slice(1, 9), 16) % editsPerMerge === 0)

/**
 * Merges rows of pages of a space, which is locked, and returns whether there are no further ones.
 */
export const mergeWords = Effect.fnUntraced(function* (
  records: GrantedRecords,
  space: VocabularySpace
): Effect.fn.Return<boolean, StorageUnavailable> {
  const within = inSpaces<SearchVocabularyRow>({ organization: space.organization, spaces: [space.space] })
  const pages = yield* records.find(searchVocabulary, {
    where: Where.and<SearchVocabularyRow>(within, Where.startsWith("bucket", pageMark)),
    limit: mergedPages
  })
  if (pages.length === 0) return true
  const added = mergedRowsOf(space, new Set(pages.flatMap(wordsIn)))
  const inBuckets = (names: ReadonlyArray<string>) =>
    Where.and<SearchVocabularyRow>(within, Where.isIn("bucket", names))
  const stored = yield* records.find(searchVocabulary, {
    where: inBuckets(added.map(({ bucket }) => bucket))
  })
  const storedWords = new Map(stored.map((row) => [row.bucket, row.words]))
  const changed = added.flatMap((row) => {
    const old = storedWords.get(row.bucket) ?? ""
    const words = joinWords(new Set([...wordsIn({ words: old }), ...wordsIn(row)]))
    return words === old ? [] : [{ ...row, words }]
  })
  yield* records.remove(searchVocabulary, inBuckets([...pages, ...changed].map(({ bucket }) => bucket)))
  yield* records.insertMany(searchVocabulary, changed)
  return pages.length < mergedPages
})

/** The words to find: with a beginning, with an end, or these. */
interface WantedWords {
  readonly starts?: ReadonlyArray<string>
  readonly ends?: ReadonlyArray<string>
  readonly words?: ReadonlyArray<string>
}

/** Returns the words of the vocabulary of spaces with one of these beginnings or ends, and those among `words` that it has. */
export const findWords = Effect.fnUntraced(function* (
  records: GrantedReader,
  searched: SearchedSpaces,
  { starts = [], ends = [], words = [] }: WantedWords
): Effect.fn.Return<ReadonlySet<string>, StorageUnavailable> {
  const reversedEnds = ends.map(reverseText)
  const names = new Set([
    pageMark,
    ...[...starts, ...words].map((start) => bucketOf(startMark, start)),
    ...reversedEnds.map((end) => bucketOf(endMark, end))
  ])
  const rows = yield* records.find(searchVocabulary, {
    select: ["words"],
    where: Where.and<SearchVocabularyRow>(
      inSpaces(searched),
      Where.or(...[...names].map((name) => Where.startsWith<SearchVocabularyRow, "bucket">("bucket", name)))
    ),
    limit: maximumRows
  })
  const wanted = new Set(words)
  const isWanted = (word: string) =>
    wanted.has(word) ||
    starts.some((start) => word.startsWith(start)) ||
    ends.some((end) => word.endsWith(end))
  return new Set(rows.flatMap((row) => wordsIn(row).filter(isWanted)))
})
