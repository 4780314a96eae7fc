/** The page that an address names. */
import type { Page, Space } from "@lectern/client/fetch"
import { useEffect } from "react"
import { useActions } from "../../actions/actions.ts"
import { findPage, type Place, parentsOf, usePage, usePages } from "../../data/content.ts"
import { isFavorite, recordRecentPage, setFavorite, usePlaces } from "../../data/places.ts"
import type { Resource } from "../../data/useResource.ts"
import { placesStrings } from "../../strings/places.ts"
import { useStrings } from "../../strings/strings.ts"

/** The page that an address names, and its place in the tree. */
export interface CurrentPage {
  readonly pages: Resource<ReadonlyArray<Page>>
  /** The page without its body. */
  readonly page: Page | undefined
  readonly parents: ReadonlyArray<Page>
  /** The page with its body. */
  readonly loaded: Resource<Page>
}

/** Returns the page of the rest of an address; the first page if it is empty. */
export const useCurrentPage = (place: Place, rest: string): CurrentPage => {
  const pages = usePages(place)
  const page = pages.data === undefined ? undefined : findPage(pages.data, rest)
  const loaded = usePage(place, page?.type === "document" ? page.id : undefined)
  return {
    pages,
    page,
    parents: page === undefined || pages.data === undefined ? [] : parentsOf(pages.data, page.id),
    loaded
  }
}

/** Records that the person has opened a page, and offers to mark it as a favorite. */
export const useRecentPage = (page: Page | undefined, space: Space | undefined): void => {
  const t = useStrings(placesStrings)
  const favorites = usePlaces("favorite").data ?? []
  const organizationId = space?.organization
  const spaceId = space?.id
  const pageId = page?.type === "document" ? page.id : undefined
  useEffect(() => {
    if (organizationId !== undefined && spaceId !== undefined && pageId !== undefined)
      recordRecentPage(organizationId, spaceId, pageId)
  }, [organizationId, spaceId, pageId])
  const isMarked = spaceId !== undefined && isFavorite(favorites, { spaceId, pageId })
  useActions(
    organizationId === undefined || spaceId === undefined || pageId === undefined
      ? []
      : [
          {
            id: "page.favorite",
            label: t(isMarked ? "removePage" : "addPage"),
            run: () =>
              void setFavorite({ organizationId, spaceId, pageId, title: page?.title ?? "" }, !isMarked)
          }
        ]
  )
}
