/** Full-text search: returns the same as a scan of every row, after random writes and removals. */
import {
  type PlainRow,
  RecordsAdapter,
  type SearchHit,
  type SearchTerm,
  type TextSearch
} from "@lectern/core"
import { Effect } from "effect"
import * as fc from "fast-check"
import { expect } from "vitest"
import { compareScalars } from "../storage/compare.ts"
import { searchRows } from "../storage/MemorySearch.ts"
import { type ConformanceTest, exampleTest, propertyTest } from "./ConformanceTest.ts"
import { and, eq, insertRows, removeRows, setColumns } from "./examples.ts"
import { folders, pages } from "./tables.ts"
import { makeFolder } from "./values.ts"

/** Few words, so that they repeat: of several scripts, with common prefixes, and operators of query languages. */
const wordArbitrary = fc.constantFrom(
  "a",
  "ab",
  "abc",
  "b",
  "and",
  "or",
  "not",
  "near",
  "title",
  "1",
  "10",
  "é",
  "éa",
  "語",
  "本",
  "привет",
  "🚀",
  "x".repeat(64)
)
const words = (maxLength: number) => fc.array(wordArbitrary, { maxLength })
const wordsArbitrary = (maxLength: number) => words(maxLength).map((all) => all.join(" "))
const linesArbitrary = (maxLength: number) =>
  fc.array(wordsArbitrary(maxLength), { maxLength: 3 }).map((lines) => lines.join("\n"))
const audienceArbitrary = fc.constantFrom("members", "a1", "b2")
const textArbitrary = fc.record({
  title: wordsArbitrary(3),
  headings: linesArbitrary(2),
  body: linesArbitrary(5),
  forms: wordsArbitrary(2),
  audience: fc.oneof(
    { weight: 2, arbitrary: fc.constant("") },
    { weight: 1, arbitrary: fc.subarray(["members", "a1", "b2"]).map((names) => names.join(" ")) }
  )
})
const scopeArbitrary = fc.constantFrom("1", "2", "3")
const rowKeyArbitrary = fc.record({
  scope: scopeArbitrary,
  item: fc.constantFrom("p", "q", "r", "s"),
  part: fc.nat(1)
})

const stepArbitrary = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("put" as const), key: rowKeyArbitrary, text: textArbitrary })
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), key: rowKeyArbitrary }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("removeScope" as const), scope: scopeArbitrary }) }
)

const termArbitrary: fc.Arbitrary<SearchTerm> = fc.oneof(
  fc.record({ phrase: fc.array(wordArbitrary, { minLength: 1, maxLength: 3 }) }),
  fc.record({ phrase: fc.tuple(wordArbitrary), prefix: wordArbitrary }),
  fc.record(
    {
      phrase: fc.array(wordArbitrary, { minLength: 1, maxLength: 2 }),
      prefix: wordArbitrary,
      alternatives: fc.array(fc.array(wordArbitrary, { minLength: 1, maxLength: 2 }), { maxLength: 2 })
    },
    { requiredKeys: ["phrase", "alternatives"] }
  )
)

const searchArbitrary = fc.record({
  terms: fc.array(termArbitrary, { minLength: 1, maxLength: 3 }),
  match: fc.constantFrom("all" as const, "any" as const),
  titlesOnly: fc.boolean(),
  audiences: fc.uniqueArray(audienceArbitrary, { maxLength: 2 }),
  scopes: fc.subarray(["1", "2", "3", "unknown"]),
  isFiltered: fc.boolean(),
  by: fc.constantFrom("items" as const, "scopes" as const),
  most: fc.integer({ min: 1, max: 3 }),
  limit: fc.integer({ min: 1, max: 3 }),
  unranked: fc.nat(2),
  titlesFirst: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined })
})

/** Returns the tenant of a folder. One tenant has two of the folders. */
const tenantOf = (folder: string): string => (folder === "2" ? "other" : "own")

const whereKey = (place: { readonly scope: string; readonly item: string; readonly part: number }) =>
  and(
    eq("folder", place.scope),
    eq("tenant", tenantOf(place.scope)),
    eq("page", place.item),
    eq("part", place.part)
  )

/** Reads all pages of a search. */
const readAllHits = Effect.fnUntraced(function* (search: TextSearch) {
  const store = yield* RecordsAdapter
  const counts = new Set<number>()
  const hits: Array<SearchHit> = []
  let after: TextSearch["after"]
  for (;;) {
    const found = yield* store.search(pages, { ...search, ...(after === undefined ? {} : { after }) })
    counts.add(found.count)
    hits.push(...found.hits)
    const last = found.hits.at(-1)
    const entries = new Set(found.hits.map((hit) => (search.by === "items" ? hit.item : hit.scope)))
    expect(entries.size).toBeLessThanOrEqual(search.limit)
    if (last === undefined) return { counts, hits }
    after = { score: last.best, id: search.by === "items" ? last.item : last.scope }
  }
})

const nameOf = ({ scope, item }: SearchHit) => `${scope}/${item}`

const isOrdered = (hits: ReadonlyArray<SearchHit>, idOf: (hit: SearchHit) => string, by: "best" | "score") =>
  hits.every((hit, index) => {
    const next = hits[index + 1]
    return (
      next === undefined ||
      hit[by] > next[by] ||
      (hit[by] === next[by] && compareScalars(idOf(hit), idOf(next)) < 0)
    )
  })

/** The number of rows of each scope that is not searched, with the words of the one that is. */
const otherRows = 1_500

/** The maximum time of a search among the rows of other scopes, as a multiple of the time without them, plus a constant. */
const [maximumTimes, toleratedMs] = [3, 2] as const

/** Returns the shortest time of a search, in milliseconds. Other programs only lengthen a time. */
const shortestTimeOf = Effect.fnUntraced(function* (search: TextSearch) {
  const store = yield* RecordsAdapter
  let shortest = Infinity
  for (let round = 0; round < 25; round++) {
    const started = performance.now()
    yield* store.search(pages, search)
    shortest = Math.min(shortest, performance.now() - started)
  }
  return shortest
})

/** Returns rows of a folder. Each has a frequent word, and words of its own with the same beginning. */
const makePages = (folder: string, count: number): ReadonlyArray<PlainRow> =>
  Array.from({ length: count }, (_, index) => ({
    folder,
    tenant: tenantOf(folder),
    page: `${index}`,
    part: 0,
    title: "page",
    headings: "",
    body: `frequent begins${index} ${"filler ".repeat(40).trim()}`,
    forms: `beginning${index}`,
    audience: index % 2 === 0 ? "" : "members"
  }))

/** A search of one scope or two, for a frequent word, a prefix, or both. */
const scopedSearches: ReadonlyArray<TextSearch> = (
  [
    { terms: [{ phrase: ["frequent"] }] },
    { terms: [{ phrase: ["begin"], prefix: "begin" }] },
    { terms: [{ phrase: ["frequent"] }, { phrase: ["begin"], prefix: "b" }] },
    { terms: [{ phrase: ["page"], prefix: "p" }], titlesOnly: true }
  ] satisfies ReadonlyArray<Partial<TextSearch>>
).flatMap((asked): ReadonlyArray<TextSearch> => {
  const search = { ...asked, audiences: ["members"], where: eq("tenant", "own"), most: 5, limit: 5 }
  return [
    { ...search, scopes: ["1"], by: "items" },
    { ...search, scopes: ["1"], by: "items", unranked: 2, titlesFirst: 5 },
    { ...search, scopes: ["1", "3"], by: "scopes" }
  ]
})

/** Conformance tests of full-text search. */
export const searchTests: ReadonlyArray<ConformanceTest> = [
  exampleTest(
    "a search of some scopes takes as long and finds the same with many rows of other scopes as without them",
    Effect.gen(function* () {
      const store = yield* RecordsAdapter
      for (const folder of ["1", "2", "3", "4"]) yield* insertRows(folders, makeFolder(folder))
      for (const folder of ["1", "3"]) yield* insertRows(pages, ...makePages(folder, 20))
      const before = yield* Effect.forEach(scopedSearches, (search) =>
        Effect.zip(shortestTimeOf(search), store.search(pages, search))
      )
      // One of the folders has the same tenant as the searched folders.
      for (const folder of ["2", "4"]) yield* insertRows(pages, ...makePages(folder, otherRows))
      for (const [index, search] of scopedSearches.entries()) {
        const [timeMs, found] = before[index]!
        expect(yield* shortestTimeOf(search)).toBeLessThanOrEqual(maximumTimes * timeMs + toleratedMs)
        const { count, hits } = yield* store.search(pages, search)
        expect([count, hits.length]).toEqual([found.count, found.hits.length])
        expect(hits.every(({ scope }) => search.scopes.includes(scope))).toBe(true)
      }
    })
  ),
  propertyTest(
    "a search returns the items of its audiences with all terms, or any, in one row, best first, and each once over all pages",
    120,
    fc.record({
      steps: fc.array(stepArbitrary, { maxLength: 16 }),
      searches: fc.array(searchArbitrary, { minLength: 1, maxLength: 4 })
    }),
    Effect.fnUntraced(function* ({ steps, searches }) {
      const store = yield* RecordsAdapter
      const rows = new Map<string, PlainRow>()
      for (const id of ["1", "2", "3"]) yield* insertRows(folders, makeFolder(id))
      for (const one of steps) {
        if (one.do === "removeScope") {
          yield* removeRows(folders, eq("id", one.scope))
          yield* insertRows(folders, makeFolder(one.scope))
          for (const [key, row] of rows) if (row.folder === one.scope) rows.delete(key)
          continue
        }
        const key = JSON.stringify(one.key)
        if (one.do === "remove") {
          yield* removeRows(pages, whereKey(one.key))
          rows.delete(key)
        } else if (rows.has(key)) {
          yield* setColumns(pages, whereKey(one.key), one.text)
          rows.set(key, { ...rows.get(key), ...one.text })
        } else {
          const { scope, item, part } = one.key
          const row = { folder: scope, tenant: tenantOf(scope), page: item, part, ...one.text }
          yield* insertRows(pages, row)
          rows.set(key, row)
        }
      }
      for (const { isFiltered, titlesFirst, ...rest } of searches) {
        // A search by items requires one scope, as the ids of items are unique within one.
        const scopes = rest.by === "items" ? [rest.scopes[0] ?? "1"] : rest.scopes
        const search: TextSearch = {
          ...rest,
          ...(titlesFirst === undefined ? {} : { titlesFirst }),
          where: isFiltered ? eq("tenant", "own") : { op: "all" },
          scopes
        }
        const visible = [...rows.values()].filter((row) => !isFiltered || row.tenant === "own")
        const expected = searchRows(visible, pages.fullText!, { ...search, most: 100, limit: 100 })
        const { counts, hits } = yield* readAllHits(search)
        const found = hits.map(nameOf)
        const all = expected.hits.map(nameOf)
        expect([...counts]).toEqual([expected.count])
        expect(new Set(found).size).toBe(found.length)
        if (search.by === "items") {
          expect([...found].sort()).toEqual([...all].sort())
          expect(isOrdered(hits, ({ item }) => item, "best")).toBe(true)
          const { headings: _, ...inTitle } = pages.fullText!
          const { count: titled, hits: titledHits } = searchRows(visible, inTitle, {
            ...search,
            titlesOnly: true,
            limit: 100
          })
          if (
            titlesFirst !== undefined &&
            !rest.titlesOnly &&
            titled >= titlesFirst &&
            all.length > rest.unranked
          ) {
            expect(found.slice(0, titled).sort()).toEqual(titledHits.map(nameOf).sort())
          }
          continue
        }
        const [theirs, ours] = [hits, expected.hits].map((some) => Map.groupBy(some, (hit) => hit.scope))
        expect([...theirs!.keys()].sort()).toEqual([...ours!.keys()].sort())
        const firsts = [...theirs!.values()].map((inside) => inside[0]!)
        expect(isOrdered(firsts, (hit) => hit.scope, "best")).toBe(true)
        for (const [scope, inside] of theirs!) {
          const theirAll = new Set(ours!.get(scope)!.map(nameOf))
          expect(inside.length).toBe(Math.min(search.most, theirAll.size))
          expect(inside.every((hit) => theirAll.has(nameOf(hit)))).toBe(true)
          expect(isOrdered(inside, ({ item }) => item, "score")).toBe(true)
        }
      }
      expect((yield* store.find(pages, { where: { op: "all" }, orderBy: [], direction: "asc" })).length).toBe(
        rows.size
      )
    })
  )
]
