/** Damage that is done to content, and to what is found of it. */
import { emptyRoot, keys } from "@lectern/core/content"
import { Effect } from "effect"
import { entriesOf, putBytes, textOf, twin, withEntries, withRoot } from "./contents.ts"
import { addLike, type Damage, drop, find, nothing, set } from "./tools.ts"

export const all: ReadonlyArray<Damage> = [
  {
    check: "blob-bytes",
    done: ({ space }) =>
      Effect.flatMap(textOf(space), (hash) =>
        set("blobs", { hash }, { bytes: new TextEncoder().encode("Other") })
      )
  },
  {
    check: "content-reaches",
    done: ({ space }) => Effect.flatMap(textOf(space), (hash) => drop("blobs", { hash }))
  },
  {
    check: "content-reaches",
    done: ({ space }) =>
      Effect.gen(function* () {
        const [row] = yield* find("spaces", { id: space })
        const [head] = yield* find("revisions", { id: row!.revision })
        yield* drop("blobs", { hash: head!.root })
      })
  },
  {
    check: "content-map",
    done: ({ other }) =>
      Effect.gen(function* () {
        // A node, though not as nodes are written: equal contents would have another hash.
        const bytes = new TextEncoder().encode('[0, "f/x", ["", {"name":"a"}]]')
        yield* withRoot(other, yield* putBytes(bytes))
      })
  },
  {
    check: "content-map",
    done: ({ other }) =>
      Effect.gen(function* () {
        // A root that stands over a single node.
        const bytes = new TextEncoder().encode(`[1,"",["","${emptyRoot}"]]`)
        yield* withRoot(other, yield* putBytes(bytes))
      })
  },
  {
    check: "content-records",
    done: ({ other }) => withEntries(other, () => Effect.succeed([["p/x", { type: "odd" }]]))
  },
  {
    check: "content-records",
    done: ({ other }) => withEntries(other, () => Effect.succeed([["x/x", null]]))
  },
  {
    check: "content-indexes",
    done: ({ space }) =>
      withEntries(space, (tree) =>
        Effect.map(tree.children(""), ([first]) => [[keys.place("", first!.position, first!.id), undefined]])
      )
  },
  {
    check: "content-indexes",
    done: ({ space }) => withEntries(space, () => Effect.succeed([[keys.slug("", "of-nothing"), "x"]]))
  },
  {
    check: "content-indexes",
    done: ({ space }) =>
      withEntries(space, (tree) =>
        Effect.map(twin(tree, { slug: "twin", position: "zz" }), (page) => entriesOf("x", page).slice(0, 2))
      )
  },
  {
    check: "content-slugs",
    done: ({ space }) =>
      withEntries(space, (tree) =>
        Effect.map(twin(tree, { position: "zz" }), (page) => entriesOf("x", page).slice(0, 2))
      )
  },
  {
    check: "content-order",
    done: ({ space }) =>
      withEntries(space, (tree) => Effect.map(twin(tree, { slug: "twin" }), (page) => entriesOf("x", page)))
  },
  {
    check: "content-tree",
    done: ({ space }) =>
      withEntries(space, (tree) =>
        Effect.map(twin(tree, { parent: nothing as never }), (page) => entriesOf("x", page))
      )
  },
  {
    check: "content-tree",
    done: ({ space }) =>
      withEntries(space, (tree) =>
        Effect.map(twin(tree, { parent: "x" as never }), (page) => entriesOf("x", page))
      )
  },
  {
    check: "content-tree",
    done: ({ space }) =>
      withEntries(space, (tree) =>
        Effect.gen(function* () {
          const all = yield* tree.pages
          const top = all.find(
            ({ id, page }) => page.parent === "" && all.some((one) => one.page.parent === id)
          )!
          return entriesOf(top.id, top.page).map(([key]) => [key, undefined] as const)
        })
      )
  },
  { check: "search-index", done: ({ space }) => drop("searchPages", { space }) },
  { check: "search-index", done: ({ space }) => set("searchPages", { space }, { body: "x" }) },
  { check: "search-index", done: ({ space }) => addLike("searchPages", { space }, { page: "zzz" }) },
  {
    check: "search-index",
    done: ({ other, space }) => addLike("searchPages", { space }, { space: other })
  },
  {
    check: "outlines",
    done: ({ space }) =>
      Effect.flatMap(textOf(space), (hash) =>
        set("outlines", { hash }, { outline: { anchors: [], references: [] } })
      )
  }
]
