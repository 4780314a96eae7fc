/** Declares the operations that import content, for spaces and change requests. */

import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { ImportContent, ImportedContent, ImportPageContent } from "../../index.ts"
import { created } from "../shared/created.ts"
import { importing } from "../shared/declaredErrors.ts"
import { describe } from "../shared/describe.ts"
import type { PathParams } from "../shared/pathParameters.ts"
import { ChangedResource } from "../shared/requestConditions.ts"

const declareImport =
  <const Payload extends typeof ImportContent | typeof ImportPageContent>(
    payload: Payload,
    description: string
  ) =>
  <const Id extends string, const Path extends `/${string}`, const Params extends PathParams>(
    id: Id,
    path: Path,
    params: Params,
    title: string
  ) =>
    HttpApiEndpoint.post(id, `${path}/import` as const, {
      params,
      payload,
      success: created(ImportedContent),
      error: importing
    })
      .annotateMerge(describe(title, description))
      .annotate(ChangedResource, path)

/** Declares the operation that imports content into the content at a path. */
export const contentImport = declareImport(
  ImportContent,
  "Imports a website, a Markdown, HTML or docx document, or an archive, as one revision. A repeated import from the same URL updates the content that it imported before."
)

/** Declares the operation that imports a document into the page at a path. */
export const pageImport = declareImport(
  ImportPageContent,
  "Replaces the body of the page by a Markdown, HTML or docx document with its images, as one revision. The place, the title and the description of the page remain."
)
