/** What a batch of changes returns. */
import { Schema } from "effect"
import { File } from "./File.ts"
import { RevisionId } from "./Revision.ts"

const PageRef = Schema.Struct({
  object: Schema.Literal("page"),
  id: Schema.String,
  urls: Schema.Struct({ location: Schema.String })
})

/** What became of a page by a batch. `ref` is the batch's own name for a page that it made. */
export const EditedPage = Schema.Union([
  Schema.Struct({
    object: Schema.Literal("created_page"),
    ref: Schema.optionalKey(Schema.String),
    page: PageRef
  }),
  Schema.Struct({ object: Schema.Literal("updated_page"), page: PageRef }),
  Schema.Struct({ object: Schema.Literal("deleted_page"), page: Schema.String })
]).annotate({ identifier: "EditedPage" })
export type EditedPage = typeof EditedPage.Type

/** What came of a batch: the revision that it made, and each page that it touched, in the order of it. */
export const EditedContent = Schema.Struct({
  revision: RevisionId,
  changes: Schema.Array(EditedPage),
  insertedFiles: Schema.optionalKey(Schema.Array(File))
}).annotate({ identifier: "EditedContent" })
export type EditedContent = typeof EditedContent.Type
