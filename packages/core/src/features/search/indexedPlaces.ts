/** Determines where readers find a page: its path and its breadcrumbs, or that it is hidden. */

import { type IndexedPage, type IndexedSpace, pathOf, Trees as Tree } from "@lectern/content"
import type { StorageUnavailable } from "@lectern/kernel"
import type { Breadcrumb, PageRecord, Placed } from "@lectern/kernel/tables"
import type { Outline } from "@lectern/markdown/outline"
import type { PageId } from "@lectern/model/content"
import { Effect } from "effect"

/** The place of a page in the table of contents. */
export interface Place {
  readonly path: string
  /** The ancestors of the page, from the root. */
  readonly breadcrumbs: ReadonlyArray<Breadcrumb>
  /** The conditions of the page and its ancestors, all of which visitors meet who see the page. */
  readonly conditions: ReadonlyArray<string>
  /** The page as a breadcrumb of the pages below it; absent for the root of the tree. */
  readonly own?: Breadcrumb
}

const root: Place = { path: "", breadcrumbs: [], conditions: [] }

const iconsOf = ({ emoji, icon }: PageRecord) => ({
  ...(emoji === undefined ? {} : { emoji }),
  ...(icon === undefined ? {} : { icon })
})

/** Returns the place of a page below another one, or at the root. */
export const childPlaceOf = (parent: Place, page: PageRecord, id?: PageId): Place => ({
  path: pathOf(parent.path, page),
  breadcrumbs: parent.own === undefined ? [] : [...parent.breadcrumbs, parent.own],
  conditions: page.condition === undefined ? parent.conditions : [...parent.conditions, page.condition],
  ...(id === undefined ? {} : { own: { id, title: page.title, ...iconsOf(page) } })
})

/** Returns the function that finds the place of a page; undefined for hidden pages. It reads each ancestor once. */
export const visiblePlacesIn = (
  tree: Tree.Tree
): ((id: PageId | "") => Effect.Effect<Place | undefined, StorageUnavailable>) => {
  const cache = new Map<string, Place | undefined>([["", root]])
  const placeOf = (id: PageId | "", depth: number): Effect.Effect<Place | undefined, StorageUnavailable> =>
    Effect.gen(function* () {
      if (cache.has(id)) return cache.get(id)
      const page = id === "" || depth > Tree.maximumDepth ? undefined : yield* tree.page(id)
      const parent =
        page === undefined || page.hidden === true ? undefined : yield* placeOf(page.parent, depth + 1)
      const place = parent === undefined ? undefined : childPlaceOf(parent, page!, id as PageId)
      cache.set(id, place)
      return place
    })
  return (id) => placeOf(id, 0)
}

/** Returns the input of the rows of a page. */
export const indexedPageOf = (
  space: IndexedSpace,
  { id, page }: Placed,
  { path, breadcrumbs, conditions }: Place,
  outline: Outline
): IndexedPage => ({
  space,
  id,
  source: "",
  name: page.title,
  description: page.description ?? "",
  path,
  presentation: { ...iconsOf(page), breadcrumbs },
  conditions,
  outline
})
