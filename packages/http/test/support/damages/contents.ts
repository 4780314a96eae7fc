/** What damage is done to content with: other maps in the place of those that there are. */

import { type BlobHash, Blobs } from "@lectern/core"
import { ContentStore, type Json, keys, type PageRecord, Tree } from "@lectern/core/content"
import { Effect, Layer } from "effect"
import { addLike, find, set } from "./tools.ts"

/** The head of a space is a revision with this root. */
export const withRoot = Effect.fnUntraced(function* (space: string, root: BlobHash) {
  const [row] = yield* find("spaces", { id: space })
  yield* addLike(
    "revisions",
    { id: row!.revision },
    { id: "zzz", root, parents: [row!.revision], mergedFrom: null, type: "edits" }
  )
  yield* set("spaces", { id: space }, { revision: "zzz" })
})

/** Stores bytes as they are, where they are not there by chance already. */
export const putBytes = (bytes: Uint8Array) =>
  Effect.gen(function* () {
    const [hash] = yield* (yield* Blobs).put([bytes])
    return hash!
  }).pipe(Effect.provide(Blobs.layer, { local: true }))

/** The content of the head of a space has other entries. */
export const withEntries = (
  space: string,
  edit: (tree: Tree.Tree) => Effect.Effect<ReadonlyArray<readonly [string, Json | undefined]>, unknown>
) =>
  Effect.gen(function* () {
    const { maps } = yield* ContentStore
    const [row] = yield* find("spaces", { id: space })
    const [head] = yield* find("revisions", { id: row!.revision })
    const root = head!.root as BlobHash
    yield* withRoot(space, yield* maps.write(root, yield* edit(Tree.readTree(maps, root))))
  }).pipe(Effect.provide(ContentStore.layer.pipe(Layer.provideMerge(Blobs.layer)), { local: true }))

/** The first page of a content, and a copy of it under another id. */
export const twin = (tree: Tree.Tree, changes: Partial<PageRecord>) =>
  Effect.gen(function* () {
    const [first] = (yield* tree.pages).filter(({ page }) => page.type === "document" && page.parent === "")
    return { ...first!.page, ...changes }
  })

export const entriesOf = (
  id: string,
  page: PageRecord
): ReadonlyArray<readonly [string, Json | undefined]> => [
  [keys.page(id), page as never],
  [keys.place(page.parent, page.position, id), null],
  [keys.slug(page.parent, page.slug), id]
]

/** The hash of a text of the head of a space. */
export const textOf = (space: string) =>
  Effect.gen(function* () {
    const { maps } = yield* ContentStore
    const [row] = yield* find("spaces", { id: space })
    const [head] = yield* find("revisions", { id: row!.revision })
    const pages = yield* Tree.readTree(maps, head!.root as BlobHash).pages
    return pages.find(({ page }) => page.body !== undefined)!.page.body!
  }).pipe(Effect.provide(ContentStore.layer.pipe(Layer.provideMerge(Blobs.layer)), { local: true }))
