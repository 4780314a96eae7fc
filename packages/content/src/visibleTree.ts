/** The tree of content as visitors of a site see it: without the pages whose conditions they do not meet. */

import type { StorageUnavailable } from "@lectern/kernel"
import type { PageRecord, Placed } from "@lectern/kernel/tables"
import { parseStoredCondition } from "@lectern/markdown/conditions"
import { type Claims, evaluateCondition } from "@lectern/model/conditions"
import type { PageId } from "@lectern/model/content"
import { Effect } from "effect"
import type { Tree } from "./Tree.ts"

/** Whether a visitor meets the condition of a page, if it has one. No visitor meets an invalid condition. */
const meetsCondition = ({ condition }: PageRecord, claims: Claims): boolean => {
  if (condition === undefined) return true
  const expression = parseStoredCondition(condition)
  return expression !== undefined && evaluateCondition(expression, claims)
}

/** Returns the pages that a visitor sees: a page and all pages above it have no condition, or one that the visitor meets. */
const visiblePages = (all: ReadonlyArray<Placed>, claims: Claims): ReadonlyArray<Placed> => {
  if (all.every(({ page }) => page.condition === undefined)) return all
  const byId = new Map<string, PageRecord>(all.map(({ id, page }) => [id, page]))
  const decided = new Map<string, boolean>([["", true]])
  const isVisible = (id: string): boolean => {
    const known = decided.get(id)
    if (known !== undefined) return known
    const page = byId.get(id)
    // A cycle in corrupt content is not visible.
    decided.set(id, false)
    const visible = page !== undefined && meetsCondition(page, claims) && isVisible(page.parent)
    decided.set(id, visible)
    return visible
  }
  return all.filter(({ id }) => isVisible(id))
}

/**
 * Returns the part of a tree that a visitor with these claims sees. To them, other pages do not exist. Files, reusable
 * contents and sources are not filtered.
 */
export const visibleTree = (tree: Tree, claims: Claims): Tree => {
  const page = Effect.fnUntraced(function* (
    id: PageId | string
  ): Effect.fn.Return<PageRecord | undefined, StorageUnavailable> {
    const found = yield* tree.page(id)
    if (found === undefined || !meetsCondition(found, claims)) return undefined
    const above = yield* tree.above(found)
    return above.every((one) => meetsCondition(one.page, claims)) ? found : undefined
  })

  type Siblings = Effect.Success<ReturnType<Tree["children"]>>

  const visibleSiblings = (
    siblings: Effect.Effect<Siblings, StorageUnavailable>
  ): Effect.Effect<Siblings, StorageUnavailable> =>
    Effect.flatMap(siblings, (found) =>
      Effect.filter(found, ({ id }) => Effect.map(page(id), (one) => one !== undefined))
    )

  /** Returns the first visible page of a walk along siblings. */
  const firstVisible = (step: Tree["next"]): Tree["next"] =>
    Effect.fnUntraced(function* (parent: PageId | "", position: string, id: string) {
      let sibling = yield* step(parent, position, id)
      while (sibling !== undefined && (yield* page(sibling.id)) === undefined) {
        sibling = yield* step(parent, sibling.position, sibling.id)
      }
      return sibling
    })

  return {
    ...tree,
    page,
    pages: Effect.map(tree.pages, (all) => [...visiblePages(all, claims)]),
    children: (parent, { limit, ...options } = {}) =>
      Effect.map(visibleSiblings(tree.children(parent, options)), (found) => found.slice(0, limit)),
    between: (parent, from, to) => visibleSiblings(tree.between(parent, from, to)),
    next: firstVisible(tree.next),
    previous: firstVisible(tree.previous),
    bySlug: Effect.fnUntraced(function* (parent: PageId | "", slug: string) {
      const id = yield* tree.bySlug(parent, slug)
      return id === undefined || (yield* page(id)) === undefined ? undefined : id
    })
  }
}
