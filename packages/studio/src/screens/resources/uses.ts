/** The pages that use a page, a file or a reusable content: their backlinks. */
import type { ContentLocation, File, Page, ReusableContent } from "@lectern/client/fetch"
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

const optionsOf = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal })

/** Loads the pages that link to a page. */
export const loadPageUses = async (
  place: Place,
  { id: pageId }: Pick<Page, "id">,
  signal?: AbortSignal
): Promise<ReadonlyArray<Use>> => {
  const { spaceId, change } = place
  const locations = await loadAll<ContentLocation>((cursor) => {
    const query = { limit: pageSize, ...cursor }
    return change === undefined
      ? client.links.listSpacePageBacklinks({ params: { spaceId, pageId }, query }, optionsOf(signal))
      : client.links.listChangeRequestPageBacklinks(
          { params: { spaceId, changeRequestId: change, pageId }, query },
          optionsOf(signal)
        )
  })
  return usesOf(place, locations)
}

/** Loads the pages that use a file. */
export const loadFileUses = async (
  place: Place,
  { id: fileId }: Pick<File, "id">,
  signal?: AbortSignal
): Promise<ReadonlyArray<Use>> => {
  const { spaceId, change } = place
  const locations = await loadAll<ContentLocation>((cursor) => {
    const query = { limit: pageSize, ...cursor }
    return change === undefined
      ? client.links.listSpaceFileBacklinks({ params: { spaceId, fileId }, query }, optionsOf(signal))
      : client.links.listChangeRequestFileBacklinks(
          { params: { spaceId, changeRequestId: change, fileId }, query },
          optionsOf(signal)
        )
  })
  return usesOf(place, locations)
}

/** Loads the pages that include a reusable content. */
export const loadReusableUses = async (
  place: Place,
  { id: reusableContentId }: Pick<ReusableContent, "id">,
  signal?: AbortSignal
): Promise<ReadonlyArray<Use>> => {
  const { spaceId, change } = place
  const locations = await loadAll<ContentLocation>((cursor) => {
    const query = { limit: pageSize, ...cursor }
    return change === undefined
      ? client.links.listSpaceReusableContentBacklinks(
          { params: { spaceId, reusableContentId }, query },
          optionsOf(signal)
        )
      : client.links.listChangeRequestReusableContentBacklinks(
          { params: { spaceId, changeRequestId: change, reusableContentId }, query },
          optionsOf(signal)
        )
  })
  return usesOf(place, locations)
}
