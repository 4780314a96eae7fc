/** PDF exports: which content, which pages, and the address of the result. */
import { Schema } from "effect"
import { ChangeRequestRef } from "../change-requests/ChangeRequest.ts"
import { PageId } from "../content/Page.ts"
import { SpaceId } from "../spaces/Space.ts"

/** The content that a PDF is of: a space's, or a change request's. */
export const PdfOf = Schema.Struct({ space: SpaceId, changeRequest: Schema.optionalKey(ChangeRequestRef) })
export type PdfOf = typeof PdfOf.Type

/** Which pages are in it: a page with those below it, the page alone, or by default all that are not hidden. */
export const PdfOptions = Schema.Struct({
  page: Schema.optionalKey(PageId),
  only: Schema.optionalKey(Schema.Boolean)
})
export type PdfOptions = typeof PdfOptions.Type

/** Where a PDF is to be had, for an hour, by whoever has the address. */
export const PdfUrl = Schema.Struct({ url: Schema.String }).annotate({ identifier: "PDF" })
export type PdfUrl = typeof PdfUrl.Type
