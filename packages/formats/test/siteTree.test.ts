/** Tests of the tree that an import merges from the menus of all pages of a website. */

import { Sequence, SiteTree } from "@lectern/formats"
import { runs } from "@lectern/harness"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"

/** An entry of a menu: a page, or a section without a page. */
interface Node {
  readonly url: string | undefined
  readonly title: string
  readonly entries: ReadonlyArray<Node>
}

/** A tree of pages with distinct URLs. Sections without a page have other entries. */
const trees: fc.Arbitrary<ReadonlyArray<Node>> = fc
  .letrec<{ shape: { readonly isPage: boolean; readonly inner: ReadonlyArray<unknown> } }>((tie) => ({
    shape: fc.record({
      isPage: fc.boolean(),
      inner: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie("shape"), { maxLength: 4 }))
    })
  }))
  .shape.chain((shape) => fc.array(fc.constant(shape), { minLength: 1, maxLength: 3 }))
  .map((shapes) => {
    let count = 0
    const build = (shape: { readonly isPage: boolean; readonly inner: ReadonlyArray<unknown> }): Node => {
      const index = count++
      const inner = shape.inner as ReadonlyArray<typeof shape>
      return {
        url: shape.isPage || inner.length === 0 ? `https://acme.example/p${index}` : undefined,
        title: `Entry ${index}`,
        entries: inner.map(build)
      }
    }
    return shapes.map(build)
  })

const pagesOf = (nodes: ReadonlyArray<Node>): ReadonlyArray<string> =>
  nodes.flatMap(({ url, entries }) => [...(url === undefined ? [] : [url]), ...pagesOf(entries)])

const hasPage = (node: Node, url: string): boolean => pagesOf([node]).includes(url)

/** The menu of a page: only the sections that contain the page are open. */
const menuFor = (nodes: ReadonlyArray<Node>, url: string): ReadonlyArray<Node> =>
  nodes.map((node) => ({ ...node, entries: hasPage(node, url) ? menuFor(node.entries, url) : [] }))

/** The entries without titles of pages, which an import takes from the pages. */
const withoutTitles = (nodes: ReadonlyArray<Node>): ReadonlyArray<unknown> =>
  nodes.map(({ url, title, entries }) => [url ?? title, withoutTitles(entries)])

const noPlace = { navigation: [], contents: [], ancestors: [], next: undefined, menuUrl: undefined }

const toEntries = (tree: SiteTree, urls: ReadonlyArray<string>, home?: string) =>
  tree.toEntries(
    urls.map((resource) => ({ resource, links: [] })),
    home,
    (key) => key
  )

describe("the tree of a website", () => {
  it("is that of its menus, of which each page shows the sections around it, in any order of the pages", () => {
    fc.assert(
      fc.property(
        trees.chain((nodes) =>
          fc.tuple(
            fc.constant(nodes),
            fc.shuffledSubarray([...pagesOf(nodes)], { minLength: pagesOf(nodes).length })
          )
        ),
        ([nodes, crawled]) => {
          const tree = new SiteTree((url) => url)
          for (const url of crawled) tree.add(url, { ...noPlace, navigation: menuFor(nodes, url) })
          expect(withoutTitles(toEntries(tree, crawled))).toEqual(withoutTitles(nodes))
        }
      ),
      runs(100)
    )
  })

  it("is that of the breadcrumbs and the links to the next page, if there are no menus", () => {
    const home = "https://acme.example/"
    fc.assert(
      fc.property(trees, (nodes) => {
        const tree = new SiteTree((url) => url)
        const asPages = (list: ReadonlyArray<Node>): ReadonlyArray<Node> =>
          list.map((node) => ({
            ...node,
            url: node.url ?? `https://acme.example/${node.title.replace(" ", "")}`,
            entries: asPages(node.entries)
          }))
        const all = asPages(nodes)
        const order = [home, ...pagesOf(all)]
        const add = (list: ReadonlyArray<Node>, ancestors: ReadonlyArray<string>): void => {
          for (const { url, entries } of list) {
            tree.add(url!, { ...noPlace, ancestors, next: order[order.indexOf(url!) + 1] })
            add(entries, [...ancestors, url!])
          }
        }
        tree.add(home, { ...noPlace, next: order[1] })
        add(all, [home])
        expect(withoutTitles(toEntries(tree, order.toReversed(), home))).toEqual([
          [home, []],
          ...withoutTitles(all)
        ])
      }),
      runs(100)
    )
  })

  it("has every page at most once for any declarations of pages", () => {
    const url = fc.integer({ min: 0, max: 8 }).map((index) => `https://acme.example/p${index}`)
    const { entries } = fc.letrec<{ entries: Array<Node> }>((tie) => ({
      entries: fc.oneof(
        { maxDepth: 3 },
        fc.constant<Array<Node>>([]),
        fc.array(
          fc.record({
            url: fc.option(url, { nil: undefined }),
            title: fc.constantFrom("A", "B"),
            entries: tie("entries")
          }),
          { maxLength: 4 }
        )
      )
    }))
    const place = fc.record({
      navigation: entries,
      contents: entries,
      ancestors: fc.array(url, { maxLength: 4 }),
      next: fc.option(url, { nil: undefined }),
      menuUrl: fc.constant(undefined)
    })
    fc.assert(
      fc.property(
        fc.array(fc.tuple(url, place), { maxLength: 9 }),
        fc.option(url, { nil: undefined }),
        (places, home) => {
          const tree = new SiteTree((one) => one)
          for (const [one, declared] of places) tree.add(one, declared)
          const crawled = [...new Set(places.map(([one]) => one))]
          const found = pagesOf(toEntries(tree, crawled, home))
          expect(found.length).toBe(new Set(found).size)
          expect(found.filter((one) => !crawled.includes(one))).toEqual([])
        }
      ),
      runs(200)
    )
  })

  it("is bounded for menus that contain each other", () => {
    const tree = new SiteTree((url) => url)
    const urls = Array.from({ length: 5000 }, (_, index) => `https://acme.example/p${index}`)
    for (const [index, url] of urls.entries()) {
      const next = { url: urls[(index + 1) % urls.length], title: "Next", entries: [] }
      tree.add(url, { ...noPlace, navigation: [{ url, title: "Page", entries: [next] }] })
    }
    expect(pagesOf(toEntries(tree, urls)).length).toBeLessThanOrEqual(urls.length)
  })
})

describe("a sequence", () => {
  it("has the order of all lists that are merged into it, if they agree", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }).chain((length) => {
          const ids = Array.from({ length }, (_, index) => `i${index}`)
          return fc.tuple(fc.constant(ids), fc.array(fc.subarray(ids), { maxLength: 6 }))
        }),
        ([ids, lists]) => {
          const sequence = new Sequence()
          for (const list of lists) sequence.merge(list)
          sequence.merge(ids)
          const merged = [...sequence]
          expect(merged.length).toBe(ids.length)
          expect(new Set(merged)).toEqual(new Set(ids))
          expect(sequence.size).toBe(ids.length)
          const [first] = lists
          if (first !== undefined) expect(merged.filter((id) => first.includes(id))).toEqual(first)
        }
      ),
      runs(200)
    )
  })
})
