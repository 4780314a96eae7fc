/** Declares the operations that export content as a PDF. */

import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { ChangeRequestRef, PdfOptions, PdfUrl, SpaceId } from "../../index.ts"
import { printing } from "../shared/declaredErrors.ts"
import { describe, describeGroup } from "../shared/describe.ts"
import { always, ReturnsSecret } from "../shared/requestConditions.ts"

const options = {
  page: PdfOptions.fields.page,
  only: PdfOptions.fields.only
}

/** The group of operations on PDFs. */
export const PdfApi = HttpApiGroup.make("pdf")
  .add(
    HttpApiEndpoint.get("getSpacePDF", "/spaces/:spaceId/pdf", {
      params: { spaceId: SpaceId },
      query: options,
      success: PdfUrl,
      error: printing
    })
      .annotateMerge(
        describe(
          "Get the content as a PDF",
          "Returns the URL of a PDF of the pages. It needs no token and expires after an hour."
        )
      )
      .annotate(ReturnsSecret, always),
    HttpApiEndpoint.get("getChangeRequestPDF", "/spaces/:spaceId/change-requests/:changeRequestId/pdf", {
      params: { spaceId: SpaceId, changeRequestId: ChangeRequestRef },
      query: options,
      success: PdfUrl,
      error: printing
    })
      .annotateMerge(
        describe(
          "Get the content of a change request as a PDF",
          "Returns the URL of a PDF of the pages of the change request. It needs no token and expires after an hour."
        )
      )
      .annotate(ReturnsSecret, always)
  )
  .annotateMerge(describeGroup("PDF", "PDF exports of spaces and change requests."))
