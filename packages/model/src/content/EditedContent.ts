/** The results of edits. */

import * as Schema from "effect/Schema"
import type { ChangeRequest } from "../change-requests/ChangeRequest.ts"
import { resource } from "../schema/resource.ts"
import { File } from "./File.ts"
import { RevisionId } from "./Revision.ts"

class PageRef extends resource<PageRef>()(
  Schema.Struct({
    /** The type of the object: always `page`. */
    object: Schema.Literal("page"),
    /** The id of the page. */
    id: Schema.String,
    /** URLs of the page. */
    urls: Schema.Struct({
      /** The URL of the page in the API. */
      location: Schema.String
    })
  })
) {}

class CreatedPage extends resource<CreatedPage>()(
  Schema.Struct({
    /** The effect: the page was created. */
    object: Schema.Literal("created_page"),
    /** The `ref` of the change that created the page. Absent if the change has no `ref`. */
    ref: Schema.optionalKey(Schema.String),
    /** The page that was created. */
    page: PageRef
  })
) {}

class UpdatedPage extends resource<UpdatedPage>()(
  Schema.Struct({
    /** The effect: the page was updated. */
    object: Schema.Literal("updated_page"),
    /** The page that was updated. */
    page: PageRef
  })
) {}

class DeletedPage extends resource<DeletedPage>()(
  Schema.Struct({
    /** The effect: the page was deleted. */
    object: Schema.Literal("deleted_page"),
    /** The id of the page that was deleted. */
    page: Schema.String
  })
) {}

/** The effect of an edit on one page. */
export const EditedPage: Schema.Codec<EditedPage> = Schema.Union([
  CreatedPage,
  UpdatedPage,
  DeletedPage
]).annotate({
  identifier: "EditedPage"
})
/** The effect of an edit on one page. */
export type EditedPage = CreatedPage | UpdatedPage | DeletedPage

/** The result of an edit: the revision that it created and the pages that it changed. */
export class EditedContent extends resource<EditedContent>()(
  Schema.Struct({
    /** The id of the revision that the edit created. */
    revision: RevisionId,
    /** The pages that the edit changed, in the order of its changes. */
    changes: Schema.Array(EditedPage),
    /** The files that the edit added. Absent if it added none. */
    insertedFiles: Schema.optionalKey(Schema.Array(File))
  }).annotate({ identifier: "EditedContent" })
) {}

/** The result of an edit, with the change request that it belongs to. */
export interface EditResult extends EditedContent {
  /** The change request after the edit. Absent for edits of the primary content of a space. */
  readonly changeRequest?: ChangeRequest
}
