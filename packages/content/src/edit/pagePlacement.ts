/** Places pages: positions among siblings, unique slugs, and the indexes by both. */

import type { StorageUnavailable } from "@lectern/kernel"
import { keys, type PageRecord, type Placed } from "@lectern/kernel/tables"
import { servableSlug, withSuffix } from "@lectern/markdown/text"
import type { PageId } from "@lectern/model/content"
import { Effect } from "effect"
import { generateKeyBetween } from "fractional-indexing"
import type { Json } from "../MerkleNode.ts"
import type { Draft, Tree } from "../Tree.ts"

/** The maximum depth of pages that edits permit. */
export const maximumEditDepth = 30

/** Whether pages of this type have a slug and can have child pages. */
export const hasSlug = ({ type }: Pick<PageRecord, "type">): boolean =>
  type === "document" || type === "group"

/** Returns the entries of a page in the indexes by place and by slug. */
export const indexEntriesOf = (
  id: PageId,
  page: PageRecord | undefined
): ReadonlyArray<readonly [key: string, value: Json]> =>
  page === undefined
    ? []
    : [
        [keys.place(page.parent, page.position, id), null],
        ...(hasSlug(page) ? [[keys.slug(page.parent, page.slug), id] as const] : [])
      ]

/** Writes a page, or removes it if `after` is undefined, and updates the index entries that differ. */
export const putPage = (
  draft: Draft,
  id: PageId,
  before: PageRecord | undefined,
  after: PageRecord | undefined
): void => {
  const [old, fresh] = [indexEntriesOf(id, before), indexEntriesOf(id, after)]
  for (const [key] of old) if (!fresh.some(([other]) => other === key)) draft.set(key, undefined)
  for (const [key, value] of fresh) if (!old.some(([other]) => other === key)) draft.set(key, value)
  draft.set(keys.page(id), after)
}

/**
 * Returns a slug that is unique among the children of a parent: the requested slug, or the slug with a suffix `-1`,
 * `-2` …. A binary search for the suffix needs O(log n) reads, because imports create many siblings with the same
 * title. The page `self` does not conflict with itself, and keeps its slug. Another slug gets a suffix if the reader serves another
 * document at its URL.
 */
export const freeSlug = Effect.fnUntraced(function* (
  tree: Tree,
  parent: PageId | "",
  wanted: string,
  self?: PageId
): Effect.fn.Return<string, StorageUnavailable> {
  const isFree = (slug: string) =>
    Effect.map(tree.bySlug(parent, slug), (holder) => holder === undefined || holder === self)
  if (self !== undefined && (yield* tree.bySlug(parent, wanted)) === self) return wanted
  const requested = servableSlug(wanted)
  if (yield* isFree(requested)) return requested
  let high = 1
  while (!(yield* isFree(withSuffix(requested, high)))) high *= 2
  let low = high >> 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (yield* isFree(withSuffix(requested, middle))) high = middle
    else low = middle
  }
  return withSuffix(requested, high)
})

/**
 * Returns a position at a zero-based index among the children of a parent, or at the end if `at` is undefined. The page
 * `moving` is not counted.
 */
export const positionAt = Effect.fnUntraced(function* (
  tree: Tree,
  parent: PageId | "",
  at: number | undefined,
  moving?: PageId
): Effect.fn.Return<string, StorageUnavailable> {
  if (at === undefined) {
    const last = yield* tree.children(parent, { direction: "desc", limit: 2 })
    return generateKeyBetween(last.find(({ id }) => id !== moving)?.position ?? null, null)
  }
  const first = yield* tree.children(parent, { limit: at + 2 })
  const siblings = first.filter(({ id }) => id !== moving)
  const before = at === 0 ? undefined : (siblings[at - 1] ?? siblings.at(-1))
  return generateKeyBetween(before?.position ?? null, siblings[at]?.position ?? null)
})

/** Returns a page and its descendants, the page first. */
export const subtree = Effect.fnUntraced(function* (
  tree: Tree,
  top: Placed
): Effect.fn.Return<ReadonlyArray<Placed>, StorageUnavailable> {
  const found: Array<Placed> = [top]
  for (const { id } of found) {
    for (const child of yield* tree.children(id)) {
      const page = yield* tree.page(child.id)
      if (page !== undefined) found.push({ id: child.id, page })
    }
  }
  return found
})
