/** Parameters that operations on content have in common. */
import { ContentOptions, ContentPage, PageOptions } from "@lectern/core/model"
import { Schema } from "effect"

/** How content is shown. */
export const options = {
  metadata: ContentOptions.fields.metadata,
  computed: ContentOptions.fields.computed
}

/** How a page is shown. */
export const pageOptions = {
  ...options,
  format: PageOptions.fields.format
}

/** All pages of some content, as their tree. */
export const Pages = Schema.Struct({
  /** The pages of the root, each with the pages below it. */
  pages: Schema.Array(ContentPage)
}).annotate({ identifier: "Pages" })
