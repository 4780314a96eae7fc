/** Where pages stand: their places among siblings, their slugs, and the indexes that find them by both. */
import { Effect } from "effect"
import { generateKeyBetween } from "fractional-indexing"
import { withSuffix } from "../../../kernel/schema/Slug.ts"
import type { StorageUnavailable } from "../../../kernel/storage/index.ts"
import { keys, type PageRecord, type Placed } from "../../../model/content/ContentRecord.ts"
import type { PageId } from "../../../model/content/Page.ts"
import type { Json } from "../MerkleNode.ts"
import type { Draft, Tree } from "../Tree.ts"

/** How deep pages can be nested by edits. */
export const maximumEditDepth = 30

/** Whether pages of this type are found by a slug, and can have pages below them. */
export const hasSlug = ({ type }: Pick<PageRecord, "type">): boolean =>
  type === "document" || type === "group"

/** The entries of a page in the indexes by place and by slug. */
export const indexed = (
  id: PageId,
  page: PageRecord | undefined
): ReadonlyArray<readonly [key: string, value: Json]> =>
  page === undefined
    ? []
    : [
        [keys.place(page.parent, page.position, id), null],
        ...(hasSlug(page) ? [[keys.slug(page.parent, page.slug), id] as const] : [])
      ]

/** Puts a page, or takes it away, and keeps the indexes along with it: what stays in them is not written again. */
export const putPage = (
  draft: Draft,
  id: PageId,
  before: PageRecord | undefined,
  after: PageRecord | undefined
): void => {
  const [old, fresh] = [indexed(id, before), indexed(id, after)]
  for (const [key] of old) if (!fresh.some(([other]) => other === key)) draft.set(key, undefined)
  for (const [key, value] of fresh) if (!old.some(([other]) => other === key)) draft.set(key, value)
  draft.set(keys.page(id), after as never)
}

/**
 * The slug where it is free among the pages under a parent, else the first of `-1`, `-2` … that is found free: in
 * O(log n) look-ups, for siblings of one title come in numbers.
 */
export const freeSlug = Effect.fnUntraced(function* (
  tree: Tree,
  parent: PageId | "",
  wanted: string,
  self?: PageId
): Effect.fn.Return<string, StorageUnavailable> {
  const isFree = (slug: string) =>
    Effect.map(tree.bySlug(parent, slug), (holder) => holder === undefined || holder === self)
  if (yield* isFree(wanted)) return wanted
  let high = 1
  while (!(yield* isFree(withSuffix(wanted, high)))) high *= 2
  let low = high >> 1
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (yield* isFree(withSuffix(wanted, middle))) high = middle
    else low = middle
  }
  return withSuffix(wanted, high)
})

/** The position at an index among the pages under a parent, without the one that moves; at the end by default. */
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

/** A page with all pages below it, the page first. */
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
