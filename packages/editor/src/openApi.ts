/** The documents of blocks of OpenAPI in an editor. Loaded with the first block of one. */
import { isObject, OpenApiDocument } from "@lectern/markdown/openapi"
import type { ApiDocument } from "./EditorBackend.ts"

const opened = new WeakMap<ApiDocument, OpenApiDocument>()

/** Opens a document, whose parts are read once for all blocks and fields; `undefined` if it is not an object. */
export const openDocument = (loaded: ApiDocument): OpenApiDocument | undefined => {
  const { document, url } = loaded
  if (!isObject(document)) return undefined
  const known = opened.get(loaded) ?? new OpenApiDocument(document, { url })
  opened.set(loaded, known)
  return known
}
