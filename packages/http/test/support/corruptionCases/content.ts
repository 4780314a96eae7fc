/** Corruption of content and of data that is derived from content. */

import type { Records } from "@lectern/core"
import { emptyRoot, keys } from "@lectern/core/content"
import { Effect } from "effect"
import {
  changedFirstPage,
  editEntries,
  entriesOf,
  putBytes,
  replaceRoot,
  textHashOf
} from "./contentEntries.ts"
import {
  type CorruptionCase,
  deleteFirst,
  findRows,
  insertLike,
  insertRow,
  missingId,
  updateFirst
} from "./rows.ts"

/** Inserts a file of two chunks of one byte, under a hash of 43 times `letter`. */
const insertChunkedBlob = <E>(
  letter: string,
  chunks: Effect.Effect<ReadonlyArray<string>, E, Records>
): Effect.Effect<unknown, unknown, Records> =>
  Effect.flatMap(chunks, (hashes) =>
    insertRow("chunkedBlobs", {
      hash: letter.repeat(43),
      size: 2,
      chunkSize: 1,
      chunks: hashes,
      usedAt: "2026-01-01T00:00:00.000Z"
    })
  )

export const contentCases: ReadonlyArray<CorruptionCase> = [
  {
    check: "blob-bytes",
    corrupt: ({ space }) =>
      Effect.flatMap(textHashOf(space), (hash) =>
        updateFirst("blobs", { hash }, { bytes: new TextEncoder().encode("Other") })
      )
  },
  {
    check: "blob-bytes",
    corrupt: ({ space }) =>
      Effect.flatMap(textHashOf(space), (hash) =>
        updateFirst("blobs", { hash }, { encoding: "zstd", base: "A".repeat(43) })
      )
  },
  {
    check: "content-reaches",
    corrupt: ({ space }) => Effect.flatMap(textHashOf(space), (hash) => deleteFirst("blobs", { hash }))
  },
  {
    check: "content-reaches",
    corrupt: ({ space }) =>
      Effect.gen(function* () {
        const [row] = yield* findRows("spaces", { id: space })
        const [head] = yield* findRows("revisions", { id: row!.revision })
        yield* deleteFirst("blobs", { hash: head!.root })
      })
  },
  {
    check: "chunked-blobs",
    corrupt: () => insertChunkedBlob("A", Effect.succeed(["A".repeat(43), "B".repeat(43)]))
  },
  {
    check: "chunked-blobs",
    corrupt: () =>
      insertChunkedBlob(
        "C",
        Effect.forEach([1, 2], (byte) => putBytes(Uint8Array.of(byte)))
      )
  },
  {
    check: "chunked-blobs",
    corrupt: () =>
      insertChunkedBlob(
        "D",
        Effect.map(putBytes(Uint8Array.of(1, 2)), (hash) => [hash, hash])
      )
  },
  {
    check: "staged-uploads",
    corrupt: () => updateFirst("stagedUploads", {}, { hash: "E".repeat(43) })
  },
  {
    check: "replaced-revisions",
    corrupt: () =>
      Effect.gen(function* () {
        const [request] = yield* findRows("changeRequests", {})
        yield* updateFirst("revisions", { id: request!.revision }, { replacedAt: "2026-01-01T00:00:00.000Z" })
      })
  },
  {
    check: "replaced-revisions",
    corrupt: ({ space }) =>
      Effect.gen(function* () {
        const [row] = yield* findRows("spaces", { id: space })
        const [request] = yield* findRows("changeRequests", {})
        yield* updateFirst("revisions", { id: request!.revision }, { replaces: row!.revision })
      })
  },
  {
    check: "content-map",
    corrupt: ({ otherSpace }) =>
      Effect.gen(function* () {
        // A valid node in another serialization, so that equal contents would have different hashes.
        const bytes = new TextEncoder().encode('[0, "f/x", ["", {"name":"a"}]]')
        yield* replaceRoot(otherSpace, yield* putBytes(bytes))
      })
  },
  {
    check: "content-map",
    corrupt: ({ otherSpace }) =>
      Effect.gen(function* () {
        // A root with a single child.
        const bytes = new TextEncoder().encode(`[1,"",["","${emptyRoot}"]]`)
        yield* replaceRoot(otherSpace, yield* putBytes(bytes))
      })
  },
  {
    check: "content-records",
    corrupt: ({ otherSpace }) => editEntries(otherSpace, () => Effect.succeed([["p/x", { type: "odd" }]]))
  },
  {
    check: "content-records",
    corrupt: ({ otherSpace }) => editEntries(otherSpace, () => Effect.succeed([["x/x", null]]))
  },
  {
    check: "content-indexes",
    corrupt: ({ space }) =>
      editEntries(space, (tree) =>
        Effect.map(tree.children(""), ([first]) => [[keys.place("", first!.position, first!.id), undefined]])
      )
  },
  {
    check: "content-indexes",
    corrupt: ({ space }) => editEntries(space, () => Effect.succeed([[keys.slug("", "of-missingId"), "x"]]))
  },
  {
    check: "content-indexes",
    corrupt: ({ space }) =>
      editEntries(space, (tree) =>
        Effect.map(changedFirstPage(tree, { slug: "twin", position: "zz" }), (page) =>
          entriesOf("x", page).slice(0, 2)
        )
      )
  },
  {
    check: "content-slugs",
    corrupt: ({ space }) =>
      editEntries(space, (tree) =>
        Effect.map(changedFirstPage(tree, { position: "zz" }), (page) => entriesOf("x", page).slice(0, 2))
      )
  },
  {
    check: "content-order",
    corrupt: ({ space }) =>
      editEntries(space, (tree) =>
        Effect.map(changedFirstPage(tree, { slug: "twin" }), (page) => entriesOf("x", page))
      )
  },
  {
    check: "content-tree",
    corrupt: ({ space }) =>
      editEntries(space, (tree) =>
        Effect.map(changedFirstPage(tree, { parent: missingId as never }), (page) => entriesOf("x", page))
      )
  },
  {
    check: "content-tree",
    corrupt: ({ space }) =>
      editEntries(space, (tree) =>
        Effect.map(changedFirstPage(tree, { parent: "x" as never }), (page) => entriesOf("x", page))
      )
  },
  {
    check: "content-tree",
    corrupt: ({ space }) =>
      editEntries(space, (tree) =>
        Effect.gen(function* () {
          const all = yield* tree.pages
          const top = all.find(
            ({ id, page }) => page.parent === "" && all.some((one) => one.page.parent === id)
          )!
          return entriesOf(top.id, top.page).map(([key]) => [key, undefined] as const)
        })
      )
  },
  { check: "search-index", corrupt: ({ space }) => deleteFirst("searchParts", { space }) },
  { check: "search-index", corrupt: ({ space }) => updateFirst("searchParts", { space }, { body: "x" }) },
  { check: "search-index", corrupt: ({ space }) => insertLike("searchParts", { space }, { page: "zzz" }) },
  {
    check: "search-index",
    corrupt: ({ otherSpace, space }) => insertLike("searchParts", { space }, { space: otherSpace })
  },
  {
    check: "outlines",
    corrupt: ({ space }) =>
      Effect.flatMap(textHashOf(space), (hash) =>
        updateFirst("outlines", { hash }, { outline: { anchors: [], references: [] } })
      )
  }
]
