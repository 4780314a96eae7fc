/** Corrupts the content of a space: replaces its map, or entries of it. */

import { type BlobHash, Blobs } from "@lectern/core"
import { ContentStore, type Json, keys, type PageRecord, Tree } from "@lectern/core/content"
import { Effect, Layer } from "effect"
import { findRows, insertLike, updateFirst } from "./rows.ts"

/** Adds a revision with this content root to a space, as its head. */
export const replaceRoot = Effect.fnUntraced(function* (space: string, root: BlobHash) {
  const [row] = yield* findRows("spaces", { id: space })
  yield* insertLike(
    "revisions",
    { id: row!.revision },
    { id: "zzz", root, parents: [row!.revision], mergedFrom: null, type: "edits" }
  )
  yield* updateFirst("spaces", { id: space }, { revision: "zzz" })
})

/** Stores bytes; returns their hash. */
export const putBytes = (bytes: Uint8Array) =>
  Effect.gen(function* () {
    const [hash] = yield* (yield* Blobs).put([bytes])
    return hash!
  }).pipe(Effect.provide(Blobs.layer, { local: true }))

/** Adds a revision with edited entries of its map to a space, as its head. */
export const editEntries = (
  space: string,
  edit: (tree: Tree.Tree) => Effect.Effect<ReadonlyArray<readonly [string, Json | undefined]>, unknown>
) =>
  Effect.gen(function* () {
    const { maps } = yield* ContentStore
    const [row] = yield* findRows("spaces", { id: space })
    const [head] = yield* findRows("revisions", { id: row!.revision })
    const root = head!.root as BlobHash
    yield* replaceRoot(space, yield* maps.write(root, yield* edit(Tree.readTree(maps, root))))
  }).pipe(Effect.provide(ContentStore.layer.pipe(Layer.provideMerge(Blobs.layer)), { local: true }))

/** The record of the first page of a tree, with changes. */
export const changedFirstPage = (tree: Tree.Tree, changes: Partial<PageRecord>) =>
  Effect.gen(function* () {
    const [first] = (yield* tree.pages).filter(({ page }) => page.type === "document" && page.parent === "")
    return { ...first!.page, ...changes }
  })

/** The entries of a page under an id: its record, its position and its slug. */
export const entriesOf = (
  id: string,
  page: PageRecord
): ReadonlyArray<readonly [string, Json | undefined]> => [
  [keys.page(id), page as never],
  [keys.place(page.parent, page.position, id), null],
  [keys.slug(page.parent, page.slug), id]
]

/** The hash of the Markdown of a page of a space. */
export const textHashOf = (space: string) =>
  Effect.gen(function* () {
    const { maps } = yield* ContentStore
    const [row] = yield* findRows("spaces", { id: space })
    const [head] = yield* findRows("revisions", { id: row!.revision })
    const pages = yield* Tree.readTree(maps, head!.root as BlobHash).pages
    return pages.find(({ page }) => page.body !== undefined)!.page.body!
  }).pipe(Effect.provide(ContentStore.layer.pipe(Layer.provideMerge(Blobs.layer)), { local: true }))
