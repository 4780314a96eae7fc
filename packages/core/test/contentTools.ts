/** Creates random content for tests: roots of Merkle maps, without a space. */

import type { PageId } from "@lectern/core"
import { Blobs, type ContentChange, EditContent, Ids, MarkdownEngine, Records } from "@lectern/core"
import {
  apply,
  type BlobHash,
  ContentStore,
  emptyRoot,
  keys,
  ParseAllowance,
  type Placed,
  prefixes,
  prepare,
  recordOf,
  Tree,
  within
} from "@lectern/core/content"
import { MemoryStorage } from "@lectern/testkit"
import { Effect, Layer, Schema } from "effect"
import * as fc from "fast-check"

const services = ContentStore.layer.pipe(
  Layer.provideMerge(Blobs.layer),
  Layer.provideMerge(Records.layer),
  Layer.provideMerge(Ids.layer)
)

/** Runs an effect on an in-memory store of its own. */
export const run = <A, E>(effect: Effect.Effect<A, E, ContentStore | Ids | Records>): Promise<A> =>
  Effect.runPromise(
    Effect.provide(effect, services.pipe(Layer.provide(MemoryStorage.layer())), { local: true })
  )

const decode = Schema.decodeUnknownSync(EditContent)

/** Applies changes to a content and returns the new root. Fails with `InvalidInput` if a change is invalid. */
export const applyChanges = Effect.fnUntraced(function* (
  root: BlobHash,
  changes: ReadonlyArray<unknown>,
  time = "2026-01-02T00:00:00.000Z"
) {
  const content = yield* ContentStore
  const batch: ReadonlyArray<ContentChange> = decode({ changes }).changes
  const draft = Tree.makeDraft(content.maps, root)
  const tree = Tree.readTree(content.maps, root)
  const editing = {
    draft,
    content,
    time,
    convert: yield* MarkdownEngine,
    revision: () => Effect.succeed(tree),
    outcomes: new Map(),
    files: [],
    parsing: new ParseAllowance(),
    ...(yield* prepare(batch, tree, yield* Ids))
  }
  yield* apply(editing, batch)
  return yield* draft.write
})

/** A random edit. Numbers select pages by their index in the list of existing pages, modulo its length. */
export type Step =
  | { readonly do: "insert"; readonly into: number; readonly at: number; readonly title: string }
  | { readonly do: "move"; readonly page: number; readonly into: number; readonly at: number }
  | { readonly do: "title" | "slug" | "description"; readonly page: number; readonly text: string }
  | { readonly do: "line"; readonly page: number; readonly line: number; readonly text: string }
  | { readonly do: "delete"; readonly page: number }

const pageIndex = fc.nat(30)
const word = fc.constantFrom("a", "b", "c", "intro", "guide")

const insert = fc.record({ do: fc.constant("insert" as const), into: pageIndex, at: fc.nat(4), title: word })

const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: insert, weight: 3 },
  {
    arbitrary: fc.record({
      do: fc.constant("move" as const),
      page: pageIndex,
      into: pageIndex,
      at: fc.nat(4)
    }),
    weight: 3
  },
  {
    arbitrary: fc.record({
      do: fc.constantFrom("title", "slug", "description"),
      page: pageIndex,
      text: word
    }),
    weight: 2
  },
  {
    arbitrary: fc.record({
      do: fc.constant("line" as const),
      page: pageIndex,
      line: fc.nat(7),
      text: word
    }),
    weight: 3
  },
  { arbitrary: fc.record({ do: fc.constant("delete" as const), page: pageIndex }), weight: 1 }
)

/** Steps that create the initial pages. */
export const initialSteps = fc.array(insert, { minLength: 1, maxLength: 10 })
/** Steps that edit existing pages. */
export const editSteps = fc.array(step, { maxLength: 6 })

/** The initial body of pages. It has eight lines, so that concurrent edits conflict in some cases only. */
export const startingText = Array.from({ length: 8 }, (_, line) => `line ${line}`).join("\n")

const changeOf = (step: Step, pages: ReadonlyArray<Placed>, texts: ReadonlyMap<PageId, string>): unknown => {
  const pick = (index: number) => pages[index % pages.length]?.id
  const parent = (index: number) =>
    index % (pages.length + 1) === pages.length ? null : (pick(index) ?? null)
  if (step.do === "insert") {
    const { title, at } = step
    const document = { markdown: startingText }
    return { operation: "insert_page", title, at, into: parent(step.into), document }
  }
  const id = pick(step.page)
  switch (step.do) {
    case "move":
      return { operation: "update_page", page: id, into: parent(step.into), at: step.at }
    case "delete":
      return { operation: "delete_page", page: id }
    case "line": {
      const lines = (texts.get(id!) ?? "").split("\n")
      lines[step.line % lines.length] = step.text
      return { operation: "update_page", page: id, document: { markdown: lines.join("\n") } }
    }
    default:
      return { operation: "update_page", page: id, [step.do]: step.text }
  }
}

/** Applies steps to a content and returns the new root. Invalid steps are skipped. */
export const applySteps = Effect.fnUntraced(function* (
  root: BlobHash,
  all: ReadonlyArray<Step>,
  time?: string
) {
  const content = yield* ContentStore
  let current = root
  for (const step of all) {
    const pages = (yield* Tree.readTree(content.maps, current).pages).toSorted((a, b) =>
      a.id < b.id ? -1 : 1
    )
    if (pages.length === 0 && step.do !== "insert") continue
    const texts = new Map<PageId, string>()
    for (const { id, page } of pages) {
      if (page.body !== undefined) texts.set(id, yield* content.texts.get(page.body))
    }
    const change = changeOf(step, pages, texts)
    current = yield* Effect.catchTag(applyChanges(current, [change], time), "InvalidInput", () =>
      Effect.succeed(current)
    )
  }
  return current
})

/** Returns the violated invariants of the page tree of a content, as messages. */
export const treeErrors = Effect.fnUntraced(function* (root: BlobHash) {
  const { maps } = yield* ContentStore
  const tree = Tree.readTree(maps, root)
  const pages = yield* tree.pages
  const byId = new Map(pages.map(({ id, page }) => [id as string, page]))
  const errors: Array<string> = []
  const expected = new Set<string>()
  const positions = new Set<string>()
  for (const { id, page } of pages) {
    if (page.parent !== "" && !byId.has(page.parent)) errors.push(`the parent of ${id} does not exist`)
    const visited = new Set([id as string])
    for (let ancestor = page.parent as string; ancestor !== ""; ancestor = byId.get(ancestor)?.parent ?? "") {
      if (visited.has(ancestor)) {
        errors.push(`${id} is its own ancestor`)
        break
      }
      visited.add(ancestor)
    }
    const position = `${page.parent}/${page.position}`
    if (positions.has(position)) errors.push(`${id} has the position of a sibling`)
    positions.add(position)
    for (const key of [keys.place(page.parent, page.position, id), keys.slug(page.parent, page.slug)]) {
      if (expected.has(key)) errors.push(`${key} belongs to two pages`)
      expected.add(key)
    }
  }
  const indexed = new Set(
    (yield* maps.range(root, { from: "", to: "\uffff" })).flatMap(([key]) => (recordOf(key) ? [] : [key]))
  )
  for (const key of indexed) if (!expected.has(key)) errors.push(`${key} refers to no page`)
  for (const key of expected) if (!indexed.has(key)) errors.push(`${key} is missing`)
  return errors
})

/** Returns the ids of the children of each parent, in their order. */
export const childrenByParent = Effect.fnUntraced(function* (root: BlobHash) {
  const { maps } = yield* ContentStore
  const places = yield* maps.range(root, within("c/"))
  const order = new Map<string, Array<string>>()
  for (const [key] of places) {
    const [, parent, , id] = key.split("/")
    order.set(parent!, [...(order.get(parent!) ?? []), id!])
  }
  return order
})

/** Returns the page records of a content by key, without positions, slugs and times of update. */
export const pageRecords = Effect.fnUntraced(function* (root: BlobHash) {
  const { maps } = yield* ContentStore
  const pages = yield* maps.range(root, within(prefixes.pages))
  return new Map(
    pages.map(([key, value]) => {
      const { position: _, slug: __, updatedAt: ___, ...record } = value as Record<string, unknown>
      return [key, record] as const
    })
  )
})

export { emptyRoot }
