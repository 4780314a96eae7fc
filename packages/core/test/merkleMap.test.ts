/** Properties of the Merkle map that stores content, compared with a `Map`. */
import { Blobs, Records } from "@lectern/core"
import {
  decodeNode,
  emptyRoot,
  type FanOut,
  hashOf,
  type Json,
  makeMerkleMap,
  newFanOut,
  rankOf
} from "@lectern/core/content"
import { makeCountingStorage, runs } from "@lectern/harness"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Layer, ManagedRuntime } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

const counter = makeCountingStorage(MemoryStorage.layer())
const runtime = ManagedRuntime.make(
  Blobs.layer.pipe(Layer.provideMerge(Records.layer), Layer.provideMerge(counter.layer))
)

/** Provides Merkle maps. If `isCached` is false, every node is read from the store. */
const withMaps = <A, E>(
  use: (maps: ReturnType<typeof makeMerkleMap>) => Effect.Effect<A, E>,
  isCached = true,
  fanOut: FanOut = newFanOut
): Promise<A> =>
  runtime.runPromise(
    Effect.flatMap(Blobs, (blobs) =>
      use(makeMerkleMap(blobs, blobs.reader("test", decodeNode, isCached ? 1 << 26 : 8), fanOut))
    )
  )

type Model = ReadonlyMap<string, Json>

/** 400 keys with several ranks, so that edits create, remove and move nodes at every level. */
const keys = Array.from({ length: 400 }, (_, index) => `k${index * 7919}`)
const key = fc.constantFrom(...keys)
const value = fc.oneof(fc.nat(3), fc.record({ b: fc.nat(2), a: fc.string({ maxLength: 3 }) }))
const edits = fc.uniqueArray(fc.tuple(key, fc.option(value, { nil: undefined, freq: 3 })), {
  selector: ([key]) => key,
  maxLength: 120
})

const applyToModel = (model: Model, changes: ReadonlyArray<readonly [string, Json | undefined]>): Model => {
  const next = new Map(model)
  for (const [key, value] of changes) {
    if (value === undefined) next.delete(key)
    else next.set(key, value)
  }
  return next
}

const entriesOf = (model: Model) => [...model].sort(([a], [b]) => (a < b ? -1 : 1))

const fullRange = { from: "", to: "\uffff" }

describe("a Merkle map", () => {
  it("has several levels in these tests", () => {
    const ranks = keys.map((key) => rankOf(key, 4))
    expect(Math.max(...ranks)).toBeGreaterThanOrEqual(2)
    expect(ranks.filter((rank) => rank === 0).length).toBeGreaterThan(200)
    expect(keys.filter((key) => rankOf(key, 32) > 0).length).toBeGreaterThan(5)
  })

  it("without entries has the hash `emptyRoot`", () => {
    expect(hashOf(new TextEncoder().encode('[0,""]'))).toBe(emptyRoot)
  })

  for (const fanOut of [4, newFanOut] as const) {
    it(`returns the written values by key and by range, with a fan-out of ${fanOut}`, () =>
      fc.assert(
        fc.asyncProperty(
          fc.array(edits, { maxLength: 6 }),
          fc.tuple(key, key),
          fc.nat(20),
          (batches, [one, other], limit) =>
            withMaps(
              (maps) =>
                Effect.gen(function* () {
                  let root = emptyRoot
                  let model: Model = new Map()
                  for (const batch of batches) {
                    root = yield* maps.write(root, batch)
                    model = applyToModel(model, batch)
                  }
                  const all = entriesOf(model)
                  expect(yield* maps.range(root, fullRange)).toEqual(all)
                  for (const key of [one, other, "", "zzz"]) {
                    expect(yield* maps.get(root, key)).toEqual(model.get(key))
                  }
                  const [from, to] = one < other ? [one, other] : [other, one]
                  const within = all.filter(([key]) => key >= from && key < to)
                  expect(yield* maps.range(root, { from, to, limit })).toEqual(within.slice(0, limit))
                  expect(yield* maps.range(root, { from, to, limit, direction: "desc" })).toEqual(
                    within.toReversed().slice(0, limit)
                  )
                }),
              true,
              fanOut
            )
        ),
        runs(75)
      ))

    it(`has a hash that depends on its entries only, and not on the order of writes, with a fan-out of ${fanOut}`, () =>
      fc.assert(
        fc.asyncProperty(fc.array(edits, { minLength: 1, maxLength: 6 }), (batches) =>
          withMaps(
            (maps) =>
              Effect.gen(function* () {
                let root = emptyRoot
                let model: Model = new Map()
                for (const batch of batches) {
                  root = yield* maps.write(root, batch)
                  model = applyToModel(model, batch)
                }
                expect(yield* maps.write(emptyRoot, model)).toBe(root)
                let oneByOne = emptyRoot
                for (const entry of entriesOf(model).toReversed()) {
                  oneByOne = yield* maps.write(oneByOne, [entry])
                }
                expect(oneByOne).toBe(root)
              }),
            false,
            fanOut
          )
        ),
        runs(20)
      ))

    it(`returns exactly the keys with different values as the difference to another map, with a fan-out of ${fanOut}`, () =>
      fc.assert(
        fc.asyncProperty(edits, edits, edits, (common, one, other) =>
          withMaps(
            (maps) =>
              Effect.gen(function* () {
                const base = yield* maps.write(emptyRoot, common)
                const [a, b] = [yield* maps.write(base, one), yield* maps.write(base, other)]
                const start = applyToModel(new Map(), common)
                const [before, after] = [applyToModel(start, one), applyToModel(start, other)]
                const expected = [...new Set([...before.keys(), ...after.keys()])]
                  .sort()
                  .map((key) => ({ key, before: before.get(key), after: after.get(key) }))
                  .filter(({ before, after }) => !equal(before, after))
                expect(yield* maps.diff(a, b)).toEqual(expected)
                expect(yield* maps.diff(a, a)).toEqual([])
                const changes = expected.map(({ key, after }) => [key, after] as const)
                expect(yield* maps.write(a, changes)).toBe(b)
              }),
            false,
            fanOut
          )
        ),
        runs(75)
      ))
  }

  it("retains its fan-out when it is written, compared with a map of another, or emptied", () =>
    fc.assert(
      fc.asyncProperty(edits, edits, (common, changes) =>
        withMaps(
          (old) =>
            Effect.gen(function* () {
              const narrow = yield* old.write(emptyRoot, common)
              yield* Effect.promise(() =>
                withMaps((maps) =>
                  Effect.gen(function* () {
                    const wide = yield* maps.write(emptyRoot, common)
                    expect(yield* maps.diff(narrow, wide)).toEqual([])
                    const [one, other] = [
                      yield* maps.write(narrow, changes),
                      yield* maps.write(wide, changes)
                    ]
                    expect(yield* maps.diff(one, other)).toEqual([])
                    if (narrow === emptyRoot) return
                    expect(one).toBe(yield* old.write(narrow, changes))
                    const removals = [...applyToModel(applyToModel(new Map(), common), changes).keys()].map(
                      (key) => [key, undefined] as const
                    )
                    expect(yield* maps.write(one, removals)).toBe(emptyRoot)
                    expect(yield* maps.write(other, removals)).toBe(emptyRoot)
                    let emptied = other
                    for (const removal of removals.toReversed())
                      emptied = yield* maps.write(emptied, [removal])
                    expect(emptied).toBe(emptyRoot)
                  })
                )
              )
            }),
          true,
          4
        )
      ),
      runs(40)
    ))

  it("is written and compared with a number of queries that depends on the changes, not on its size", () =>
    withMaps(
      (maps) =>
        Effect.gen(function* () {
          const entries = (count: number) =>
            Array.from({ length: count }, (_, index) => [`p/${index}`, { title: `Page ${index}` }] as const)
          const queryCounts: Array<number> = []
          for (const count of [100, 10_000]) {
            const root = yield* maps.write(emptyRoot, entries(count))
            counter.takeVerbs()
            for (let i = 0; i < 20; i++) {
              const changed = yield* maps.write(root, [[`p/${i * 4}`, { title: "Another" }]])
              expect(yield* maps.diff(root, changed)).toHaveLength(1)
            }
            queryCounts.push(counter.takeVerbs().length)
          }
          // A map with a hundred times as many entries has two or three more levels.
          expect(queryCounts[1]! / queryCounts[0]!).toBeLessThan(3)
        }),
      false
    ))
})

const equal = (a: Json | undefined, b: Json | undefined): boolean =>
  a === undefined || b === undefined ? a === b : JSON.stringify(sorted(a)) === JSON.stringify(sorted(b))

const sorted = (value: Json): Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
