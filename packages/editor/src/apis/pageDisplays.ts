/** Displays of OpenAPI documents that are created in the page. Loaded with the first block of one. */
import { isObject, OpenApiDocument } from "@lectern/markdown/openapi"
import type { ApiDocument } from "../EditorBackend.ts"
import type { ApiRequest } from "./ApiLoader.ts"
import { type ApiNames, namesOf } from "./apiNames.ts"
import { type ApiTree, renderApiTree } from "./apiTree.ts"

const opened = new WeakMap<ApiDocument, OpenApiDocument>()

/** Opens a document, whose parts are read once for all blocks and fields; `undefined` if it is not an object. */
const openDocument = (loaded: ApiDocument): OpenApiDocument | undefined => {
  const { document, url } = loaded
  if (!isObject(document)) return undefined
  const known = opened.get(loaded) ?? new OpenApiDocument(document, { url })
  opened.set(loaded, known)
  return known
}

let lastDisplay = 0

/** Creates the display of a part; `undefined` if the document does not have it. */
export const displayOf = (
  loaded: ApiDocument,
  { part, messages }: ApiRequest
): ReadonlyArray<ApiTree> | undefined => {
  const document = openDocument(loaded)
  return document && renderApiTree(document, part, { messages, prefix: `page-api-${++lastDisplay}` })
}

/** Returns the names that the settings of blocks offer. */
export const namesOfLoaded = (loaded: ApiDocument): ApiNames => namesOf(openDocument(loaded))
