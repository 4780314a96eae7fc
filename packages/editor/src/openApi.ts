/** The rendering of OpenAPI documents, which is loaded with the first block of one. Every import of it is here. */
import { isObject, OpenApiDocument } from "@lectern/markdown/openapi"
import type { ApiDocument } from "./EditorBackend.ts"

export {
  type ApiBuilder,
  type ApiContent,
  type OpenApiDocument,
  operationPageOf,
  PageDetail,
  renderOperation,
  renderSchema
} from "@lectern/markdown/openapi"

const opened = new WeakMap<ApiDocument, OpenApiDocument>()

/** Opens a document, whose parts are read once for all blocks and fields; `undefined` if it is not an object. */
export const openDocument = (loaded: ApiDocument): OpenApiDocument | undefined => {
  const { document, url } = loaded
  if (!isObject(document)) return undefined
  const known = opened.get(loaded) ?? new OpenApiDocument(document, { url })
  opened.set(loaded, known)
  return known
}
