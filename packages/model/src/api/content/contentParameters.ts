/** The parameters and schemas that operations on content share. */

import * as Schema from "effect/Schema"
import { ContentOptions, ContentPage, ListPages, PageOptions } from "../../index.ts"

/** The parameters of operations that return content. */
export const options = {
  metadata: ContentOptions.fields.metadata,
  computed: ContentOptions.fields.computed
}

/** The parameters of operations that return pages in their tree. */
export const treeOptions = {
  ...options,
  parent: ListPages.fields.parent,
  depth: ListPages.fields.depth
}

/** The parameters of operations that return a page. */
export const pageOptions = {
  ...options,
  format: PageOptions.fields.format
}

/** All pages of a revision, as a tree. */
export const Pages = Schema.Struct({
  /** The pages of the root, each with its subpages. */
  pages: Schema.Array(ContentPage)
}).annotate({ identifier: "Pages" })

/** Whether an edit has added files, whose download URLs are signed. For `ReturnsSecret`. */
export const returnsDownloadUrls = (result: unknown): boolean =>
  typeof result === "object" && result !== null && "insertedFiles" in result
