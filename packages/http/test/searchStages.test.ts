/** Pages with some of the words of a query follow the pages with all of them, on every store. */
// cspell:ignore cherrypick
import type { SearchPageResult, SearchResults } from "@lectern/core"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { call as callServer } from "./caller.ts"
import { ruleStores, type stores } from "./stores.ts"
import { startServerOn } from "./support.ts"

type Results = SearchResults<SearchPageResult>

const page = (title: string, markdown: string) => ({
  operation: "insert_page",
  title,
  document: { markdown }
})

const start = async (store: (typeof stores)[number]) => {
  const server = await startServerOn(store)
  const admin = await server.core.createUser("admin@example.com")
  const organization = await server.core.createOrganization("Acme", admin)
  const token = await server.tokenOf(admin)
  const call = async <A>(method: string, path: string, body?: unknown) => {
    const { status, value } = await callServer<A>(server, token, method, path, body)
    expect([path, status, status < 300 ? "" : value]).toEqual([path, expect.any(Number), ""])
    return value
  }
  const createSpace = async (pages: ReadonlyArray<unknown>) => {
    const { id } = await call<{ id: string }>("POST", `/orgs/${organization}/spaces`, {})
    if (pages.length > 0) await call("POST", `/spaces/${id}/content`, { changes: pages })
    return `/spaces/${id}`
  }
  const search = (space: string, query: string, more: Record<string, string> = {}) =>
    call<Results>("GET", `${space}/search?${new URLSearchParams({ query, ...more })}`)
  const titles = async (space: string, query: string) =>
    (await search(space, query)).items.map(({ title }) => title)
  return { call, createSpace, search, titles }
}

/** The words of a page, by the word of the query: how often it contains each. */
const countsArbitrary = fc.record({ apple: fc.nat(3), pear: fc.nat(3), other: fc.nat(20) })
type Counts = typeof countsArbitrary extends fc.Arbitrary<infer A> ? A : never

const markdownOf = (counts: Counts): string =>
  Object.entries(counts)
    .map(([word, count]) => `${word} `.repeat(count))
    .join("")

/** Returns the number of words of the query `apple pear` that a page contains. */
const matchedWords = ({ apple, pear }: Counts): number => Number(apple > 0) + Number(pear > 0)

describe("stages of a search", () => {
  for (const store of ruleStores) {
    it(`lists pages with all words above pages with some, each once over all pages of results, on ${store.name}`, async () => {
      const { createSpace, search } = await start(store)
      await fc.assert(
        fc.asyncProperty(
          fc.array(countsArbitrary, { maxLength: 45 }),
          fc.integer({ min: 1, max: 20 }),
          async (all, limit) => {
            const space = await createSpace(
              all.map((counts, index) => page(`Page ${index}`, markdownOf(counts)))
            )
            const found: Array<string> = []
            const counts = new Set<number>()
            let next: { readonly page: string } | undefined
            do {
              const results: Results = await search(space, "apple pear", { limit: `${limit}`, ...next })
              found.push(...results.items.map(({ title }) => title))
              counts.add(results.count)
              next = results.next
            } while (next !== undefined)
            const withAll = all.filter((one) => matchedWords(one) === 2).length
            // With several pages that have all words, the others are not results.
            const minimum = withAll >= 5 ? 2 : 1
            const expected = all.flatMap((one, index) =>
              matchedWords(one) >= minimum ? [`Page ${index}`] : []
            )
            expect([...found].sort()).toEqual(expected.sort())
            expect([...counts]).toEqual([expected.length])
            const matched = found.map((title) => matchedWords(all[Number(title.slice(5))]!))
            expect(matched).toEqual(matched.toSorted((a, b) => b - a))
          }
        ),
        runs(15)
      )
    }, 120_000)

    it(`ranks a page whose title names the subject of a question above pages with all words, on ${store.name}`, async () => {
      const { createSpace, titles } = await start(store)
      const notes = Array.from({ length: 9 }, (_, index) =>
        page(
          `Note ${index}`,
          `Install many things. ${"Other words. ".repeat(40)}\n\nA server for an apple.\n`
        )
      )
      const space = await createSpace([...notes, page("Apple Server", "It runs.")])
      expect((await titles(space, "how to install apple server"))[0]).toBe("Apple Server")
      // A query of two words is not a question.
      expect((await titles(space, "install apple")).slice(0, 9).sort()).toEqual(
        notes.map(({ title }) => title)
      )
      expect(await titles(space, '"install many" apple server')).toHaveLength(9)
    })

    it(`lists each result of a question once, with their number, on ${store.name}`, async () => {
      const { createSpace, search } = await start(store)
      const word = fc.constantFrom("apple", "pear", "plum", "other")
      const words = fc.array(word, { maxLength: 4 }).map((all) => all.join(" "))
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ title: words, text: words }), { maxLength: 45 }),
          fc.integer({ min: 1, max: 20 }),
          async (pages, limit) => {
            const space = await createSpace(pages.map(({ title, text }) => page(`Page ${title}`, text)))
            const found: Array<string> = []
            const counts = new Set<number>()
            let next: { readonly page: string } | undefined
            do {
              const results: Results = await search(space, "apple pear plum", { limit: `${limit}`, ...next })
              found.push(...results.items.map(({ id }) => id))
              counts.add(results.count)
              next = results.next
            } while (next !== undefined)
            expect(new Set(found).size).toBe(found.length)
            expect([...counts]).toEqual([found.length])
          }
        ),
        runs(25)
      )
    })

    it(`continues a list in the same way when pages with all words are added, on ${store.name}`, async () => {
      const { call, createSpace, search } = await start(store)
      const some = Array.from({ length: 40 }, (_, index) => page(`Some ${index}`, "Apple."))
      const space = await createSpace([page("All", "Apple and pear."), ...some])
      const first = await search(space, "apple pear", { limit: "3" })
      expect(first.items[0]!.title).toBe("All")
      const changes = Array.from({ length: 10 }, (_, index) => page(`New ${index}`, "Apple and pear."))
      await call("POST", `${space}/content`, { changes })
      const rest = await search(space, "apple pear", { limit: "100", page: first.next!.page })
      const titles = [...first.items, ...rest.items].map(({ title }) => title)
      expect(new Set(titles).size).toBe(titles.length)
      expect(titles).toEqual(expect.arrayContaining(some.map(({ title }) => title)))
    })

    it(`adds no pages if a title has all words, or a quoted phrase is missing, on ${store.name}`, async () => {
      const { createSpace, titles } = await start(store)
      const space = await createSpace([
        page("Window functions", ""),
        page("Doors", "A window and a door."),
        page("Houses", "A door of a house.")
      ])
      expect(await titles(space, "window functions")).toEqual(["Window functions"])
      expect(await titles(space, "door house")).toEqual(["Houses", "Doors"])
      expect(await titles(space, '"door house" window')).toEqual([])
    })

    it(`finds compounds that are written as one word or as two, on ${store.name}`, async () => {
      const { createSpace, titles } = await start(store)
      const space = await createSpace([
        page("Cherry pick", "Applies a commit."),
        page("Storage", "The filesystem of the server."),
        page("Fruit", "A cherry.")
      ])
      expect((await titles(space, "cherrypick"))[0]).toBe("Cherry pick")
      expect((await titles(space, "file system"))[0]).toBe("Storage")
    })

    it(`prefers identifiers as a whole to their words, on ${store.name}`, async () => {
      const { createSpace, titles } = await start(store)
      const others = Array.from({ length: 40 }, (_, index) =>
        page(`Other ${index}`, `A char is converted to text. ${"Some char goes to text. ".repeat(index % 5)}`)
      )
      const space = await createSpace([
        ...others,
        page("Formats", `Calls \`to_char\`, and reads \`bareRepository\`. ${"Filler text. ".repeat(50)}`),
        page("Repositories", "A bare repository. ".repeat(20))
      ])
      expect((await titles(space, "to_char"))[0]).toBe("Formats")
      expect((await titles(space, "bareRepository"))[0]).toBe("Formats")
    })
  }
})
