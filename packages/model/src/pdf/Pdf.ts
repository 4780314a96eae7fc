/** PDF exports: their content, their options and their result. */

import * as Schema from "effect/Schema"
import { ChangeRequestRef } from "../change-requests/ChangeRequest.ts"
import { PageId } from "../content/Page.ts"
import { resource } from "../schema/resource.ts"
import { SpaceId } from "../spaces/Space.ts"

/** Names the content of a PDF: that of a space or of a change request. */
export class PdfOf extends resource<PdfOf>()(
  Schema.Struct({
    /** The space that the content belongs to. */
    space: SpaceId,
    /** The id or the number of a change request of the space. Absent for the primary content of the space. */
    changeRequest: Schema.optionalKey(ChangeRequestRef)
  })
) {}

/** The pages that a PDF contains: by default all pages that are not hidden. */
export class PdfOptions extends resource<PdfOptions>()(
  Schema.Struct({
    /** The page to export, with the pages below it. Absent for all pages that are not hidden. */
    page: Schema.optionalKey(PageId),
    /** Whether to omit the pages below `page`, which it requires. False by default. */
    only: Schema.optionalKey(Schema.Boolean)
  })
) {}

/** The URL of a PDF. */
export class PdfUrl extends resource<PdfUrl>()(
  Schema.Struct({
    /** A signed URL that serves the PDF without a token. It expires after an hour. */
    url: Schema.String
  }).annotate({ identifier: "PDF" })
) {}
