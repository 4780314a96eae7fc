/** The pages of a place: the current content of a space, or of a change request. */
import type { ContentChange, EditedPage, Page } from "@lectern/client/fetch"
import { idInRest, livePagePath, pagePath } from "../router/pagePaths.ts"
import { client } from "../session.ts"
import { spaceKey } from "./spaces.ts"
import { type Resource, useResource } from "./useResource.ts"

/** A place with content. */
export interface Place {
  readonly spaceId: string
  /** The number of the change request. Without it, the current content of the space. */
  readonly change?: string | undefined
}

/** A page with a body. */
export type DocumentPage = Extract<Page, { readonly type: "document" }>

/** The key of everything in a place. */
export const placeKey = ({ spaceId, change }: Place): string =>
  change === undefined ? `${spaceKey(spaceId)}/content` : `${spaceKey(spaceId)}/changes/${change}/content`

/** The key of the tree of pages. */
export const pagesKey = (place: Place): string => `${placeKey(place)}/pages`

/** The tree of pages of a place, without their bodies. */
export const usePages = (place: Place | undefined): Resource<ReadonlyArray<Page>> =>
  useResource(place === undefined ? undefined : pagesKey(place), async (signal) => {
    const { spaceId, change } = place!
    const { pages } =
      change === undefined
        ? await client.content.listPages({ params: { spaceId } }, { signal })
        : await client.changeRequestContent.listPagesInChangeRequest(
            { params: { spaceId, changeRequestId: change } },
            { signal }
          )
    return pages
  })

/** Loads a page with its body. */
export const loadPage = (
  { spaceId, change }: Place,
  pageId: string,
  format: "document" | "markdown",
  signal?: AbortSignal
): Promise<Page> => {
  const options = signal === undefined ? {} : { signal }
  return change === undefined
    ? client.content.getPageById({ params: { spaceId, pageId }, query: { format } }, options)
    : client.changeRequestContent.getPageInChangeRequestById(
        { params: { spaceId, changeRequestId: change, pageId }, query: { format } },
        options
      )
}

/** A page with its body as a document. */
export const usePage = (place: Place, pageId: string | undefined): Resource<Page> =>
  useResource(pageId === undefined ? undefined : `${placeKey(place)}/page/${pageId}`, (signal) =>
    loadPage(place, pageId!, "document", signal)
  )

/** Loads the id of the current revision of a place. */
export const loadRevisionId = async ({ spaceId, change }: Place, signal?: AbortSignal): Promise<string> => {
  const options = signal === undefined ? {} : { signal }
  const { revision } =
    change === undefined
      ? await client.spaces.getSpaceById({ params: { spaceId } }, options)
      : await client.changeRequests.getChangeRequestById(
          { params: { spaceId, changeRequestId: change } },
          options
        )
  return revision
}

/** The result of an edit. */
export interface Edited {
  /** The id of the revision that the edit created. */
  readonly revision: string
  /** The pages that the edit changed, in the order of its changes. */
  readonly changes: ReadonlyArray<EditedPage>
}

/** Changes the content of a place, as one revision. With `ifMatch`, only if the content has this entity tag. Rejects with `ApiError`. */
export const editRevision = async (
  { spaceId, change }: Place,
  changes: ReadonlyArray<ContentChange>,
  options: { readonly ifMatch?: string } = {}
): Promise<Edited> => {
  if (change === undefined) {
    return client.content.updateSpaceContent({ params: { spaceId }, payload: { changes } }, options)
  }
  const edited = await client.changeRequestContent.updateChangeRequestContent(
    { params: { spaceId, changeRequestId: change }, query: { compat: false }, payload: { changes } },
    options
  )
  return "changeRequest" in edited
    ? { revision: edited.changeRequest.revision, changes: edited.changes }
    : { revision: edited.revision, changes: [] }
}

/** Changes the content of a place, as one revision. Returns the pages that were changed. Rejects with `ApiError`. */
export const editContent = async (
  place: Place,
  changes: ReadonlyArray<ContentChange>
): Promise<ReadonlyArray<EditedPage>> => (await editRevision(place, changes)).changes

/** Restores pages as they were before an edit of the place. Rejects with `ApiError`. */
export const undoEdit = async (
  place: Place,
  { revision: revisionId }: Pick<Edited, "revision">,
  pages: ReadonlyArray<string>
): Promise<void> => {
  const { spaceId } = place
  // By default, a change request reverts to the content that it is based on, which does not have its drafts.
  const { parents } = await client.revisions.getRevisionById({
    params: { spaceId, revisionId },
    query: { computed: false, metadata: false }
  })
  const [before] = parents
  await editRevision(
    place,
    pages.map((page) => ({
      operation: "revert_page",
      page,
      ...(before === undefined ? {} : { revision: before })
    }))
  )
}

/** Returns the path of the content of a place in the API. */
export const contentPath = ({ spaceId, change }: Place): string => {
  const space = `/spaces/${encodeURIComponent(spaceId)}`
  return change === undefined
    ? `${space}/content`
    : `${space}/change-requests/${encodeURIComponent(change)}/content`
}

/** Returns the pages below a page. */
export const childrenOf = (page: Page): ReadonlyArray<Page> => ("pages" in page ? page.pages : [])

/** Returns all pages, each before the pages below it. */
export const flattenPages = (pages: ReadonlyArray<Page>): ReadonlyArray<Page> =>
  pages.flatMap((page) => [page, ...flattenPages(childrenOf(page))])

const addressed = (page: Page) => ({ id: page.id, path: "path" in page ? page.path : undefined })

/** Returns the address of a place, and of one of its pages. */
export const placePath = (place: Place, page?: Page): string =>
  pagePath(place, page === undefined ? undefined : addressed(page))

/** Returns the address at which the published text of a page is edited. */
export const livePath = (spaceId: string, page: Page): string => livePagePath(spaceId, addressed(page))

/** Returns the page of the rest of an address; the first page with a body if it is empty. */
export const findPage = (pages: ReadonlyArray<Page>, rest: string): Page | undefined => {
  const all = flattenPages(pages)
  if (rest === "") return all.find(({ type }) => type === "document") ?? all[0]
  const id = idInRest(rest)
  return all.find((page) => (id === undefined ? "path" in page && page.path === rest : page.id === id))
}

/** Returns the pages above a page, from the root. */
export const parentsOf = (pages: ReadonlyArray<Page>, pageId: string): ReadonlyArray<Page> => {
  for (const page of pages) {
    const children = childrenOf(page)
    if (children.some(({ id }) => id === pageId)) return [page]
    const below = parentsOf(children, pageId)
    if (below.length > 0) return [page, ...below]
  }
  return []
}
