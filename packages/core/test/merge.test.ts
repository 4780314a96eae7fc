/** The laws of the three-way merge, on random content that is edited at random on both sides. */
import { type BlobHash, ContentStore, merge, mergeTexts, recordOf, Tree } from "@lectern/core/content"
import { runs } from "@lectern/harness"
import { Effect } from "effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  after,
  beginning,
  edited,
  emptyRoot,
  flawsOf,
  orderOf,
  recordsOf,
  run,
  startingText,
  steps
} from "./contentTools.ts"

const mergeOf = Effect.fnUntraced(function* (base: BlobHash, primary: BlobHash, change: BlobHash) {
  return yield* merge(yield* ContentStore, { base, primary, change })
})

const touchedIn = Effect.fnUntraced(function* (base: BlobHash, side: BlobHash) {
  const { maps } = yield* ContentStore
  const differences = yield* maps.diff(base, side)
  return new Set(differences.flatMap(({ key }) => (recordOf(key) === undefined ? [] : [key])))
})

/** A random content, and what each of two sides made of it. */
const sides = fc.tuple(beginning, steps, steps)

const made = Effect.fnUntraced(function* ([start, one, other]: typeof sides extends fc.Arbitrary<infer A>
  ? A
  : never) {
  const base = yield* after(emptyRoot, start, "2026-01-01T00:00:00.000Z")
  const primary = yield* after(base, one)
  const change = yield* after(base, other)
  return { base, primary, change }
})

const law = (
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
    fc.asyncProperty(sides, (input) => run(Effect.flatMap(made(input), check))),
    runs(numRuns)
  )

describe("a merge", () => {
  it("with a side that changed nothing gives the other side", () =>
    law(({ base, primary, change }) =>
      Effect.gen(function* () {
        expect(yield* mergeOf(base, base, change)).toEqual({ _tag: "Merged", root: change })
        expect(yield* mergeOf(base, primary, base)).toEqual({ _tag: "Merged", root: primary })
      })
    ))

  it("of equal changes gives that change", () =>
    law(({ base, change }) =>
      Effect.gen(function* () {
        expect(yield* mergeOf(base, change, change)).toEqual({ _tag: "Merged", root: change })
      })
    ))

  it("gives a tree: every page once, none below itself, every slug and place of one page", () =>
    law(
      ({ base, primary, change }) =>
        Effect.gen(function* () {
          expect(yield* flawsOf(primary)).toEqual([])
          const merged = yield* mergeOf(base, primary, change)
          if (merged._tag === "Merged") expect(yield* flawsOf(merged.root)).toEqual([])
          else expect(merged.conflicts.length).toBeGreaterThan(0)
        }),
      400
    ))

  it("does not nest pages deeper than readers go, however many are merged that each do not", () =>
    run(
      Effect.gen(function* () {
        const at = Effect.fnUntraced(function* (root: BlobHash, title: string) {
          const { pages } = Tree.readTree((yield* ContentStore).maps, root)
          return (yield* pages).find(({ page }) => page.title === title)!.id
        })
        const insert = (title: string, into: string | null) => ({ operation: "insert_page", title, into })
        const tops = ["a", "b", "c", "d", "e"]
        const base = yield* edited(
          emptyRoot,
          tops.map((title) => insert(title, null))
        )
        let primary = base
        let refused = 0
        for (const [index, top] of tops.entries()) {
          // Each side nests 28 deep below a page of its own, and puts the top of the one before at the end of that.
          let [change, last] = [base, yield* at(base, top)]
          for (let depth = 2; depth <= 28; depth++) {
            change = yield* edited(change, [insert(`${top}${depth}`, last)])
            last = yield* at(change, `${top}${depth}`)
          }
          if (index > 0) {
            const moved = yield* at(base, tops[index - 1]!)
            change = yield* edited(change, [{ operation: "update_page", page: moved, into: last }])
          }
          const merged = yield* mergeOf(base, primary, change)
          if (merged._tag === "Merged") primary = merged.root
          else {
            expect(merged.conflicts).toMatchObject([{ kind: "depth" }])
            refused++
          }
        }
        expect(refused).toBeGreaterThan(0)
        const tree = Tree.readTree((yield* ContentStore).maps, primary)
        for (const { page } of yield* tree.pages) {
          expect((yield* tree.above(page)).length).toBeLessThan(Tree.maximumDepth)
        }
      })
    ))

  it("of sides that touch different pages loses nothing of either, whichever comes first", () =>
    law(
      ({ base, primary, change }) =>
        Effect.gen(function* () {
          const [mine, its] = [yield* touchedIn(base, primary), yield* touchedIn(base, change)]
          const one = yield* mergeOf(base, primary, change)
          const other = yield* mergeOf(base, change, primary)
          expect(one._tag).toBe(other._tag)
          if (one._tag === "Conflicts" || other._tag === "Conflicts") return
          if ([...mine].some((key) => its.has(key))) return
          expect(yield* recordsOf(one.root)).toEqual(yield* recordsOf(other.root))
          expect(yield* orderOf(one.root)).toEqual(yield* orderOf(other.root))
          const [all, fromMine, fromIts] = [
            yield* recordsOf(one.root),
            yield* recordsOf(primary),
            yield* recordsOf(change)
          ]
          for (const key of mine) expect(all.get(key)).toEqual(fromMine.get(key))
          for (const key of its) expect(all.get(key)).toEqual(fromIts.get(key))
        }),
      400
    ))

  it("finds the same in the way, whichever side is which", () =>
    law(({ base, primary, change }) =>
      Effect.gen(function* () {
        const one = yield* mergeOf(base, primary, change)
        const other = yield* mergeOf(base, change, primary)
        const named = (merged: typeof one) =>
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
        expect(named(one)).toEqual(named(other))
      })
    ))

  it("after an update is the same as without it", () =>
    law(({ base, primary, change }) =>
      Effect.gen(function* () {
        const updated = yield* mergeOf(base, primary, change)
        if (updated._tag === "Conflicts") return
        expect(yield* mergeOf(primary, primary, updated.root)).toEqual(updated)
      })
    ))
})

describe("a merge that cannot be made", () => {
  const insert = (title: string, into?: string) => ({
    operation: "insert_page",
    title,
    ref: title,
    ...(into === undefined ? {} : { into }),
    document: { markdown: startingText }
  })

  /** Three pages, `a`, `b` and `c`, and what comes of merging two batches of changes of them. */
  const conflicts = (
    one: (ids: ReadonlyArray<string>) => ReadonlyArray<unknown>,
    other: (ids: ReadonlyArray<string>) => ReadonlyArray<unknown>
  ) =>
    run(
      Effect.gen(function* () {
        const { maps } = yield* ContentStore
        const base = yield* edited(emptyRoot, [insert("a"), insert("b"), insert("c")])
        const ids = (yield* orderOf(base)).get("")!
        const primary = yield* edited(base, one(ids))
        const change = yield* edited(base, other(ids))
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

  it("says which field both set, and to what", async () => {
    expect(
      await conflicts(
        ([a]) => [update(a, { title: "One", description: "Same" })],
        ([a]) => [update(a, { title: "Other", description: "Same" })]
      )
    ).toEqual([{ kind: "field", page: "a", field: "title", primary: "One", change: "Other" }])
  })

  it("says what one edited and the other deleted", async () => {
    expect(
      await conflicts(
        ([a]) => [{ operation: "delete_page", page: a }],
        ([a]) => [update(a, { hidden: true })]
      )
    ).toEqual([{ kind: "deletion", page: "a", primary: "deleted", change: "edited" }])
  })

  it("says which page both moved to different places", async () => {
    expect(
      await conflicts(
        ([a, b]) => [update(a, { into: b })],
        ([a, , c]) => [update(a, { into: c })]
      )
    ).toEqual([{ kind: "move", page: "a" }])
  })

  it("says which page one put below a page that the other deleted", async () => {
    expect(
      await conflicts(
        ([a, b]) => [update(a, { into: b })],
        ([, b]) => [{ operation: "delete_page", page: b }]
      )
    ).toEqual([{ kind: "parent", page: "a", primary: "moved", change: "deleted" }])
  })

  it("says which pages two moves would put below each other", async () => {
    expect(
      await conflicts(
        ([a, b]) => [update(a, { into: b })],
        ([a, b]) => [update(b, { into: a })]
      )
    ).toEqual([{ kind: "cycle", page: "a", pages: ["a", "b"] }])
  })

  it("is of reusable contents and files too", async () => {
    const file = { name: "a.txt", contentType: "text/plain", base64: "aGk=" }
    const merged = await run(
      Effect.gen(function* () {
        const { maps } = yield* ContentStore
        const base = yield* edited(emptyRoot, [
          { operation: "insert_reusable_content", title: "Note", document: { markdown: startingText } },
          { operation: "insert_files", files: [file] }
        ])
        const [found] = yield* maps.range(base, { from: "r/", to: "r0" })
        const reusableContent = found![0].slice(2)
        const update = (markdown: string) =>
          edited(base, [{ operation: "update_reusable_content", reusableContent, document: { markdown } }])
        const primary = yield* update(startingText.replace("line 1", "one"))
        const meets = yield* update(startingText.replace("line 1", "uno"))
        const passes = yield* edited(yield* update(startingText.replace("line 6", "six")), [
          { operation: "insert_files", files: [file] }
        ])
        const [one, other] = [yield* mergeOf(base, primary, meets), yield* mergeOf(base, primary, passes)]
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

  it("keeps what one side did beside files and reusable contents that the other deleted", async () => {
    const file = { name: "a.txt", contentType: "text/plain", base64: "aGk=" }
    const counts = await run(
      Effect.gen(function* () {
        const { maps } = yield* ContentStore
        const base = yield* edited(emptyRoot, [
          { operation: "insert_reusable_content", title: "Note" },
          { operation: "insert_files", files: [file] }
        ])
        const idOf = (prefix: string) =>
          Effect.map(maps.range(base, { from: `${prefix}/`, to: `${prefix}0` }), ([found]) =>
            found![0].slice(2)
          )
        const without = yield* edited(base, [
          { operation: "delete_reusable_content", reusableContent: yield* idOf("r") },
          { operation: "delete_files", files: [yield* idOf("f")] }
        ])
        const beside = yield* edited(base, [{ operation: "insert_page", title: "New" }])
        return yield* Effect.forEach(
          [
            [without, beside],
            [beside, without]
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

  it("is not one where two pages want the same slug: the one that comes later gets another", async () => {
    expect(
      await conflicts(
        ([a]) => [update(a, { slug: "same" })],
        ([, b]) => [update(b, { slug: "same" })]
      )
    ).toBe("merged")
  })
})

describe("a merge of texts", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 8 }).map((all) => all.join("\n"))

  it("with an unchanged side gives the other, and of equal changes that one", () =>
    fc.assert(
      fc.property(lines, lines, (base, side) => {
        expect(mergeTexts(base, base, side)).toEqual({ _tag: "Merged", text: side })
        expect(mergeTexts(base, side, base)).toEqual({ _tag: "Merged", text: side })
        expect(mergeTexts(base, side, side)).toEqual({ _tag: "Merged", text: side })
      })
    ))

  it("keeps the paragraphs that each side changed, added or took away, side by side", () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom("keep", "edit", "add", "remove"), fc.boolean()), { maxLength: 12 }),
        (all) => {
          const text = (side: boolean | undefined) =>
            all
              .flatMap(([what, whose], index) => {
                const own = `Paragraph ${index}.`
                if (side !== undefined && side !== whose) return [own]
                switch (side === undefined ? "keep" : what) {
                  case "edit":
                    return [`Changed ${index}.`]
                  case "add":
                    return [own, `Added ${index}.`]
                  case "remove":
                    return []
                  default:
                    return [own]
                }
              })
              .join("\n\n")
          const both = all
            .flatMap(([what], index) =>
              what === "edit"
                ? [`Changed ${index}.`]
                : what === "add"
                  ? [`Paragraph ${index}.`, `Added ${index}.`]
                  : what === "remove"
                    ? []
                    : [`Paragraph ${index}.`]
            )
            .join("\n\n")
          const merged = mergeTexts(text(undefined), text(true), text(false))
          // Neighbors that both sides touch are a conflict; nothing is ever merged into anything else.
          if (merged._tag === "Merged") expect(merged.text).toBe(both)
          const touched = all.map(([what, whose]) => (what === "keep" ? undefined : whose))
          const meet = touched.some((whose, i) => whose !== undefined && touched[i + 1] === !whose)
          if (!meet) expect(merged._tag).toBe("Merged")
        }
      ),
      runs(500)
    ))

  it("comes to an end for texts of nothing but equal lines", () => {
    const blank = "\n".repeat(50_000)
    expect(mergeTexts(blank, `first${blank}`, `${blank}last`)._tag).toBe("Conflict")
    const prose = Array.from({ length: 20_000 }, (_, i) => `Line ${i}.\n`).join("\n")
    expect(mergeTexts(prose, `First.\n${prose}`, `${prose}\nLast.`)).toEqual({
      _tag: "Merged",
      text: `First.\n${prose}\nLast.`
    })
  })

  it("is the same whichever side is which", () =>
    fc.assert(
      fc.property(lines, lines, lines, (base, one, other) => {
        const [a, b] = [mergeTexts(base, one, other), mergeTexts(base, other, one)]
        expect(a._tag).toBe(b._tag)
        if (a._tag === "Merged") expect(a).toEqual(b)
      })
    ))
})
