/** Parameters that operations on content have in common. */
import { ContentOptions, ContentPage, PageOptions } from "@lectern/core/model"
import { Schema } from "effect"

/** How content is shown. */
export const options = {
  metadata: ContentOptions.fields.metadata.annotate({
    description: "Whether to say where content is in a git repository; true by default."
  }),
  computed: ContentOptions.fields.computed.annotate({
    description: "Whether computed content is computed; true by default."
  })
}

/** How a page is shown. */
export const pageOptions = {
  ...options,
  format: PageOptions.fields.format.annotate({
    description: "The format of the page's body: markdown, or a document. Without it the body is left out."
  })
}

/** All pages of some content, as their tree. */
export const Pages = Schema.Struct({ pages: Schema.Array(ContentPage) }).annotate({ identifier: "Pages" })
