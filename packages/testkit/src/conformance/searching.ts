/** Search: finds what a scan of every row finds, after any writes and removals. */
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
import { compare } from "../storage/compare.ts"
import { search as lookThrough } from "../storage/MemorySearch.ts"
import { type ConformanceTest, property } from "./ConformanceTest.ts"
import { and, eq, insert, remove, set } from "./examples.ts"
import { folders, pages } from "./tables.ts"
import { folder } from "./values.ts"

/** Few words, of several scripts, that begin alike and that databases could take for something of their own. */
const word = fc.constantFrom(
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
const words = (maxLength: number) => fc.array(word, { maxLength })
const said = (maxLength: number) => words(maxLength).map((all) => all.join(" "))
const text = fc.record({
  title: said(3),
  body: fc.array(said(5), { maxLength: 3 }).map((lines) => lines.join("\n")),
  forms: said(2)
})
const scope = fc.constantFrom("1", "2", "3")
const place = fc.record({ scope, item: fc.constantFrom("p", "q", "r", "s"), part: fc.nat(1) })

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("put" as const), place, text }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("remove" as const), place }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("removeScope" as const), scope }) }
)

const term: fc.Arbitrary<SearchTerm> = fc.oneof(
  fc.record({ phrase: fc.array(word, { minLength: 1, maxLength: 3 }) }),
  fc.record({ phrase: fc.tuple(word), prefix: word })
)

const wanted = fc.record({
  terms: fc.array(term, { minLength: 1, maxLength: 3 }),
  scope: fc.option(scope, { nil: undefined }),
  isFiltered: fc.boolean(),
  by: fc.constantFrom("items" as const, "scopes" as const),
  most: fc.integer({ min: 1, max: 3 }),
  limit: fc.integer({ min: 1, max: 3 })
})

const whereOf = (place: { readonly scope: string; readonly item: string; readonly part: number }) =>
  and(eq("folder", place.scope), eq("page", place.item), eq("part", place.part))

/** Reads a list to its end. */
const readAll = Effect.fnUntraced(function* (search: TextSearch) {
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
      next === undefined || hit[by] > next[by] || (hit[by] === next[by] && compare(idOf(hit), idOf(next)) < 0)
    )
  })

/** See the module's comment. */
export const searchTests: ReadonlyArray<ConformanceTest> = [
  property(
    "searching finds what has all of the terms in one row, the best first, each once over all pages of the list",
    120,
    fc.record({
      steps: fc.array(step, { maxLength: 16 }),
      wanted: fc.array(wanted, { minLength: 1, maxLength: 4 })
    }),
    Effect.fnUntraced(function* ({ steps, wanted }) {
      const store = yield* RecordsAdapter
      const rows = new Map<string, PlainRow>()
      for (const id of ["1", "2", "3"]) yield* insert(folders, folder(id))
      for (const one of steps) {
        if (one.do === "removeScope") {
          yield* remove(folders, eq("id", one.scope))
          yield* insert(folders, folder(one.scope))
          for (const [key, row] of rows) if (row.folder === one.scope) rows.delete(key)
          continue
        }
        const key = JSON.stringify(one.place)
        if (one.do === "remove") {
          yield* remove(pages, whereOf(one.place))
          rows.delete(key)
        } else if (rows.has(key)) {
          yield* set(pages, whereOf(one.place), one.text)
          rows.set(key, { ...rows.get(key), ...one.text })
        } else {
          const { scope, item, part } = one.place
          const row = { folder: scope, page: item, part, ...one.text }
          yield* insert(pages, row)
          rows.set(key, row)
        }
      }
      for (const { isFiltered, scope, ...rest } of wanted) {
        // An item is one of its scope alone where items are listed of one.
        const only = scope ?? (rest.by === "items" ? "1" : undefined)
        const search: TextSearch = {
          ...rest,
          where: isFiltered ? { op: "not", condition: eq("folder", "2") } : { op: "all" },
          ...(only === undefined ? {} : { scope: only })
        }
        const visible = [...rows.values()].filter((row) => !isFiltered || row.folder !== "2")
        const expected = lookThrough(visible, pages.fullText!, { ...search, most: 100, limit: 100 })
        const { counts, hits } = yield* readAll(search)
        const found = hits.map(nameOf)
        const all = expected.hits.map(nameOf)
        expect([...counts]).toEqual([expected.count])
        expect(new Set(found).size).toBe(found.length)
        if (search.by === "items") {
          expect([...found].sort()).toEqual([...all].sort())
          expect(isOrdered(hits, ({ item }) => item, "best")).toBe(true)
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
