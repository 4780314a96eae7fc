/** Processes documents of OpenAPI specs in a thread of the pool. */
import {
  InvalidDocument,
  type ParsedDocument,
  parseDocument,
  type SpecPage,
  type SpecProblem,
  specPagesOfFiles
} from "@lectern/formats/threads"

/** A document to parse, or the documents of a version to generate pages from. */
export type SpecRequest =
  | { readonly kind: "parse"; readonly document: Uint8Array; readonly isFirst: boolean }
  | { readonly kind: "pages"; readonly files: Uint8Array }

/** The result of a request. A document that is invalid has problems instead of a result. */
export type SpecResult<A> = { readonly value: A } | { readonly problems: ReadonlyArray<SpecProblem> }

/** Parses a document, or generates pages. */
export const specTask = (request: SpecRequest): SpecResult<ParsedDocument | ReadonlyArray<SpecPage>> => {
  if (request.kind === "pages") return { value: specPagesOfFiles(request.files) }
  try {
    return { value: parseDocument(new TextDecoder().decode(request.document), request.isFirst) }
  } catch (error) {
    if (error instanceof InvalidDocument) return { problems: error.problems }
    throw error
  }
}
