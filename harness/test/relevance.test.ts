/** The relevance of search on real documentation does not fall. */
import { SqliteStorage } from "@lectern/storage-sqlite"
import { MemoryStorage } from "@lectern/testkit"
import { describe, expect, it } from "vitest"
import { isLongRun } from "../src/index.ts"
import {
  readCorpora,
  relevanceByKind,
  relevanceOf,
  runQueries,
  searchCorpora
} from "../src/relevance/index.ts"

/**
 * The lowest relevance of the held-out queries. A change that improves it raises these numbers; `npm run bench:relevance`
 * prints the current ones.
 */
const floors = { hitAt1: 0.9, hitAt5: 0.97, meanReciprocalRank: 0.93 }

// Core ranks the candidates of every store. The in-memory store finds them slowly.
const stores = [
  ...(isLongRun ? [["memory", MemoryStorage.layer()] as const] : []),
  ["SQLite", SqliteStorage.layer({ filename: ":memory:" })]
] as const

describe("the relevance of search", () => {
  for (const [name, storage] of stores) {
    it(`stays above its floors for queries that it was not tuned on, on ${name}`, {
      timeout: 600_000
    }, async () => {
      const corpora = readCorpora()
      const outcomes = await searchCorpora(storage, corpora, (search) => runQueries(corpora, search))
      expect(outcomes.length).toBeGreaterThanOrEqual(300)
      const heldOut = relevanceOf(outcomes.filter(({ isHeldOut }) => isHeldOut))
      expect(heldOut.hitAt1).toBeGreaterThanOrEqual(floors.hitAt1)
      expect(heldOut.hitAt5).toBeGreaterThanOrEqual(floors.hitAt5)
      expect(heldOut.meanReciprocalRank).toBeGreaterThanOrEqual(floors.meanReciprocalRank)
      expect(relevanceByKind(outcomes).get("typo")!.empty).toBe(0)
    })
  }
})
