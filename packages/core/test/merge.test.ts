/** Algebraic properties of the three-way merge, on random content with random edits on both sides. */
import { type BlobHash, ContentStore, merge, recordOf, Tree } from "@lectern/core/content"
import { runs } from "@lectern/harness"
import { Effect } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  applyChanges,
  applySteps,
  childrenByParent,
  editSteps,
  emptyRoot,
  initialSteps,
  pageRecords,
  run,
  startingText,
  treeErrors
} from "./contentTools.ts"

const mergeOf = Effect.fnUntraced(function* (base: BlobHash, primary: BlobHash, change: BlobHash) {
  return yield* merge(yield* ContentStore, { base, primary, change })
})

/** Returns the keys of the records that differ between two contents. */
const changedRecords = Effect.fnUntraced(function* (base: BlobHash, side: BlobHash) {
  const { maps } = yield* ContentStore
  const differences = yield* maps.diff(base, side)
  return new Set(differences.flatMap(({ key }) => (recordOf(key) === undefined ? [] : [key])))
})

/** Steps that create a random content, and steps of each of two sides that edit it. */
const sides = fc.tuple(initialSteps, editSteps, editSteps)

const editSides = Effect.fnUntraced(function* ([start, one, other]: typeof sides extends fc.Arbitrary<infer A>
  ? A
  : never) {
  const base = yield* applySteps(emptyRoot, start, "2026-01-01T00:00:00.000Z")
  const primary = yield* applySteps(base, one)
  const change = yield* applySteps(base, other)
  return { base, primary, change }
})

/** Checks a property of random contents with a common ancestor. */
const forSides = (
  check: (content: {
    readonly base: BlobHash
    readonly primary: BlobHash
    readonly change: BlobHash
  }) => Effect.Effect<
    void,
    unknown,
    ContentStore | import("@lectern/core").Ids | import("@lectern/core").Records
  >,
  numRuns = 200
) =>
  fc.assert(
    fc.asyncProperty(sides, (input) => run(Effect.flatMap(editSides(input), check))),
    runs(numRuns)
  )

describe("a merge", () => {
  it("with an unchanged side returns the other side", () =>
    forSides(({ base, primary, change }) =>
      Effect.gen(function* () {
        expect(yield* mergeOf(base, base, change)).toEqual({ _tag: "Merged", root: change })
        expect(yield* mergeOf(base, primary, base)).toEqual({ _tag: "Merged", root: primary })
      })
    ))

  it("of equal sides returns that side", () =>
    forSides(({ base, change }) =>
      Effect.gen(function* () {
        expect(yield* mergeOf(base, change, change)).toEqual({ _tag: "Merged", root: change })
      })
    ))

  it("returns a valid tree without cycles, and with unique slugs and positions", () =>
    forSides(
      ({ base, primary, change }) =>
        Effect.gen(function* () {
          expect(yield* treeErrors(primary)).toEqual([])
          const merged = yield* mergeOf(base, primary, change)
          if (merged._tag === "Merged") expect(yield* treeErrors(merged.root)).toEqual([])
          else expect(merged.conflicts.length).toBeGreaterThan(0)
        }),
      400
    ))

  it("reports a conflict instead of nesting pages deeper than the maximum, over repeated merges", () =>
    run(
      Effect.gen(function* () {
        const at = Effect.fnUntraced(function* (root: BlobHash, title: string) {
          const { pages } = Tree.readTree((yield* ContentStore).maps, root)
          return (yield* pages).find(({ page }) => page.title === title)!.id
        })
        const insert = (title: string, into: string | null) => ({ operation: "insert_page", title, into })
        const tops = ["a", "b", "c", "d", "e"]
        const base = yield* applyChanges(
          emptyRoot,
          tops.map((title) => insert(title, null))
        )
        let primary = base
        let conflictCount = 0
        for (const [index, top] of tops.entries()) {
          // Each side nests 28 levels below a page of its own, and moves the root page of the side before to the lowest level.
          let [change, last] = [base, yield* at(base, top)]
          for (let depth = 2; depth <= 28; depth++) {
            change = yield* applyChanges(change, [insert(`${top}${depth}`, last)])
            last = yield* at(change, `${top}${depth}`)
          }
          if (index > 0) {
            const moved = yield* at(base, tops[index - 1]!)
            change = yield* applyChanges(change, [{ operation: "update_page", page: moved, into: last }])
          }
          const merged = yield* mergeOf(base, primary, change)
          if (merged._tag === "Merged") primary = merged.root
          else {
            expect(merged.conflicts).toMatchObject([{ kind: "depth" }])
            conflictCount++
          }
        }
        expect(conflictCount).toBeGreaterThan(0)
        const tree = Tree.readTree((yield* ContentStore).maps, primary)
        for (const { page } of yield* tree.pages) {
          expect((yield* tree.above(page)).length).toBeLessThan(Tree.maximumDepth)
        }
      })
    ))

  it("of sides that edit different pages has the edits of both, in either order of the sides", () =>
    forSides(
      ({ base, primary, change }) =>
        Effect.gen(function* () {
          const ours = yield* changedRecords(base, primary)
          const theirs = yield* changedRecords(base, change)
          const one = yield* mergeOf(base, primary, change)
          const other = yield* mergeOf(base, change, primary)
          expect(one._tag).toBe(other._tag)
          if (one._tag === "Conflicts" || other._tag === "Conflicts") return
          if ([...ours].some((key) => theirs.has(key))) return
          expect(yield* pageRecords(one.root)).toEqual(yield* pageRecords(other.root))
          expect(yield* childrenByParent(one.root)).toEqual(yield* childrenByParent(other.root))
          const merged = yield* pageRecords(one.root)
          const ourRecords = yield* pageRecords(primary)
          const theirRecords = yield* pageRecords(change)
          for (const key of ours) expect(merged.get(key)).toEqual(ourRecords.get(key))
          for (const key of theirs) expect(merged.get(key)).toEqual(theirRecords.get(key))
        }),
      400
    ))

  it("reports the same conflicts if the sides are exchanged", () =>
    forSides(({ base, primary, change }) =>
      Effect.gen(function* () {
        const one = yield* mergeOf(base, primary, change)
        const other = yield* mergeOf(base, change, primary)
        const conflictsOf = (merged: typeof one) =>
          merged._tag === "Merged"
            ? []
            : merged.conflicts
                .map(({ kind, page, pages, field }) =>
                  kind === "cycle"
                    ? pages!
                        .map(({ id }) => id)
                        .sort()
                        .join()
                    : `${kind} ${page?.id} ${field}`
                )
                .sort()
        expect(conflictsOf(one)).toEqual(conflictsOf(other))
      })
    ))

  it("of an updated change request returns the same as without the update", () =>
    forSides(({ base, primary, change }) =>
      Effect.gen(function* () {
        const updated = yield* mergeOf(base, primary, change)
        if (updated._tag === "Conflicts") return
        expect(yield* mergeOf(primary, primary, updated.root)).toEqual(updated)
      })
    ))
})

describe("a conflict", () => {
  const insert = (title: string, into?: string) => ({
    operation: "insert_page",
    title,
    ref: title,
    ...(into === undefined ? {} : { into }),
    document: { markdown: startingText }
  })

  /** Merges two batches of changes of the pages `a`, `b` and `c`, and returns the conflicts, or "merged". */
  const mergeChanges = (
    one: (ids: ReadonlyArray<string>) => ReadonlyArray<unknown>,
    other: (ids: ReadonlyArray<string>) => ReadonlyArray<unknown>
  ) =>
    run(
      Effect.gen(function* () {
        const { maps } = yield* ContentStore
        const base = yield* applyChanges(emptyRoot, [insert("a"), insert("b"), insert("c")])
        const ids = (yield* childrenByParent(base)).get("")!
        const primary = yield* applyChanges(base, one(ids))
        const change = yield* applyChanges(base, other(ids))
        const merged = yield* mergeOf(base, primary, change)
        const titles = yield* maps.range(base, { from: "p/", to: "p0" })
        const titleOf = new Map(
          titles.map(([key, value]) => [key.slice(2), (value as { title: string }).title])
        )
        return merged._tag === "Merged"
          ? "merged"
          : merged.conflicts.map(({ kind, page, field, primary, change, pages }) => ({
              kind,
              page: titleOf.get(page!.id),
              ...(field === undefined ? {} : { field, primary, change }),
              ...(kind === "deletion" || kind === "parent" ? { primary, change } : {}),
              ...(pages === undefined ? {} : { pages: pages.map(({ title }) => title).sort() })
            }))
      })
    )

  const update = (page: string | undefined, fields: object) => ({ operation: "update_page", page, ...fields })

  it("has the field that both sides set, and both values", async () => {
    expect(
      await mergeChanges(
        ([a]) => [update(a, { title: "One", description: "Same" })],
        ([a]) => [update(a, { title: "Other", description: "Same" })]
      )
    ).toEqual([{ kind: "field", page: "a", field: "title", primary: "One", change: "Other" }])
  })

  it("has the page that one side edited and the other deleted", async () => {
    expect(
      await mergeChanges(
        ([a]) => [{ operation: "delete_page", page: a }],
        ([a]) => [update(a, { hidden: true })]
      )
    ).toEqual([{ kind: "deletion", page: "a", primary: "deleted", change: "edited" }])
  })

  it("has the page that both sides moved to different parents", async () => {
    expect(
      await mergeChanges(
        ([a, b]) => [update(a, { into: b })],
        ([a, , c]) => [update(a, { into: c })]
      )
    ).toEqual([{ kind: "move", page: "a" }])
  })

  it("has the page that one side moved below a page that the other deleted", async () => {
    expect(
      await mergeChanges(
        ([a, b]) => [update(a, { into: b })],
        ([, b]) => [{ operation: "delete_page", page: b }]
      )
    ).toEqual([{ kind: "parent", page: "a", primary: "moved", change: "deleted" }])
  })

  it("has the pages that two moves would nest in each other", async () => {
    expect(
      await mergeChanges(
        ([a, b]) => [update(a, { into: b })],
        ([a, b]) => [update(b, { into: a })]
      )
    ).toEqual([{ kind: "cycle", page: "a", pages: ["a", "b"] }])
  })

  it("can be in a reusable content, whose other lines merge with new files", async () => {
    const file = { name: "a.txt", contentType: "text/plain", base64: "aGk=" }
    const merged = await run(
      Effect.gen(function* () {
        const { maps } = yield* ContentStore
        const base = yield* applyChanges(emptyRoot, [
          { operation: "insert_reusable_content", title: "Note", document: { markdown: startingText } },
          { operation: "insert_files", files: [file] }
        ])
        const [found] = yield* maps.range(base, { from: "r/", to: "r0" })
        const reusableContent = found![0].slice(2)
        const update = (markdown: string) =>
          applyChanges(base, [
            { operation: "update_reusable_content", reusableContent, document: { markdown } }
          ])
        const primary = yield* update(startingText.replace("line 1", "one"))
        const conflicting = yield* update(startingText.replace("line 1", "uno"))
        const compatible = yield* applyChanges(yield* update(startingText.replace("line 6", "six")), [
          { operation: "insert_files", files: [file] }
        ])
        const one = yield* mergeOf(base, primary, conflicting)
        const other = yield* mergeOf(base, primary, compatible)
        if (one._tag !== "Conflicts" || other._tag !== "Merged") return { one, other }
        const [, record] = (yield* maps.range(other.root, { from: "r/", to: "r0" }))[0]!
        const { texts } = yield* ContentStore
        return {
          conflict: one.conflicts[0],
          text: yield* texts.get((record as { body: BlobHash }).body),
          files: (yield* maps.range(other.root, { from: "f/", to: "f0" })).length
        }
      })
    )
    expect(merged).toEqual({
      conflict: {
        kind: "body",
        reusableContent: { id: expect.any(String), title: "Note" },
        regions: [{ line: 2, base: ["line 1"], primary: ["one"], change: ["uno"] }]
      },
      text: startingText.replace("line 1", "one").replace("line 6", "six"),
      files: 2
    })
  })

  it("does not occur between new pages and deleted files and reusable contents", async () => {
    const file = { name: "a.txt", contentType: "text/plain", base64: "aGk=" }
    const counts = await run(
      Effect.gen(function* () {
        const { maps } = yield* ContentStore
        const base = yield* applyChanges(emptyRoot, [
          { operation: "insert_reusable_content", title: "Note" },
          { operation: "insert_files", files: [file] }
        ])
        const idOf = (prefix: string) =>
          Effect.map(maps.range(base, { from: `${prefix}/`, to: `${prefix}0` }), ([found]) =>
            found![0].slice(2)
          )
        const without = yield* applyChanges(base, [
          { operation: "delete_reusable_content", reusableContent: yield* idOf("r") },
          { operation: "delete_files", files: [yield* idOf("f")] }
        ])
        const withPage = yield* applyChanges(base, [{ operation: "insert_page", title: "New" }])
        return yield* Effect.forEach(
          [
            [without, withPage],
            [withPage, without]
          ] as const,
          Effect.fnUntraced(function* ([primary, change]) {
            const merged = yield* mergeOf(base, primary, change)
            if (merged._tag !== "Merged") return merged
            return yield* Effect.forEach(["p", "r", "f"], (prefix) =>
              Effect.map(
                maps.range(merged.root, { from: `${prefix}/`, to: `${prefix}0` }),
                (all) => all.length
              )
            )
          })
        )
      })
    )
    expect(counts).toEqual([
      [1, 0, 0],
      [1, 0, 0]
    ])
  })

  it("does not occur if both sides use the same slug: the later page gets another one", async () => {
    expect(
      await mergeChanges(
        ([a]) => [update(a, { slug: "same" })],
        ([, b]) => [update(b, { slug: "same" })]
      )
    ).toBe("merged")
  })
})
