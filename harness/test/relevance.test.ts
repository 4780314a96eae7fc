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
const floors = {
  // Questions in the wording of people; most are in `heldOutQuestions.ts`. Their goal is 0.9.
  questions: { hitAt1: 0.84, hitAt5: 0.92, meanReciprocalRank: 0.88 },
  others: { hitAt1: 0.96, hitAt5: 0.99, meanReciprocalRank: 0.97 },
  all: { hitAt1: 0.9, hitAt5: 0.95, meanReciprocalRank: 0.92 }
}

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
      const heldOut = outcomes.filter(({ isHeldOut }) => isHeldOut)
      expect(heldOut.filter(({ kind }) => kind === "question").length).toBeGreaterThanOrEqual(100)
      for (const [kind, floor] of Object.entries(floors)) {
        const found = relevanceOf(
          heldOut.filter(
            (outcome) => kind === "all" || (outcome.kind === "question") === (kind === "questions")
          )
        )
        expect([kind, found.hitAt1]).toEqual([kind, expect.closeTo(Math.max(found.hitAt1, floor.hitAt1))])
        expect([kind, found.hitAt5]).toEqual([kind, expect.closeTo(Math.max(found.hitAt5, floor.hitAt5))])
        const { meanReciprocalRank } = found
        expect([kind, meanReciprocalRank]).toEqual([
          kind,
          expect.closeTo(Math.max(meanReciprocalRank, floor.meanReciprocalRank))
        ])
      }
      expect(relevanceByKind(outcomes).get("typo")!.empty).toBe(0)
    })
  }
})
