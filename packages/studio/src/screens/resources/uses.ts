/** The pages that use a page, a file or a reusable content: their backlinks. */
import type { ContentLocation, File, Page, PageCursor, ReusableContent } from "@lectern/client/fetch"
import { type Place, placePath } from "../../data/content.ts"
import { loadAll, pageSize } from "../../data/organization.ts"
import { client } from "../../session.ts"

/** A page that uses something. */
export interface Use {
  readonly page: string
  readonly title: string
  readonly path: string
}

/** Returns the pages of places, each once. */
export const usesOf = (place: Place, locations: ReadonlyArray<ContentLocation>): ReadonlyArray<Use> => {
  const uses = new Map<string, Use>()
  for (const location of locations) {
    if (location.kind !== "page" || uses.has(location.page.id)) continue
    const { page, space } = location
    const path = space.id === place.spaceId ? placePath(place, page) : placePath({ spaceId: space.id }, page)
    uses.set(page.id, { page: page.id, title: page.title, path })
  }
  return [...uses.values()]
}

type ListLocations = (
  query: PageCursor & { readonly limit: number },
  options: { readonly signal?: AbortSignal }
) => Promise<{ readonly items: ReadonlyArray<ContentLocation>; readonly next?: { readonly page: string } }>

/** Loads the pages of all backlinks that `list` returns. */
const loadUses = async (
  place: Place,
  signal: AbortSignal | undefined,
  list: ListLocations
): Promise<ReadonlyArray<Use>> => {
  const options = signal === undefined ? {} : { signal }
  return usesOf(
    place,
    await loadAll<ContentLocation>((cursor) => list({ limit: pageSize, ...cursor }, options))
  )
}

/** Loads the pages that link to a page. */
export const loadPageUses = (place: Place, { id: pageId }: Pick<Page, "id">, signal?: AbortSignal) => {
  const { spaceId, change: changeRequestId } = place
  return loadUses(place, signal, (query, options) =>
    changeRequestId === undefined
      ? client.links.listSpacePageBacklinks({ params: { spaceId, pageId }, query }, options)
      : client.links.listChangeRequestPageBacklinks(
          { params: { spaceId, changeRequestId, pageId }, query },
          options
        )
  )
}

/** Loads the pages that use a file. */
export const loadFileUses = (place: Place, { id: fileId }: Pick<File, "id">, signal?: AbortSignal) => {
  const { spaceId, change: changeRequestId } = place
  return loadUses(place, signal, (query, options) =>
    changeRequestId === undefined
      ? client.links.listSpaceFileBacklinks({ params: { spaceId, fileId }, query }, options)
      : client.links.listChangeRequestFileBacklinks(
          { params: { spaceId, changeRequestId, fileId }, query },
          options
        )
  )
}

/** Loads the pages that include a reusable content. */
export const loadReusableUses = (
  place: Place,
  { id: reusableContentId }: Pick<ReusableContent, "id">,
  signal?: AbortSignal
) => {
  const { spaceId, change: changeRequestId } = place
  return loadUses(place, signal, (query, options) =>
    changeRequestId === undefined
      ? client.links.listSpaceReusableContentBacklinks(
          { params: { spaceId, reusableContentId }, query },
          options
        )
      : client.links.listChangeRequestReusableContentBacklinks(
          { params: { spaceId, changeRequestId, reusableContentId }, query },
          options
        )
  )
}
