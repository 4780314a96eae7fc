/** The page that an address names. */
import type { Page } from "@lectern/client/fetch"
import { useEffect } from "react"
import { findPage, type Place, parentsOf, placePath, usePage, usePages } from "../../data/content.ts"
import { addRecentPlace } from "../../data/recent.ts"
import type { Resource } from "../../data/useResource.ts"

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

/** Adds the page to the places that were opened last. */
export const useRecentPage = (place: Place, page: Page | undefined, space: string | undefined): void => {
  const path = page === undefined ? undefined : placePath(place, page)
  const title = page?.title
  useEffect(() => {
    if (path !== undefined && title !== undefined && space !== undefined)
      addRecentPlace({ path, title, space })
  }, [path, title, space])
}
