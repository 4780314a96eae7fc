/** The operation that imports content, declared once for spaces and change requests. */
import { ImportContent, ImportedContent } from "@lectern/core/model"
import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { importing } from "../shared/declaredErrors.ts"
import { describe } from "../shared/describe.ts"
import type { PathParams } from "../shared/pathParameters.ts"

/** Declares the operation that imports content at a path. */
export const contentImport = <
  const Id extends string,
  const Path extends `/${string}`,
  const Params extends PathParams
>(
  id: Id,
  path: Path,
  params: Params,
  title: string
) =>
  HttpApiEndpoint.post(id, `${path}/import` as const, {
    params,
    payload: ImportContent,
    success: ImportedContent.pipe(HttpApiSchema.status(201)),
    error: importing
  }).annotateMerge(
    describe(
      title,
      "Brings in a website, a markdown, HTML or docx document, or an archive, as one revision. What the same address brought in before is brought up to date."
    )
  )
