/** Writes the vocabulary of spaces. */

import type { SpaceId } from "@lectern/model/spaces"
import { Effect } from "effect"
import type { GrantedRecords } from "../../access/grants/Grant.ts"
import { type StorageUnavailable, Where } from "../../kernel/storage/index.ts"
import { type SearchWordRow, searchWords } from "../../tables/search/SearchPage.ts"
import { reverseText } from "./corrections.ts"

/** The number of words per write. */
const batchSize = 2_000

/** The minimum number of words that are read before they are written. */
const minimumReadWords = 500

/**
 * Returns the words that the vocabulary of a space lacks. It has most words of many pages, and reading them takes much less
 * time than trying to insert them. Few words are returned without a query, which would take longer.
 */
const findMissingWords = Effect.fnUntraced(function* (
  records: GrantedRecords,
  space: SpaceId,
  words: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<string>, StorageUnavailable> {
  if (words.length < minimumReadWords) return words
  const known = yield* records.find(searchWords, {
    select: ["word"],
    where: Where.and<SearchWordRow>(Where.eq("space", space), Where.isIn("word", words))
  })
  const knownWords = new Set(known.map(({ word }) => word))
  return words.filter((word) => !knownWords.has(word))
})

/** Inserts the words that the vocabulary of a space lacks. */
export const insertWords = Effect.fnUntraced(function* (
  records: GrantedRecords,
  space: SpaceId,
  words: ReadonlyArray<string>
): Effect.fn.Return<void, StorageUnavailable> {
  for (let at = 0; at < words.length; at += batchSize) {
    const missing = yield* findMissingWords(records, space, words.slice(at, at + batchSize))
    if (missing.length === 0) continue
    yield* records.insertMissingLater(
      searchWords,
      missing.map((word) => ({ space, word, reversed: reverseText(word) }))
    )
  }
})
