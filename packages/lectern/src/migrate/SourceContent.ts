/** Reads the content of a space at the source: its pages, files, reusable contents and documents, of one revision. */
import { Effect, Schema } from "effect"
import type { ApiClient, Fields, Item, RequestFailed } from "./ApiClient.ts"

/** A page with its parent, in the order of the tree: each page follows its parent and its previous sibling. */
export interface SourcePage {
  readonly page: Item
  readonly parent: string | undefined
}

/** The content of a revision. */
export interface SourceContent {
  readonly pages: ReadonlyArray<SourcePage>
  /** The files, oldest first. */
  readonly files: ReadonlyArray<Item>
  readonly reusableContents: ReadonlyArray<Item>
}

/** The maximum depth of pages. */
const maximumDepth = 100

const Items = Schema.Array(Schema.Record(Schema.String, Schema.Unknown))

const itemsOf = (value: unknown): ReadonlyArray<Item> => {
  const decoded = Schema.decodeUnknownOption(Items)(value ?? [])
  return decoded._tag === "Some"
    ? decoded.value.filter((item): item is Item => typeof item.id === "string")
    : []
}

/** Lists pages of a tree in its order, without the pages below them. */
export const flattenPages = (pages: unknown, parent?: string, depth = 0): ReadonlyArray<SourcePage> =>
  depth > maximumDepth
    ? []
    : itemsOf(pages).flatMap(({ pages: inner, ...page }) => [
        { page, parent },
        ...flattenPages(inner, page.id, depth + 1)
      ])

/** Reads the content at a path, such as that of a revision, without the pages that are computed from specs. */
export const readContent = Effect.fnUntraced(function* (
  api: ApiClient,
  path: string
): Effect.fn.Return<SourceContent, RequestFailed> {
  const revision = yield* api.get(`${path}?computed=false`)
  return {
    pages: flattenPages(revision.pages),
    files: itemsOf(revision.files).toReversed(),
    reusableContents: itemsOf(revision.reusableContents)
  }
})

/** The path to change the content at a path. By default, the response of a change request omits the changes. */
export const editPath = (content: string): string =>
  content.includes("/change-requests/") ? `${content}?compat=false` : content

/** Reads the document of a page of a revision. */
export const readDocument = (
  api: ApiClient,
  revision: string,
  page: string
): Effect.Effect<Fields, RequestFailed> => api.get(`${revision}/page/${encodeURIComponent(page)}/document`)

/** Reads the document of a reusable content of a revision. */
export const readReusableDocument = (
  api: ApiClient,
  revision: string,
  content: string
): Effect.Effect<Fields, RequestFailed> =>
  api.get(`${revision}/reusable-contents/${encodeURIComponent(content)}/document`)
