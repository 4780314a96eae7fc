/** Drafts have the ranges of a map with their changes, and read a bounded part of the map for a bounded range. */
import { emptyRoot, type Json, type makeMerkleMap, Tree } from "@lectern/core/content"
import { runs } from "@lectern/harness"
import { Effect } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

type MerkleMaps = ReturnType<typeof makeMerkleMap>

type Range = Parameters<MerkleMaps["range"]>[1]

const compare = ([a]: readonly [string, Json], [b]: readonly [string, Json]): number => (a < b ? -1 : 1)

/** Returns the entries of a range of a `Map`. */
const rangeOf = (entries: ReadonlyMap<string, Json>, { from, to, direction, limit }: Range) => {
  const ordered = [...entries].filter(([key]) => key >= from && key < to).sort(compare)
  return (direction === "desc" ? ordered.toReversed() : ordered).slice(0, limit)
}

/** The maps of a draft: one map with the entries. Calls `onRange` for each range that is read. */
const mapsOf = (entries: ReadonlyMap<string, Json>, onRange: (range: Range) => void = () => {}): MerkleMaps =>
  ({
    get: (_, key) => Effect.succeed(entries.get(key)),
    range: (_, range) =>
      Effect.sync(() => {
        onRange(range)
        return rangeOf(entries, range)
      })
  }) as Pick<MerkleMaps, "get" | "range"> as MerkleMaps

/** The key of the place of a page at the root, which the children of the root are read from. */
const placeOf = (index: number): string => `c//${String(index).padStart(6, "0")}/p${index}`

const placeKey = fc.nat(3_000).map(placeOf)

const childrenOf = (entries: ReadonlyMap<string, Json>, options: Pick<Range, "direction" | "limit">) =>
  rangeOf(entries, { from: "c//", to: "c/0", ...options }).map(([key]) => key)

describe("a draft", () => {
  it("has the first and the last children of the map with its changes", () =>
    fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(placeKey, { maxLength: 60 }),
        fc.array(fc.tuple(placeKey, fc.boolean()), { maxLength: 1_500 }),
        fc.boolean(),
        fc.record({
          direction: fc.constantFrom("asc" as const, "desc" as const),
          limit: fc.option(fc.nat(20), { nil: undefined })
        }),
        async (stored, changes, removesAll, { direction, limit }) => {
          const entries = new Map<string, Json>(stored.map((key) => [key, null]))
          const draft = Tree.makeDraft(mapsOf(new Map(entries)), emptyRoot)
          const removals = removesAll ? stored.map((key) => [key, false] as const) : []
          for (const [key, isSet] of [...removals, ...changes]) {
            draft.set(key, isSet ? null : undefined)
            if (isSet) entries.set(key, null)
            else entries.delete(key)
          }
          const options = { direction, ...(limit === undefined ? {} : { limit }) }
          const children = await Effect.runPromise(draft.children("", options))
          expect(children.map(({ id, position }) => `c//${position}/${id}`)).toEqual(
            childrenOf(entries, options)
          )
        }
      ),
      runs(60)
    ))

  it("reads as many stored entries for the last children after many changes as after few", async () => {
    const limits: Array<number | undefined> = []
    const draft = Tree.makeDraft(
      mapsOf(new Map([[placeOf(0), null]]), ({ limit }) => limits.push(limit)),
      emptyRoot
    )
    for (let index = 1; index <= 2_000; index++) draft.set(placeOf(index), null)
    expect(await Effect.runPromise(draft.children("", { direction: "desc", limit: 2 }))).toHaveLength(2)
    expect(limits).toEqual([10])
  })
})
