/** The two revisions that are compared, and how their content is loaded. */
import { ApiError, type JSONDocumentEncoded, type Page, type SemanticChange } from "@lectern/client/fetch"
import { childrenOf, parentsOf } from "../data/content.ts"
import { type Resource, useResource } from "../data/useResource.ts"
import { client } from "../session.ts"

/** Two revisions of a space, or of a change request of it. */
export interface Comparison {
  readonly spaceId: string
  readonly before: string
  readonly after: string
  /** Returns the path of a page in the newer content. */
  readonly pagePath: (pageId: string) => string | undefined
}

/** A change of a page. */
export type PageChange = Extract<SemanticChange, { readonly page: unknown }>

/** A page with its changes. */
export interface ChangedPage {
  readonly id: string
  readonly title: string
  readonly changes: ReadonlyArray<PageChange>
}

/** Whether a change is one of a page. */
export const isPageChange = (change: SemanticChange): change is PageChange => "page" in change

/** Groups the changes by page, in their order. */
export const byPage = (changes: ReadonlyArray<SemanticChange>): ReadonlyArray<ChangedPage> =>
  Array.from(
    Map.groupBy(changes.filter(isPageChange), ({ page }) => page.id),
    ([id, list]) => ({ id, title: list[0]!.page.title, changes: list })
  )

const missing = (error: unknown): undefined => {
  if (error instanceof ApiError && error._tag === "NotFound") return undefined
  throw error
}

// Revisions are immutable: loaded versions are never out of date.
const immutable = { staleAfterMs: Number.POSITIVE_INFINITY }

/** The key of loaded versions of a space. It is not below that of the space, whose changes do not affect it. */
const keyOf = (spaceId: string, revision: string): string => `revisions/${spaceId}/${revision}`

const loadRevisionPage = (
  spaceId: string,
  revisionId: string,
  pageId: string,
  signal: AbortSignal
): Promise<Page | undefined> =>
  client.revisions
    .getPageInRevisionById(
      { params: { spaceId, revisionId, pageId }, query: { format: "document" } },
      { signal }
    )
    .catch(missing)

/** A page of both revisions, as far as they have it. */
export interface PageVersions {
  readonly before: Page | undefined
  readonly after: Page | undefined
}

/** Loads a page of both revisions. */
export const usePageVersions = (
  { spaceId, before, after }: Comparison,
  { id, changes }: ChangedPage
): Resource<PageVersions> => {
  const isNew = changes.some(({ type }) => type === "page_created")
  const isGone = changes.some(({ type }) => type === "page_deleted")
  return useResource(
    `${keyOf(spaceId, before)}/${after}/page/${id}`,
    async (signal) => {
      const [one, other] = await Promise.all([
        isNew ? undefined : loadRevisionPage(spaceId, before, id, signal),
        isGone ? undefined : loadRevisionPage(spaceId, after, id, signal)
      ])
      return { before: one, after: other }
    },
    immutable
  )
}

/** The tree of the pages of a revision, without their bodies. */
const useTreeAt = (spaceId: string, revisionId: string): Resource<ReadonlyArray<Page>> =>
  useResource(
    `${keyOf(spaceId, revisionId)}/pages`,
    async (signal) => {
      const { pages } = await client.revisions.listPagesInRevisionById(
        { params: { spaceId, revisionId }, query: { computed: false, metadata: false } },
        { signal }
      )
      return pages
    },
    immutable
  )

/** The place of a page in a tree. */
export interface PlaceInTree {
  /** The pages above it, from the root. */
  readonly parents: ReadonlyArray<Page>
  /** Its position among its siblings, from 1. */
  readonly position: number
}

const placeIn = (pages: ReadonlyArray<Page>, id: string): PlaceInTree => {
  const parents = parentsOf(pages, id)
  const parent = parents.at(-1)
  const siblings = parent === undefined ? pages : childrenOf(parent)
  return { parents, position: siblings.findIndex((page) => page.id === id) + 1 }
}

/** The place of a moved page in both revisions, once their trees are loaded. */
export const useMove = (
  { spaceId, before, after }: Comparison,
  pageId: string
): readonly [PlaceInTree, PlaceInTree] | undefined => {
  const [old, current] = [useTreeAt(spaceId, before).data, useTreeAt(spaceId, after).data]
  return old === undefined || current === undefined
    ? undefined
    : [placeIn(old, pageId), placeIn(current, pageId)]
}

/** The documents of a reusable content in both revisions, as far as they have it. */
export const useReusableVersions = (
  { spaceId, before, after }: Comparison,
  { type, reusableContent: { id } }: Extract<SemanticChange, { readonly reusableContent: unknown }>
): Resource<ReadonlyArray<JSONDocumentEncoded | undefined>> => {
  const load = (revisionId: string, signal: AbortSignal) =>
    client.revisions
      .getReusableContentDocumentInRevisionById(
        { params: { spaceId, revisionId, reusableContentId: id } },
        { signal }
      )
      .catch(missing)
  return useResource(
    `${keyOf(spaceId, before)}/${after}/reusable/${id}`,
    (signal) =>
      Promise.all([
        type === "reusable_content_created" ? undefined : load(before, signal),
        type === "reusable_content_deleted" ? undefined : load(after, signal)
      ]),
    immutable
  )
}
