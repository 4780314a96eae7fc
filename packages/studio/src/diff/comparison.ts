/** The two revisions that are compared, and how their content is loaded. */
import { ApiError, type JSONDocumentEncoded, type Page, type SemanticChange } from "@lectern/client/fetch"
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
